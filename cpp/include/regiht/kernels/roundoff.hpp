#pragma once

#include <cmath>
#include <limits>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A bound on the norm lost when the squares of this many entries underflow.
inline double underflow_norm(Index entries) {
  return std::sqrt(static_cast<double>(entries) * std::numeric_limits<double>::min());
}

}}  // namespace regiht::REGIHT_ABI
