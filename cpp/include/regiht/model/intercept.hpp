#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "regiht/kernels/vector.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/types.hpp"

namespace regiht {

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

  /// Goes to the best b and returns the loss there, given samples predicted with that of the start.
  /// The predictions and the derivatives end up as those with the new b.
  ///
  /// Newton steps, with the secant for the curvature as long as they gain, and with the bracket of
  /// the slope's sign around them.
  double settle(const Loss& loss, const Samples& samples, VectorView prediction,
                VectorView derivative, int threads) {
    value_ = start_;
    curvature_ = start_curvature_;
    double lower = -infinity, upper = infinity;  // the slope is negative at one, positive at other
    double reach = std::max(1.0, std::abs(value_));
    double total = loss.evaluate(samples, derivative, threads);
    double slope = sum(derivative);
    evaluations_ = 1;
    int slow_steps = 0;
    while (evaluations_ < most_evaluations) {
      if (std::isnan(slope) || is_zero(slope, derivative)) break;
      (slope < 0.0 ? lower : upper) = value_;
      if ((slow_steps > 0 || !(curvature_ > 0.0)) && std::isfinite(slope))
        measure_curvature(loss, samples);
      double next = value_ - slope / curvature_;
      if (slow_steps > 2 || !(next > lower && next < upper)) next = 0.5 * (lower + upper);
      if (!std::isfinite(next) || std::abs(next - value_) > reach) {
        next = slope < 0.0 ? std::min(value_ + reach, upper) : std::max(value_ - reach, lower);
        reach *= 2.0;
      }
      const double move = next - value_;
      if (move == 0.0 || next == lower || next == upper) break;
      prediction.array() += move;
      total = loss.evaluate(samples, derivative, threads);
      ++evaluations_;
      const double next_slope = sum(derivative);
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

  void measure_curvature(const Loss& loss, const Samples& samples) {
    scratch_.resize(samples.prediction.size());
    loss.curvature(samples, scratch_);
    curvature_ = sum(scratch_);
  }

  static double sum(ConstVectorView v) { return kernels::sum(v.size(), v.data()); }

  static bool is_zero(double slope, ConstVectorView derivative) {
    const double size =
        kernels::sum_of(derivative.size(), [&](Index i) { return std::abs(derivative[i]); });
    return std::abs(slope) <= tolerance * size && std::isfinite(size);
  }

  int evaluations_ = 0;
  Vector scratch_;
  double start_ = 0.0, value_ = 0.0;
  double start_curvature_ = 0.0, curvature_ = 0.0;  // of the loss in b; zero if it is not known
};

}  // namespace regiht
