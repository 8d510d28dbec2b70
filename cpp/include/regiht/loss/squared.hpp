#pragma once

#include "regiht/loss/loss.hpp"

namespace regiht {

/// ½(z − b)².
struct Squared {
  static constexpr std::string_view name = "squared";
  static constexpr Targets targets = Targets::real;
  static constexpr double max_curvature = 1.0;

  static Sample at(double z, double b) {
    const double residual = z - b;
    return {0.5 * residual * residual, residual};
  }
  static double curvature(double, double) { return 1.0; }
};

}  // namespace regiht
