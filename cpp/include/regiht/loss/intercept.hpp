#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "regiht/kernels/vector.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The intercept b of a linear model, unpenalised and profiled out: at every x it minimises the
/// loss of Ax + b.
///
/// min_b f(x, b) is convex in x, and its gradient is that of f in x at the best b. So solvers see
/// an ordinary objective of x, and only the model knows of the intercept.
///
/// The search for b always starts at the best b of x = 0, so that b is bitwise the same whenever
/// the model returns to the same x.
class Intercept {
 public:
  double value() const { return value_; }

  /// The number of loss evaluations in the last search.
  int evaluations() const { return evaluations_; }

  /// Where every search starts.
  double start() const { return start_; }

  /// Makes the current b the start of every search.
  void begin_here() { start_ = value_; }

  /// Moves to the best b and returns the loss there. `at` holds samples predicted with b = start():
  /// `at.look(shift)` returns the slopes where all predictions are higher by `shift`, and
  /// `at.evaluate(shift)` puts them there and returns the loss; `slope()` and `magnitude()` then
  /// sum the derivatives that it found.
  ///
  /// One Newton step, then interpolation of b as a cubic of the slope through the last two points,
  /// with Newton steps or bisection where that fails, all within the bracket given by the slope's
  /// sign. Only the last steps are evaluated in full.
  template <class Evaluation>
  double settle(Evaluation& at) {
    double lower = -infinity, upper = infinity;  // slopes negative and positive
    const Slopes first = at.look(0.0);
    Place before{}, here{start_, first.slope, first.curvature};
    double magnitude = first.magnitude, reach = std::max(1.0, std::abs(start_)), total = 0.0;
    bool is_evaluated = false;
    evaluations_ = 1;
    int slow_steps = 0;
    while (evaluations_ < most_evaluations) {
      if (std::isnan(here.slope)) break;
      if (is_evaluated && is_within(here.slope, nearly_zero, magnitude)) magnitude = at.magnitude();
      if (is_within(here.slope, zero, magnitude)) break;
      if (is_evaluated) here.curvature = at.look(here.b - start_).curvature;
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
      is_evaluated = is_within(here.slope, one_step_from_zero, magnitude);
      if (is_evaluated) {
        total = at.evaluate(next - start_);
        here = {next, at.slope(), 0.0};
      } else {
        const Slopes found = at.look(next - start_);
        here = {next, found.slope, found.curvature};
        magnitude = found.magnitude;
      }
      ++evaluations_;
      slow_steps = std::abs(here.slope) > 0.3 * std::abs(before.slope) ? slow_steps + 1 : 0;
    }
    value_ = here.b;
    return is_evaluated ? total : at.evaluate(here.b - start_);
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr int most_evaluations = 100;

  // Sizes of slopes, relative to the sum of magnitudes.
  static constexpr double zero = 1e-13;               ///< counts as none
  static constexpr double nearly_zero = 1e3 * zero;   ///< the magnitudes are summed again
  static constexpr double one_step_from_zero = 1e-5;  ///< the next step may be the last

  static bool is_within(double slope, double tolerance, double magnitude) {
    return std::abs(slope) <= tolerance * magnitude && std::isfinite(magnitude);
  }

  /// The slope and curvature of the loss at some b.
  struct Place {
    double b, slope, curvature;
  };

  static double newton(const Place& at) { return at.b - at.slope / at.curvature; }

  /// The b of zero slope, with b a cubic in the slope.
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

/// Samples whose predictions shift together, for Intercept::settle().
class ShiftedSamples {
 public:
  /// Borrows everything, and updates predictions and derivatives in place.
  ShiftedSamples(const Loss& loss, VectorView prediction, ConstVectorView target,
                 const double* weights, VectorView derivative, int threads)
      : loss_(loss),
        prediction_(prediction),
        target_(target),
        weights_(weights),
        derivative_(derivative),
        threads_(threads) {}

  Slopes look(double shift) const { return loss_.slopes(samples(), shift - shift_, threads_); }

  double evaluate(double shift) {
    if (shift != shift_) prediction_.array() += shift - shift_;
    shift_ = shift;
    return loss_.evaluate(samples(), derivative_, threads_);
  }

  double slope() const { return kernels::sum(derivative_.size(), derivative_.data()); }

  double magnitude() const {
    return kernels::sum_of_magnitudes(derivative_.size(), derivative_.data());
  }

 private:
  Samples samples() const { return {prediction_, target_, weights_}; }

  const Loss& loss_;
  VectorView prediction_;
  ConstVectorView target_;
  const double* weights_;
  VectorView derivative_;
  int threads_;
  double shift_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
