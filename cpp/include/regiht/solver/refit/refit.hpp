#pragma once

#include <limits>
#include <optional>

#include "regiht/status.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// What came of a refit.
struct Refit {
  double value = 0.0;                  ///< f at the point reached
  bool rank_deficient = false;         ///< the minimum is not unique; this is the one of least norm
  bool attained = true;                ///< false: f still fell when steps or numbers ran out
  bool finite = true;                  ///< false: the gradient at the point reached is not
  std::optional<Status> interruption;  ///< what the observer asked to stop with, if it did
};

/// When a refit may end.
struct RefitGoal {
  double tolerance = 0.0;  ///< when a step promises less than this times |f|
  /// When f will hardly come down to this value.
  double abandon_above = std::numeric_limits<double>::infinity();
  /// Whether second derivatives of an earlier refit, of the same f, may serve for a start.
  bool reuse = false;
};

}}  // namespace regiht::REGIHT_ABI
