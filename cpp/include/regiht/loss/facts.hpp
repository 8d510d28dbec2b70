#pragma once

#include <string_view>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Which targets a loss is defined for.
enum class Targets {
  real,
  binary,  ///< 0 and 1, for classification
  nonnegative,
};

/// How a prediction z relates to the target.
enum class Link {
  identity,  ///< it is z
  log,       ///< its mean is eᶻ
  logit,     ///< it is 1 with probability 1/(1 + e^−z)
  sign,      ///< it is 1 where z is positive, else 0; no probabilities
};

/// The likelihood behind the summed loss, for criteria that choose the number of features.
enum class Likelihood {
  none,
  exact,             ///< the loss is its negative logarithm, up to a constant
  unknown_variance,  ///< normal errors, at the maximum-likelihood variance
};

/// The properties of a loss, each stated by the loss itself.
struct LossFacts {
  std::string_view name;
  Targets targets;
  Link link;
  std::string_view predictor;  ///< the name of z; {} stands for the label of targets 1
  Likelihood likelihood;
  bool is_quadratic;     ///< the loss is ½a(z − b)², with a the curvature
  double max_curvature;  ///< the largest second derivative in z; may be infinite
};

}}  // namespace regiht::REGIHT_ABI
