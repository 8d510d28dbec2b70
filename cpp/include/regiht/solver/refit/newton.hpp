#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/solver/refit/hessian_cache.hpp"
#include "regiht/solver/refit/newton_system.hpp"
#include "regiht/solver/refit/refit.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Moves x, over the entries that it lists, to the minimum of f there, by damped Newton steps.
///
/// Ends when the goal says so, or when rounding stops the descent. A factorization serves until its
/// steps no longer gain a digit each. Where a slope meets no curvature the steps are those of a
/// quadratic above f, if f knows one, or else of Levenberg and Marquardt. f stands at x afterwards.
class RestrictedMinimizer {
 public:
  explicit RestrictedMinimizer(Observer& observer = no_observer()) : observer_(observer) {}

  Refit operator()(Objective& f, SparseVector& x, const RefitGoal& goal = {}) {
    Refit refit;
    f.expect(x.indices);
    refit.value = f.move_to(x);
    if (x.size() == 0 || !std::isfinite(refit.value)) return refit;
    gradient_.resize(x.size());
    damping_ = 0.0;
    bool fresh = goal.reuse && adapt(f, x);
    double last_predicted_decrease = std::numeric_limits<double>::infinity();
    int steps = most_steps;
    for (int i = 0; i < steps; ++i) {
      if (!evaluate_gradient(f, refit)) return refit;
      if (!fresh && !factorize(f, x)) break;
      Vector step = system_.solve(gradient_);
      double predicted_decrease = -gradient_.dot(step);
      const bool slow = !(predicted_decrease <= 0.1 * last_predicted_decrease);
      if (fresh && !f.is_quadratic() && (slow || needs_own(predicted_decrease, refit, goal))) {
        if (!factorize(f, x)) break;
        step = system_.solve(gradient_);
        predicted_decrease = -gradient_.dot(step);
      }
      fresh = true;
      last_predicted_decrease = predicted_decrease;
      if (!f.is_quadratic() && system_.slopes_where_flat(gradient_)) {
        fresh = false;
        if (descend_majorized(f, x, refit)) {
          steps = most_majorized_steps;
          continue;
        }
        if (descend_damped(f, x, refit)) continue;
        finish(f, x, refit);
        return refit;
      }
      // A Newton step comes down by about half its predicted_decrease.
      if (refit.value - predicted_decrease > goal.abandon_above) return refit;
      if (!(predicted_decrease > goal.tolerance * std::abs(refit.value)) ||
          !descend(f, x, step, predicted_decrease, refit, fresh)) {
        refit.attained = !has_vanished(predicted_decrease, refit);
        if (goal.tolerance == 0.0 && !f.is_quadratic()) sharpen(f, x, refit);
        finish(f, x, refit);
        return refit;
      }
    }
    refit.interruption = observer_.interruption();
    refit.attained = refit.interruption.has_value();
    return refit;
  }

  /// Second derivatives that refits may reuse.
  void remember(const Support& support, const Matrix& hessian) {
    hessian_.remember(support, hessian);
  }

 private:
  // Minima of quadratics above f take more steps, but each of them is sure to descend.
  static constexpr int most_steps = 60, most_majorized_steps = 400;

  /// False if it is not finite, or the observer wants no more.
  bool evaluate_gradient(Objective& f, Refit& refit) {
    refit.interruption = observer_.interruption();
    if (refit.interruption) return false;
    f.gradient_on_support(gradient_);
    refit.finite = gradient_.allFinite();
    if (!refit.finite) refit.attained = false;
    return refit.finite;
  }

  /// False if second derivatives are not finite, or the observer wants no more.
  bool factorize(Objective& f, const SparseVector& x) {
    if (!hessian_.evaluate(f, x.indices, observer_)) return false;
    borrowed_ = false;
    system_.factorize(hessian_.values(), [&](const Matrix& directions, Matrix& out) {
      return f.second_derivatives_along(x.indices, directions, out);
    });
    observer_.spend(system_.work());
    return system_.usable();
  }

  /// Factorizes what is remembered, if that will do: for other points what is flat may be not.
  bool adapt(Objective& f, const SparseVector& x) {
    if (!hessian_.adapt(f, x.indices, observer_)) return false;
    borrowed_ = true;
    system_.factorize(hessian_.values());
    observer_.spend(system_.work());
    return system_.usable() && !system_.seems_deficient();
  }

  /// Whether the end is near and second derivatives are those of another point: the last digits
  /// want their own.
  bool needs_own(double predicted_decrease, const Refit& refit, const RefitGoal& goal) const {
    constexpr double last_digits = 1e-10, near = 1e-6;
    return borrowed_ && goal.tolerance < last_digits &&
           !(predicted_decrease > near * std::abs(refit.value));
  }

