#pragma once

#include <cmath>

#include "regiht/loss/loss.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// ½(z − b)².
struct Squared {
  static constexpr std::string_view name = "squared";
  static constexpr Targets targets = Targets::real;
  static constexpr Link link = Link::identity;
  static constexpr std::string_view predictor = "prediction";
  static constexpr Likelihood likelihood = Likelihood::unknown_variance;
  static constexpr bool is_quadratic = true;
  static constexpr double max_curvature = 1.0;

  static Sample at(double z, double b) {
    const double residual = z - b;
    return {0.5 * residual * residual, residual};
  }
  static double curvature(double, double) { return 1.0; }

  // ½u² + b·u.
  static Conjugate conjugate(double u, double b) {
    return {u * (0.5 * u + b), std::abs(u) * (0.5 * std::abs(u) + std::abs(b))};
  }
};

}}  // namespace regiht::REGIHT_ABI
