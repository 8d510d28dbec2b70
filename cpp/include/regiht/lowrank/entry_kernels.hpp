#pragma once

#include "regiht/lowrank/panel_kernels.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank::kernels {

/// Where an entry stands among all of them.
using Position = std::uint32_t;

// All of these go over the observed entries of one row (or of one column, with the roles of the
// factors changed). Each sum has one fixed order.

/// Σ aᵢ bᵢ for short vectors.
REGIHT_INLINE double short_dot(Index n, const double* a, const double* b) {
  double lanes[4] = {0, 0, 0, 0};
  Index i = 0;
  for (; i + 4 <= n; i += 4)
    for (Index k = 0; k < 4; ++k) lanes[k] += a[i + k] * b[i + k];
  double total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  for (; i < n; ++i) total += a[i] * b[i];
  return total;
}

/// predictions[e] = ⟨left, row others[e] of right⟩.
REGIHT_WIDE inline void predict(Index count, const EntryIndex* others, Index rank,
                                const double* left, const double* right, double* predictions) {
  for (Index e = 0; e < count; ++e)
    predictions[e] = short_dot(rank, left, right + others[e] * rank);
}

/// out = Σ values[e] · (row others[e] of block).
REGIHT_WIDE inline void gather(Index count, const EntryIndex* others, const double* values,
                               Index width, const double* block, double* out) {
  for (Index k = 0; k < width; ++k) out[k] = 0.0;
  for (Index e = 0; e < count; ++e) {
    const double value = values[e];
    const double* row = block + others[e] * width;
    for (Index k = 0; k < width; ++k) out[k] += value * row[k];
  }
}

/// The same, the values standing at the positions listed.
REGIHT_WIDE inline void gather_at(Index count, const EntryIndex* others, const Position* positions,
                                  const double* values, Index width, const double* block,
                                  double* out) {
  for (Index k = 0; k < width; ++k) out[k] = 0.0;
  for (Index e = 0; e < count; ++e) {
    const double value = values[positions[e]];
    const double* row = block + others[e] * width;
    for (Index k = 0; k < width; ++k) out[k] += value * row[k];
  }
}

}}}  // namespace regiht::REGIHT_ABI::lowrank::kernels
