#pragma once

#include <algorithm>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/dispatch.hpp"
#include "regiht/parallel.hpp"

namespace regiht {

namespace detail {

/// Four numbers in one register, or in as many as it takes.
#if defined(__GNUC__)
using Lanes = double __attribute__((vector_size(32), aligned(8), may_alias));
#else
struct Lanes {
  double at[4];
  double operator[](int i) const { return at[i]; }
  friend Lanes operator*(Lanes a, const Lanes& b) {
    for (int i = 0; i < 4; ++i) a.at[i] *= b.at[i];
    return a;
  }
  Lanes& operator+=(const Lanes& b) {
    for (int i = 0; i < 4; ++i) at[i] += b.at[i];
    return *this;
  }
};
#endif

/// out(p, q) += Σₖ left(k, p) · right(k, q) for a tile of 4 × 2 columns; n is a multiple of 4.
REGIHT_WIDE_FUSED inline void add_tile(Index n, const double* left, const double* right,
                                       Index stride, double* out, Index out_stride) {
  Lanes sums[8] = {};
  for (Index k = 0; k < n; k += 4) {
    const Lanes r0 = *reinterpret_cast<const Lanes*>(right + k);
    const Lanes r1 = *reinterpret_cast<const Lanes*>(right + stride + k);
    for (std::size_t p = 0; p < 4; ++p) {
      const Lanes l = *reinterpret_cast<const Lanes*>(left + static_cast<Index>(p) * stride + k);
      sums[2 * p] += l * r0;
      sums[2 * p + 1] += l * r1;
    }
  }
  for (std::size_t p = 0; p < 4; ++p)
    for (std::size_t q = 0; q < 2; ++q) {
      const Lanes& s = sums[2 * p + q];
      out[static_cast<Index>(p) + static_cast<Index>(q) * out_stride] +=
          (s[0] + s[2]) + (s[1] + s[3]);
    }
}

/// Adds BᵀB to the tiles on and above the diagonal; B has `rows` rows, columns `rows` apart.
inline void add_gram_of_block(Index rows, Index padded_cols, const double* block, Matrix& gram) {
  for (Index right = 0; right < padded_cols; right += 2)
    for (Index left = 0; left <= right; left += 4)
      add_tile(rows, block + left * rows, block + right * rows, rows,
               gram.data() + left + right * gram.rows(), gram.rows());
}

}  // namespace detail

/// AᵀA, block after block of rows. The sums run over fixed shares of the rows, so the bits do not
/// depend on the number of threads.
inline Matrix gram_matrix(const Design& design, int threads) {
  const Index rows = design.rows(), cols = design.cols();
  const Index block_rows = std::min<Index>(256, (rows + 3) / 4 * 4);
  const Index padded = (cols + 3) / 4 * 4;
  const Index blocks = (rows + block_rows - 1) / block_rows;
  const Index shares = std::min<Index>(blocks, 8);
  std::vector<Matrix> partial(static_cast<std::size_t>(shares));
  parallel_for(threads, shares, [&](Index share) {
    Matrix& gram = partial[static_cast<std::size_t>(share)];
    gram.setZero(padded, padded);
    Vector block = Vector::Zero(block_rows * padded);
    for (Index b = blocks * share / shares; b < blocks * (share + 1) / shares; ++b) {
      const Index first = b * block_rows;
      const Index count = std::min(block_rows, rows - first);
      if (count < block_rows) block.setZero();
      design.copy_rows(first, count, block.data(), block_rows);
      detail::add_gram_of_block(block_rows, padded, block.data(), gram);
    }
  });
  for (std::size_t share = 1; share < partial.size(); ++share) partial[0] += partial[share];
  Matrix gram = partial[0].topLeftCorner(cols, cols);
  gram.triangularView<Eigen::StrictlyLower>() = gram.transpose();
  return gram;
}

}  // namespace regiht
