#pragma once

#include <algorithm>

#include "regiht/loss/loss.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// ½·max(0, 1 − (2b − 1)z)² with b in {0, 1}.
struct SquaredHinge {
  static constexpr std::string_view name = "squared-hinge";
  static constexpr Targets targets = Targets::binary;
  static constexpr Link link = Link::sign;
  static constexpr std::string_view predictor = "score of {}";
  static constexpr Likelihood likelihood = Likelihood::none;
  static constexpr bool is_quadratic = false;
  static constexpr double max_curvature = 1.0;

  static Sample at(double z, double b) {
    const double sign = 2.0 * b - 1.0;
    const double violation = std::max(0.0, 1.0 - sign * z);
    return {0.5 * violation * violation, -sign * violation};
  }
  static double curvature(double z, double b) { return (2.0 * b - 1.0) * z < 1.0 ? 1.0 : 0.0; }

  // ½v² − v for the violation v = −(2b − 1)u ≥ 0.
  static Conjugate conjugate(double u, double b) {
    const double violation = (1.0 - 2.0 * b) * u;
    if (!(violation >= 0.0)) return no_conjugate;
    return {violation * (0.5 * violation - 1.0), violation * (0.5 * violation + 1.0)};
  }
};

}}  // namespace regiht::REGIHT_ABI
