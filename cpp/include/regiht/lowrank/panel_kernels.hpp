#pragma once

#include <cstdint>

#include "regiht/kernels/simd.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank::kernels {

using EntryIndex = std::int32_t;

// A panel is some rows of a factor one after the other, each filled up with zeros to `stride`
// numbers, a multiple of four. Small enough for the first cache, it is read as often as needed.

inline constexpr Index rows_of_panel = 64;

inline Index panel_stride(Index width) { return (width + 3) / 4 * 4; }

REGIHT_WIDE inline void gather_panel(Index count, const EntryIndex* others, Index width,
                                     Index stride, const double* block, double* panel) {
  for (Index e = 0; e < count; ++e) {
    const double* row = block + others[e] * width;
    double* out = panel + e * stride;
    for (Index k = 0; k < width; ++k) out[k] = row[k];
    for (Index k = width; k < stride; ++k) out[k] = 0.0;
  }
}

/// out = each row of the panel times its factor.
REGIHT_WIDE inline void scale_panel(Index count, Index stride, const double* factors,
                                    const double* panel, double* out) {
  for (Index e = 0; e < count; ++e)
    for (Index k = 0; k < stride; ++k) out[e * stride + k] = factors[e] * panel[e * stride + k];
}

/// out[e] = ⟨row e of the panel, x⟩.
REGIHT_WIDE inline void panel_times(Index count, Index stride, const double* panel, const double* x,
                                    double* out) {
  for (Index e = 0; e < count; ++e) {
    Double4 total{}, a, b;
    for (Index k = 0; k < stride; k += 4) {
      load(panel + e * stride + k, a);
      load(x + k, b);
      total += a * b;
    }
    out[e] = (total[0] + total[2]) + (total[1] + total[3]);
  }
}

/// out += Σ factors[e] · (row e of the panel).
REGIHT_WIDE inline void add_panel_rows(Index count, Index stride, const double* factors,
                                       const double* panel, double* out) {
  for (Index k = 0; k < stride; k += 4) {
    Double4 total, a, factor{};
    load(out + k, total);
    for (Index e = 0; e < count; ++e) {
      load(panel + e * stride + k, a);
      broadcast(factors[e], factor);
      total += factor * a;
    }
    store(total, out + k);
  }
}

/// Adds to four rows and 4·columns columns of a Gram matrix, whose sums stay in registers.
template <int columns>
REGIHT_INLINE void add_gram_tile(Index count, Index stride, const double* left, const double* right,
                                 double* gram) {
  Double4 sums[4][columns] = {};
  Double4 factor{}, row[columns] = {};
  for (Index e = 0; e < count; ++e) {
    for (int c = 0; c < columns; ++c) load(right + e * stride + 4 * c, row[c]);
    for (int i = 0; i < 4; ++i) {
      broadcast(left[e * stride + i], factor);
      for (int c = 0; c < columns; ++c) sums[i][c] += factor * row[c];
    }
  }
  Double4 before;
  for (int i = 0; i < 4; ++i)
    for (int c = 0; c < columns; ++c) {
      load(gram + i * stride + 4 * c, before);
      before += sums[i][c];
      store(before, gram + i * stride + 4 * c);
    }
}

/// Upper triangle of gram (stride × stride, row by row) += Σ (row e of left)ᵀ(row e of right); the
/// sum must be symmetric. Some of what is below the diagonal changes too.
REGIHT_WIDE inline void add_panel_gram(Index count, Index stride, const double* left,
                                       const double* right, double* gram) {
  for (Index k = 0; k < stride; k += 4) {
    Index l = k;
    for (; l + 8 <= stride; l += 8)
      add_gram_tile<2>(count, stride, left + k, right + l, gram + k * stride + l);
    if (l < stride) add_gram_tile<1>(count, stride, left + k, right + l, gram + k * stride + l);
  }
}

/// x = (upper triangle of the symmetric matrix)⁻¹ · x. The matrix, which should be definite, is
/// overwritten. Where a pivot is not positive, x gets no part in that direction.
REGIHT_WIDE inline void solve_symmetric(Index size, Index stride, double* matrix, double* x) {
  for (Index k = 0; k < size; ++k) {
    double* row = matrix + k * stride;
    const double inverse = row[k] > 0.0 ? 1.0 / row[k] : 0.0;
    for (Index i = k + 1; i < size; ++i) {
      const double factor = row[i] * inverse;
      double* below = matrix + i * stride;
      for (Index l = i; l < size; ++l) below[l] -= factor * row[l];
      x[i] -= factor * x[k];
    }
    row[k] = inverse;
  }
  for (Index k = size; k-- > 0;) {
    const double* row = matrix + k * stride;
    double total = x[k];
    for (Index l = k + 1; l < size; ++l) total -= row[l] * x[l];
    x[k] = total * row[k];
  }
}

}}}  // namespace regiht::REGIHT_ABI::lowrank::kernels
