#pragma once

#include <cmath>

#include "regiht/dispatch.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// A column can matter if |newer·g₀ⱼ + older·g₁ⱼ| + ‖aⱼ‖·distance + ‖āⱼ‖·rounding reaches the
/// magnitude.
struct ColumnBound {
  double newer, older, distance, rounding, magnitude;
};

/// Lists the columns that can matter, in order, and returns how many they are; gives up when they
/// are more than `limit`. `out` has room for all.
REGIHT_WIDE inline Index list_reaching(const ColumnBound& bound, Index cols, const double* newer,
                                       const double* older, const double* norms,
                                       const double* magnitudes, Index limit, Index* out) {
  const ColumnBound b = bound;
  const auto reach = [=](Index j) REGIHT_LAMBDA {
    return std::abs(b.newer * newer[j] + b.older * older[j]) + norms[j] * b.distance +
           magnitudes[j] * b.rounding;
  };
  constexpr Index block = 16;  // looked at as a whole first
  double reaches[block];
  Index count = 0, j = 0;
  for (; j + block <= cols && count <= limit; j += block) {
    Index below = 0;
    for (Index k = 0; k < block; ++k) {
      reaches[k] = reach(j + k);
      below += reaches[k] < b.magnitude;
    }
    if (below == block) continue;
    for (Index k = 0; k < block; ++k) {
      out[count] = j + k;
      count += !(reaches[k] < b.magnitude);
    }
  }
  for (; j < cols && count <= limit; ++j)
    if (!(reach(j) < b.magnitude)) out[count++] = j;
  return count;
}

}  // namespace regiht
