#pragma once

#include <cmath>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/list_large.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// A column can matter if |newer·g₀ⱼ + older·g₁ⱼ| + ‖aⱼ‖·distance + ‖āⱼ‖·rounding reaches the
/// magnitude.
struct ColumnBound {
  double newer, older, distance, rounding, magnitude;
};

/// Lists the columns that can matter.
REGIHT_WIDE inline Index list_reaching(const ColumnBound& bound, Index cols, const double* newer,
                                       const double* older, const double* norms,
                                       const double* roundoff_norms, Index limit, Index* out) {
  const ColumnBound b = bound;
  return list_where(cols, b.magnitude, limit, out, [=](Index j) REGIHT_LAMBDA {
    return std::abs(b.newer * newer[j] + b.older * older[j]) + norms[j] * b.distance +
           roundoff_norms[j] * b.rounding;
  });
}

}  // namespace regiht
