#pragma once

#include <cmath>

#include "regiht/loss/loss.hpp"

namespace regiht {

/// log(1 + eᶻ) − b·z with b in {0, 1}.
struct Logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr Targets targets = Targets::binary;
  static constexpr double max_curvature = 0.25;

  // With m = (1 − 2b)z the loss is log(1 + eᵐ): e^−|m| never overflows, and nothing cancels.
  static Sample at(double z, double b) {
    const double sign = 1.0 - 2.0 * b;
    const double margin = sign * z;
    const double decay = std::exp(-std::abs(margin));
    const double value = std::max(margin, 0.0) + std::log1p(decay);
    const double probability = (margin >= 0.0 ? 1.0 : decay) / (1.0 + decay);
    return {value, sign * probability};
  }
  static double curvature(double z, double) {
    const double decay = std::exp(-std::abs(z));
    return decay / ((1.0 + decay) * (1.0 + decay));
  }
};

}  // namespace regiht
