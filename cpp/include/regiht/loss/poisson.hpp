#pragma once

#include <cmath>
#include <limits>

#include "regiht/loss/loss.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// eᶻ − b·z with b ≥ 0: for counts with mean eᶻ, omitting the constant log b!.
struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr Targets targets = Targets::nonnegative;
  static constexpr Link link = Link::log;
  static constexpr std::string_view predictor = "log(expected count)";
  static constexpr Likelihood likelihood = Likelihood::exact;
  static constexpr bool is_quadratic = false;
  static constexpr double max_curvature = std::numeric_limits<double>::infinity();

  static Sample at(double z, double b) {
    const double mean = std::exp(z);
    return {mean - b * z, mean - b};
  }
  static double curvature(double z, double) { return std::exp(z); }

  // m·log m − m for the mean m = u + b ≥ 0.
  static Conjugate conjugate(double u, double b) {
    const double mean = u + b;
    if (!(mean >= 0.0)) return no_conjugate;
    if (mean == 0.0) return {0.0, 0.0};
    const double logarithm = std::log(mean);
    return {mean * (logarithm - 1.0), mean * (std::abs(logarithm) + 1.0)};
  }
};

}}  // namespace regiht::REGIHT_ABI
