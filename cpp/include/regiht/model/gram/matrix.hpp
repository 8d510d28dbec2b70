#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/simd.hpp"
#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"

namespace regiht { inline namespace REGIHT_ABI {

namespace detail {

inline constexpr Index tile_rows = 4, tile_cols = 12;

/// out(p, q) += Σₖ block(k, p) · block(k, q) for a tile of 4 × 12 columns, row by row; `left` and
/// `right` point to the first row, `out` is row-major.
REGIHT_WIDE_FUSED inline void add_tile(Index n, const double* left, const double* right,
                                       Index stride, double* out) {
  Double4 sums[4][3] = {};
  for (Index k = 0; k < n; ++k, left += stride, right += stride) {
    Double4 r[3];
    for (Index q = 0; q < 3; ++q) load(right + 4 * q, r[q]);
    for (Index p = 0; p < 4; ++p) {
      const Double4 l = {left[p], left[p], left[p], left[p]};
      for (Index q = 0; q < 3; ++q) sums[p][q] += l * r[q];
    }
  }
  for (Index p = 0; p < 4; ++p)
    for (Index q = 0; q < 3; ++q)
      for (int lane = 0; lane < 4; ++lane) out[p * stride + 4 * q + lane] += sums[p][q][lane];
}

/// Adds BᵀB to the tiles on and above the diagonal; rows of both are `stride` apart.
inline void add_gram_of_block(Index rows, Index stride, const double* block, double* gram) {
  for (Index right = 0; right < stride; right += tile_cols)
    for (Index left = 0; left < right + tile_cols; left += tile_rows)
      add_tile(rows, block + left, block + right, stride, gram + left * stride + right);
}

}  // namespace detail

/// AᵀA by blocks of rows. Sums run over fixed shares of the rows, so the bits do not depend on the
/// number of threads.
inline Matrix gram_matrix(const Design& design, int threads) {
  const Index rows = design.rows(), cols = design.cols();
  const Index block_rows = 256;
  const Index padded = (cols + detail::tile_cols - 1) / detail::tile_cols * detail::tile_cols;
  const Index blocks = (rows + block_rows - 1) / block_rows;
  const Index shares = std::clamp<Index>(blocks, 1, 8);
  // The upper triangle by rows is the lower one by columns, Eigen's layout.
  std::vector<Matrix> partial(static_cast<std::size_t>(shares));
  parallel_for(threads, shares, [&](Index share) {
    Matrix& gram = partial[static_cast<std::size_t>(share)];
    gram.setZero(padded, padded);
    Vector block = Vector::Zero(std::min(block_rows, rows) * padded);
    for (Index b = blocks * share / shares; b < blocks * (share + 1) / shares; ++b) {
      const Index first = b * block_rows;
      const Index count = std::min(block_rows, rows - first);
      design.copy_rows(first, count, block.data(), padded);
      detail::add_gram_of_block(count, padded, block.data(), gram.data());
    }
  });
  for (std::size_t share = 1; share < partial.size(); ++share) partial[0] += partial[share];
  Matrix gram = partial[0].topLeftCorner(cols, cols);
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  return gram;
}

/// The largest magnitudes in a column of the Gram matrix.
struct GramPeaks {
  double all = 0.0;     ///< of ⟨aⱼ, aₖ⟩ for every k
  double beside = 0.0;  ///< the same without ⟨aⱼ, aⱼ⟩

  GramPeaks(ConstVectorView products, Index column) {
    const Index rest = products.size() - column - 1;
    beside = std::max(kernels::largest_magnitude(column, products.data()),
                      kernels::largest_magnitude(rest, products.data() + column + 1));
    all = std::max(beside, std::abs(products[column]));
  }
};

/// AᵀA and the peaks of its columns.
struct Gram {
  Matrix products;
  std::vector<GramPeaks> peaks;

  Gram(const Design& design, int threads) : products(gram_matrix(design, threads)) {
    for (Index j = 0; j < products.cols(); ++j) peaks.emplace_back(products.col(j), j);
  }
};

}}  // namespace regiht::REGIHT_ABI
