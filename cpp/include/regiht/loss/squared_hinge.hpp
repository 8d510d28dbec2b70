#pragma once

#include <algorithm>

#include "regiht/loss/loss.hpp"

namespace regiht {

/// ½·max(0, 1 − (2b − 1)z)² with b in {0, 1}.
struct SquaredHinge {
  static constexpr std::string_view name = "squared-hinge";
  static constexpr Targets targets = Targets::binary;
  static constexpr double max_curvature = 1.0;

  static Sample at(double z, double b) {
    const double sign = 2.0 * b - 1.0;
    const double violation = std::max(0.0, 1.0 - sign * z);
    return {0.5 * violation * violation, -sign * violation};
  }
  static double curvature(double z, double b) { return (2.0 * b - 1.0) * z < 1.0 ? 1.0 : 0.0; }
};

}  // namespace regiht