  /// The last digits: no fall can be told from rounding any more.
  static bool is_rounding(double difference, const Refit& refit) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    return std::abs(difference) <= 4.0 * epsilon * std::abs(refit.value);
  }

  /// A value near the smallest numbers that a step still promises to lower: f falls towards zero
  /// for ever, and underflow alone has ended it.
  static bool has_vanished(double predicted_decrease, const Refit& refit) {
    constexpr double underflow = 1e-290, rounding = 1e-6;
    const double size = std::abs(refit.value);
    return size < underflow && predicted_decrease > rounding * size;
  }

  /// f at x + length·step, which becomes the trial.
  double try_step(Objective& f, const SparseVector& x, const Vector& step, double length) {
    trial_.indices = x.indices;
    trial_.values.resize(x.values.size());
    for (std::size_t k = 0; k < x.values.size(); ++k)
      trial_.values[k] = x.values[k] + length * step[static_cast<Index>(k)];
    return f.move_to(trial_);
  }

  /// Where a fall cannot be told from rounding, the value is as low as it gets, but x is right to
  /// half its digits only. The others come from one more step, by second derivatives at x.
  void sharpen(Objective& f, SparseVector& x, Refit& refit) {
    if (!evaluate_gradient(f, refit) || !factorize(f, x) || system_.slopes_where_flat(gradient_))
      return;
    const double value = try_step(f, x, system_.solve(gradient_), 1.0);
    if (is_rounding(value - refit.value, refit)) {
      std::swap(x, trial_);
      refit.value = value;
    } else {
      f.move_to(x);
    }
  }

  /// Goes along the step until the value falls; false if it does not. Where curvatures are faint, a
  /// step that is too long along one direction is no guide for the others.
  bool descend(Objective& f, SparseVector& x, const Vector& step, double predicted_decrease,
               Refit& refit, bool& fresh) {
    double length = 1.0;
    double value = try_step(f, x, step, length);
    if (system_.is_faint() && !f.is_quadratic() &&
        !(value <= refit.value - 1e-4 * predicted_decrease)) {
      f.move_to(x);
      fresh = false;
      return descend_damped(f, x, refit);
    }
    while (!(value <= refit.value - 1e-4 * length * predicted_decrease)) {
      if (is_rounding(value - refit.value, refit)) break;
      length *= length > 1e-3 ? 0.5 : 0.05;
      if (length < 1e-40) break;
      value = try_step(f, x, step, length);
    }
    return take_trial(f, x, value, refit);
  }

  /// Goes to the minimum of a quadratic that lies above f, and on that way for as long as f falls;
  /// false if f knows none, or does not fall.
  bool descend_majorized(Objective& f, SparseVector& x, Refit& refit) {
    if (!f.majorizing_derivatives(x.indices, majorizing_)) return false;
    NewtonSystem system;
    system.factorize(majorizing_);
    if (!system.usable()) return false;
    const Vector step = system.solve(gradient_);
    if (is_rounding(gradient_.dot(step), refit)) return false;
    const SparseVector start = x;
    double length = 1.0;
    if (!take_trial(f, x, try_step(f, start, step, length), refit)) return false;
    do {
      length *= 2.0;
    } while (take_trial(f, x, try_step(f, start, step, length), refit));
    return true;
  }

  /// Damps more until the value falls, and less afterwards if it fell as promised.
  bool descend_damped(Objective& f, SparseVector& x, Refit& refit) {
    if (damping_ == 0.0) damping_ = gradient_.norm();
    const double most = 1e20 * damping_;
    for (;;) {
      const Vector step = system_.solve_damped(gradient_, damping_);
      const double predicted_decrease = -gradient_.dot(step);
      const double value = try_step(f, x, step, 1.0);
      const bool falls = value <= refit.value - 1e-4 * predicted_decrease && value < refit.value;
      if (!falls && !is_rounding(value - refit.value, refit) && damping_ < most) {
        damping_ *= 4.0;
        continue;
      }
      if (value <= refit.value - 0.25 * predicted_decrease)
        damping_ = std::max(damping_ / 8.0, system_.least_damping());
      return take_trial(f, x, value, refit);
    }
  }

  /// Makes the trial the point if it lies lower, and goes back otherwise.
  bool take_trial(Objective& f, SparseVector& x, double value, Refit& refit) {
    if (!(value < refit.value)) {
      f.move_to(x);
      return false;
    }
    std::swap(x, trial_);
    refit.value = value;
    return true;
  }

  /// Takes the flat part out of x, if there is one and it makes no difference.
  void finish(Objective& f, SparseVector& x, Refit& refit) {
    if (!system_.usable() || !system_.rank_deficient()) return;
    const Vector before = Eigen::Map<const Vector>(x.values.data(), x.size());
    trial_ = x;
    Eigen::Map<Vector>(trial_.values.data(), x.size()) = system_.without_flat_part(before);
    const double value = f.move_to(trial_);
    refit.rank_deficient = value <= refit.value + rounding_of_flat_part(before, refit);
    if (refit.rank_deficient) {
      x = trial_;
      refit.value = value;
    } else {
      f.move_to(x);
    }
  }

  /// By how much f may differ without the flat part of x. Against the squares of what x is made of;
  /// to first order against their product with f, where the part is known to be flat.
  double rounding_of_flat_part(const Vector& x, const Refit& refit) const {
    const double value = std::abs(refit.value);
    const double squares = 0.5 * x.dot(hessian_.values() * x);
    if (!system_.is_faint()) return 1e-12 * (value + squares);
    return 1e-11 * (value + std::sqrt(value * std::max(squares, 0.0))) + 1e-22 * squares;
  }

  Observer& observer_;
  double damping_ = 0.0;
  bool borrowed_ = false;  // the second derivatives
  HessianCache hessian_;
  NewtonSystem system_;
  Matrix majorizing_;
  Vector gradient_;
  SparseVector trial_;
};

}}  // namespace regiht::REGIHT_ABI
