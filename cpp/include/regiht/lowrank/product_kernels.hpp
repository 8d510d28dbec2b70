#pragma once

#include "regiht/kernels/simd.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank::kernels {

/// A matrix by its first entry and by how far apart rows and columns lie.
struct Strided {
  const double* data;
  Index row, col;

  REGIHT_INLINE double operator()(Index i, Index j) const { return data[i * row + j * col]; }
};

/// Adds to `rows` rows and 4·columns columns of a product, whose sums stay in registers.
template <int rows, int columns>
REGIHT_INLINE void add_tile(Index inner, const Strided& a, const double* b, Index b_row,
                            double* out, Index out_row) {
  Double4 sums[rows][columns] = {};
  Double4 factor{}, row[columns] = {};
  for (Index k = 0; k < inner; ++k) {
    for (int c = 0; c < columns; ++c) load(b + k * b_row + 4 * c, row[c]);
    for (int i = 0; i < rows; ++i) {
      broadcast(a(i, k), factor);
      for (int c = 0; c < columns; ++c) sums[i][c] += factor * row[c];
    }
  }
  Double4 before;
  for (int i = 0; i < rows; ++i)
    for (int c = 0; c < columns; ++c) {
      load(out + i * out_row + 4 * c, before);
      before += sums[i][c];
      store(before, out + i * out_row + 4 * c);
    }
}

template <int rows>
REGIHT_INLINE void add_stripe(Index cols, Index inner, const Strided& a, const double* b,
                              Index b_row, double* out, Index out_row) {
  Index j = 0;
  for (; j + 8 <= cols; j += 8) add_tile<rows, 2>(inner, a, b + j, b_row, out + j, out_row);
  if (j + 4 <= cols) {
    add_tile<rows, 1>(inner, a, b + j, b_row, out + j, out_row);
    j += 4;
  }
  for (; j < cols; ++j)
    for (int i = 0; i < rows; ++i) {
      double total = 0.0;
      for (Index k = 0; k < inner; ++k) total += a(i, k) * b[k * b_row + j];
      out[i * out_row + j] += total;
    }
}

/// out += A · B with B and out row by row. Each entry is one sum in the order of the inner index,
/// wherever it stands and however the rows are dealt out.
REGIHT_WIDE inline void add_product(Index rows, Index cols, Index inner, Strided a, const double* b,
                                    Index b_row, double* out, Index out_row) {
  Index i = 0;
  for (; i + 4 <= rows; i += 4)
    add_stripe<4>(cols, inner, {a.data + i * a.row, a.row, a.col}, b, b_row, out + i * out_row,
                  out_row);
  for (; i < rows; ++i)
    add_stripe<1>(cols, inner, {a.data + i * a.row, a.row, a.col}, b, b_row, out + i * out_row,
                  out_row);
}

}}}  // namespace regiht::REGIHT_ABI::lowrank::kernels
