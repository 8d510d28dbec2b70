#pragma once

#include <cmath>
#include <limits>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The norm of a vector of so many entries, of which each may have lost a square to underflow.
inline double underflow_norm(Index entries) {
  return std::sqrt(static_cast<double>(entries) * std::numeric_limits<double>::min());
}

}}  // namespace regiht::REGIHT_ABI
