#pragma once

#include <string_view>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Which targets a loss is defined for.
enum class Targets {
  real,
  binary,  ///< 0 and 1: a loss for classes
  nonnegative,
};

/// What a prediction z says of the target.
enum class Link {
  identity,  ///< it is z
  log,       ///< its mean is eᶻ
  logit,     ///< it is 1 with probability 1/(1 + e^−z)
  sign,      ///< it is 1 rather than 0 where z is positive; there are no probabilities
};

/// Which likelihood belongs to the summed loss, for criteria that choose the number of features.
enum class Likelihood {
  none,
  exact,             ///< the loss is minus its logarithm, up to a constant
  unknown_variance,  ///< of normal errors, at the most likely variance
};

/// What all that is built around losses needs to know of one. A loss states every fact itself.
struct LossFacts {
  std::string_view name;
  Targets targets;
  Link link;
  std::string_view predictor;  ///< what z is called; {} stands for the label of targets 1
  Likelihood likelihood;
  bool is_quadratic;     ///< ½a(z − b)², with a the curvature
  double max_curvature;  ///< largest second derivative in z; infinite if there is none
};

}}  // namespace regiht::REGIHT_ABI
