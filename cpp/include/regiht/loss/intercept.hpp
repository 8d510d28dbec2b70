#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "regiht/kernels/vector.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The intercept b of a linear model, never penalised, and profiled out: at every x it is the b
/// that minimises the loss of Ax + b.
///
/// min_b f(x, b) is convex in x, and its gradient is that of f in x at the best b. So a solver sees
/// an ordinary objective of x, and nothing but the model knows that there is an intercept.
///
/// The search for it always begins at the best b of x = 0, so that b is the same to the last bit
/// whenever the model comes to the same x.
class Intercept {
 public:
  double value() const { return value_; }

  /// How often the last search evaluated the loss of all samples.
  int evaluations() const { return evaluations_; }

  /// Where the search begins.
  double start() const { return start_; }

  /// Takes the present b, and the curvature there, as the start of every search.
  void begin_here() {
    start_ = value_;
    start_curvature_ = curvature_;
  }

  /// Goes to the best b and returns the loss there. `at` evaluates the samples, which are predicted
  /// with the b of the start: `at.evaluate(move)` adds to all predictions and returns the loss,
  /// `slope()` and `magnitude()` are the sums of its derivatives and of their sizes there, and
  /// `curvature()` that of the second derivatives.
  ///
  /// Newton steps, with the secant for the curvature as long as they gain, within the bracket of
  /// the slope's sign.
  template <class Evaluation>
  double settle(Evaluation& at) {
    value_ = start_;
    curvature_ = start_curvature_;
    double lower = -infinity, upper = infinity;  // the slope is negative at one, positive at other
    double reach = std::max(1.0, std::abs(value_));
    double total = at.evaluate(0.0);
    double slope = at.slope();
    evaluations_ = 1;
    int slow_steps = 0;
    while (evaluations_ < most_evaluations) {
      if (std::isnan(slope) || is_zero(slope, at.magnitude())) break;
      (slope < 0.0 ? lower : upper) = value_;
      if ((slow_steps > 0 || !(curvature_ > 0.0)) && std::isfinite(slope))
        curvature_ = at.curvature();
      double next = value_ - slope / curvature_;
      if (slow_steps > 2 || !(next > lower && next < upper)) next = 0.5 * (lower + upper);
      if (!std::isfinite(next) || std::abs(next - value_) > reach) {
        next = slope < 0.0 ? std::min(value_ + reach, upper) : std::max(value_ - reach, lower);
        reach *= 2.0;
      }
      const double move = next - value_;
      if (move == 0.0 || next == lower || next == upper) break;
      total = at.evaluate(move);
      ++evaluations_;
      const double next_slope = at.slope();
      const double secant = (next_slope - slope) / move;
      curvature_ = std::isfinite(secant) ? secant : 0.0;
      slow_steps = std::abs(next_slope) > 0.3 * std::abs(slope) ? slow_steps + 1 : 0;
      slope = next_slope;
      value_ = next;
    }
    return total;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr int most_evaluations = 100;

  /// What is left of a sum that should be zero, against the sum of the magnitudes.
  static constexpr double tolerance = 1e-13;

  static bool is_zero(double slope, double magnitude) {
    return std::abs(slope) <= tolerance * magnitude && std::isfinite(magnitude);
  }

  int evaluations_ = 0;
  double start_ = 0.0, value_ = 0.0;
  double start_curvature_ = 0.0, curvature_ = 0.0;  // of the loss in b; zero if it is not known
};

/// Samples whose predictions move together, for the search of an intercept.
class ShiftedSamples {
 public:
  /// Of predictions and derivatives that the caller keeps.
  ShiftedSamples(const Loss& loss, VectorView prediction, ConstVectorView target,
                 const double* weights, VectorView derivative, int threads)
      : loss_(loss),
        prediction_(prediction),
        target_(target),
        weights_(weights),
        derivative_(derivative),
        threads_(threads) {}

  double evaluate(double move) {
    if (move != 0.0) prediction_.array() += move;
    return loss_.evaluate(samples(), derivative_, threads_);
  }

  double slope() const { return kernels::sum(derivative_.size(), derivative_.data()); }

  double magnitude() const {
    return kernels::sum_of(derivative_.size(), [&](Index i) { return std::abs(derivative_[i]); });
  }

  double curvature() const {
    Vector each(prediction_.size());
    loss_.curvature(samples(), each);
    return kernels::sum(each.size(), each.data());
  }

 private:
  Samples samples() const { return {prediction_, target_, weights_}; }

  const Loss& loss_;
  VectorView prediction_;
  ConstVectorView target_;
  const double* weights_;
  VectorView derivative_;
  int threads_;
};

}}  // namespace regiht::REGIHT_ABI
