#pragma once

#include <limits>
#include <optional>

#include "regiht/status.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The outcome of a refit.
struct Refit {
  double value = 0.0;                  ///< f at the point reached
  bool rank_deficient = false;         ///< the minimum is not unique; this is the one of least norm
  bool attained = true;                ///< false: f was still falling when steps or range ran out
  bool finite = true;                  ///< false: the gradient there is not finite
  std::optional<Status> interruption;  ///< the observer's status, if it interrupted
};

/// When a refit may end.
struct RefitGoal {
  double tolerance = 0.0;  ///< stop when a step promises less than this times |f|
  /// Give up when f is unlikely to reach this value.
  double abandon_above = std::numeric_limits<double>::infinity();
  /// Whether to start from second derivatives of an earlier refit of the same f.
  bool reuse = false;
};

}}  // namespace regiht::REGIHT_ABI
