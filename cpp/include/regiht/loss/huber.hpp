#pragma once

#include <algorithm>
#include <cmath>

#include "regiht/loss/loss.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// ½r² for |r| ≤ δ, else δ|r| − ½δ², with r = z − b and δ = 1.35: scale the target so that its
/// noise is about one.
struct Huber {
  static constexpr std::string_view name = "huber";
  static constexpr Targets targets = Targets::real;
  static constexpr Link link = Link::identity;
  static constexpr std::string_view predictor = "prediction";
  // Of the density exp(−loss), for noise of scale one.
  static constexpr Likelihood likelihood = Likelihood::exact;
  static constexpr bool is_quadratic = false;
  static constexpr double max_curvature = 1.0;
  static constexpr double delta = 1.35;

  static Sample at(double z, double b) {
    const double residual = z - b;
    const double size = std::abs(residual);
    if (size <= delta) return {0.5 * residual * residual, residual};
    return {delta * (size - 0.5 * delta), std::copysign(delta, residual)};
  }
  static double curvature(double z, double b) { return std::abs(z - b) <= delta ? 1.0 : 0.0; }
  static double majorizing_curvature(double z, double b) {
    return delta / std::max(delta, std::abs(z - b));
  }

  // ½u² + b·u for |u| ≤ δ.
  static Conjugate conjugate(double u, double b) {
    if (!(std::abs(u) <= delta)) return no_conjugate;
    return {u * (0.5 * u + b), std::abs(u) * (0.5 * std::abs(u) + std::abs(b))};
  }
};

}}  // namespace regiht::REGIHT_ABI
