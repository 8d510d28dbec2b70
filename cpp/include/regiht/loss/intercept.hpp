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

  /// Takes the present b as the start of every search.
  void begin_here() { start_ = value_; }

  /// Goes to the best b and returns the loss there. `at` evaluates the samples, which are predicted
  /// with the b of the start: `at.evaluate(move)` adds to all predictions and returns the loss,
  /// `slope()` and `magnitude()` are the sums of its derivatives and of their sizes there, and
  /// `curvature()` that of the second derivatives.
  ///
  /// Newton's first step, then b as a cubic of the slope through the last two places, and Newton
  /// steps and halving where that does not gain, all within the bracket of the slope's sign.
  template <class Evaluation>
  double settle(Evaluation& at) {
    double lower = -infinity, upper = infinity;  // the slope is negative at one, positive at other
    double total = at.evaluate(0.0);
    Place before{}, here{start_, at.slope(), at.curvature()};
    double magnitude = at.magnitude(), reach = std::max(1.0, std::abs(start_));
    evaluations_ = 1;
    int slow_steps = 0;
    while (evaluations_ < most_evaluations) {
      if (std::isnan(here.slope)) break;
      if (is_nearly_zero(here.slope, magnitude)) magnitude = at.magnitude();
      if (is_zero(here.slope, magnitude)) break;
      (here.slope < 0.0 ? lower : upper) = here.b;
      double next = evaluations_ > 1 && slow_steps == 0 ? interpolated(before, here) : newton(here);
      if (!(next > lower && next < upper)) next = newton(here);
      if (slow_steps > 2 || !(next > lower && next < upper)) next = 0.5 * (lower + upper);
      if (!std::isfinite(next) || std::abs(next - here.b) > reach) {
        next = here.slope < 0.0 ? std::min(here.b + reach, upper) : std::max(here.b - reach, lower);
        reach *= 2.0;
      }
      if (next == here.b || next == lower || next == upper) break;
      before = here;
      total = at.evaluate(next - here.b);
      here = {next, at.slope(), at.curvature()};
      ++evaluations_;
      slow_steps = std::abs(here.slope) > 0.3 * std::abs(before.slope) ? slow_steps + 1 : 0;
    }
    value_ = here.b;
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

  /// Whether magnitudes, which change little, should be summed again.
  static bool is_nearly_zero(double slope, double magnitude) {
    return !(std::abs(slope) > 1e3 * tolerance * magnitude);
  }

  /// What the loss is like at some b.
  struct Place {
    double b, slope, curvature;
  };

  static double newton(const Place& at) { return at.b - at.slope / at.curvature; }

  /// The b of slope zero, b being a cubic of the slope.
  static double interpolated(const Place& before, const Place& here) {
    const double gap = here.slope - before.slope;
    const double back = here.slope / gap;  // the part of the gap from here to zero
    const double square = back * back, rest = 1.0 - back;
    return here.b +
           ((3.0 - 2.0 * back) * square * (before.b - here.b) +
            gap * (rest * square / before.curvature - rest * rest * back / here.curvature));
  }

  int evaluations_ = 0;
  double start_ = 0.0, value_ = 0.0;
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
    return kernels::sum_of_magnitudes(derivative_.size(), derivative_.data());
  }

  double curvature() const { return loss_.total_curvature(samples(), derivative_); }

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
