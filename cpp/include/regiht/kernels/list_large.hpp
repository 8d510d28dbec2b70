#pragma once

#include <cmath>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Lists in order the j < n for which reach(j) is not below the magnitude and returns their number;
/// gives up beyond `limit`. `out` must have room for n.
template <class Reach>
REGIHT_INLINE Index list_where(Index n, double magnitude, Index limit, Index* out, Reach&& reach) {
  constexpr Index block = 16;  // checked as a whole first
  double reaches[block];
  Index count = 0, j = 0;
  for (; j + block <= n && count <= limit; j += block) {
    Index below = 0;
    for (Index k = 0; k < block; ++k) {
      reaches[k] = reach(j + k);
      below += reaches[k] < magnitude;
    }
    if (below == block) continue;
    for (Index k = 0; k < block; ++k) {
      out[count] = j + k;
      count += !(reaches[k] < magnitude);
    }
  }
  for (; j < n && count <= limit; ++j)
    if (!(reach(j) < magnitude)) out[count++] = j;
  return count;
}

/// Lists the entries of at least a magnitude, including NaN.
REGIHT_WIDE inline Index list_large(Index n, const double* v, double magnitude, Index* out) {
  return list_where(n, magnitude, n, out, [=](Index j) REGIHT_LAMBDA { return std::abs(v[j]); });
}

}}  // namespace regiht::REGIHT_ABI
