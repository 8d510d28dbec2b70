#pragma once

#include <algorithm>

#include "regiht/kernels/simd.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace kernels {

/// Columns of doubles whose first entries are `stride` apart.
struct Columns {
  const double* data;
  Index count, stride;

  /// Column k, clamped to the last one.
  REGIHT_INLINE const double* at(Index k) const { return data + std::min(k, count - 1) * stride; }
};

/// out[c][r] = ⟨aᵣ, b_c⟩ over n rows for four columns a and two columns b; sums stay in registers.
REGIHT_INLINE void column_tile(Index n, const double* const* a, const double* const* b,
                               double (*out)[4]) {
  Double4 sums[2][4] = {};
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    Double4 b0, b1, entries;
    load(b[0] + i, b0);
    load(b[1] + i, b1);
    for (int r = 0; r < 4; ++r) {
      load(a[r] + i, entries);
      sums[0][r] += entries * b0;
      sums[1][r] += entries * b1;
    }
  }
  for (int c = 0; c < 2; ++c)
    for (int r = 0; r < 4; ++r) {
      const Double4& sum = sums[c][r];
      double total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
      for (Index rest = i; rest < n; ++rest) total += a[r][rest] * b[c][rest];
      out[c][r] = total;
    }
}

/// out(k, l) += ⟨aₖ, bₗ⟩ over n rows, with column-major out, at least for all k < most(l), which
/// must not decrease with l.
template <class Most>
REGIHT_INLINE void add_tiles(Index n, const Columns& a, const Columns& b, double* out,
                             Index out_stride, Most&& most) {
  for (Index l = 0; l < b.count; l += 2) {
    const double* two[2] = {b.at(l), b.at(l + 1)};
    const Index width = std::min<Index>(2, b.count - l);
    const Index end = std::min(a.count, most(l + width - 1));
    for (Index k = 0; k < end; k += 4) {
      const double* four[4] = {a.at(k), a.at(k + 1), a.at(k + 2), a.at(k + 3)};
      double tile[2][4];
      column_tile(n, four, two, tile);
      for (Index c = 0; c < width; ++c)
        for (Index r = 0; r < std::min<Index>(4, a.count - k); ++r)
          out[(l + c) * out_stride + k + r] += tile[c][r];
    }
  }
}

/// out += AᵀB over n rows.
REGIHT_WIDE inline void add_column_products(Index n, Columns a, Columns b, double* out,
                                            Index out_stride) {
  add_tiles(n, a, b, out, out_stride, [=](Index) REGIHT_LAMBDA { return a.count; });
}

/// The same where only entries up to row `diagonal` + l of column l matter; some others are updated
/// too.
REGIHT_WIDE inline void add_upper_column_products(Index n, Columns a, Columns b, Index diagonal,
                                                  double* out, Index out_stride) {
  add_tiles(n, a, b, out, out_stride, [=](Index l) REGIHT_LAMBDA { return diagonal + l + 1; });
}

}}}  // namespace regiht::REGIHT_ABI::kernels
