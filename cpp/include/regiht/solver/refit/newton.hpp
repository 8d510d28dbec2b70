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

/// Moves x to the minimum of f on the entries that it lists, by damped Newton steps.
///
/// Ends when the goal is met or rounding stops the descent. A factorization is reused while each
/// step gains a digit. Where f has slope but no curvature, steps minimise a quadratic above f if f
/// knows one, and are Levenberg–Marquardt steps otherwise. f is at x afterwards.
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
      // A Newton step lowers f by about half its predicted_decrease.
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

  /// Gives second derivatives that refits may reuse.
  void remember(const Support& support, const Matrix& hessian) {
    hessian_.remember(support, hessian);
  }

 private:
  // Minimising quadratics above f takes more steps, but each is sure to descend.
  static constexpr int most_steps = 60, most_majorized_steps = 400;

  /// False if it is not finite or the observer interrupts.
  bool evaluate_gradient(Objective& f, Refit& refit) {
    refit.interruption = observer_.interruption();
    if (refit.interruption) return false;
    f.gradient_on_support(gradient_);
    refit.finite = gradient_.allFinite();
    if (!refit.finite) refit.attained = false;
    return refit.finite;
  }

  /// False if second derivatives are not finite or the observer interrupts.
  bool factorize(Objective& f, const SparseVector& x) {
    if (!hessian_.evaluate(f, x.indices, observer_)) return false;
    borrowed_ = false;
    system_.factorize(hessian_.values(), [&](const Matrix& directions, Matrix& out) {
      return f.second_derivatives_along(x.indices, directions, out);
    });
    observer_.spend(system_.work());
    return system_.usable();
  }

  /// Factorizes cached derivatives; false if singular, as flat directions depend on x.
  bool adapt(Objective& f, const SparseVector& x) {
    if (!hessian_.adapt(f, x.indices, observer_)) return false;
    borrowed_ = true;
    system_.factorize(hessian_.values());
    observer_.spend(system_.work());
    return system_.usable() && !system_.seems_deficient();
  }

  /// Whether the end is near and the second derivatives are borrowed: the last digits need those at
  /// x.
  bool needs_own(double predicted_decrease, const Refit& refit, const RefitGoal& goal) const {
    constexpr double last_digits = 1e-10, near = 1e-6;
    return borrowed_ && goal.tolerance < last_digits &&
           !(predicted_decrease > near * std::abs(refit.value));
  }

  /// Whether a difference of values is indistinguishable from rounding.
  static bool is_rounding(double difference, const Refit& refit) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    return std::abs(difference) <= 4.0 * epsilon * std::abs(refit.value);
  }

  /// Whether f falls towards zero for ever and only underflow ended the descent: a value near the
  /// smallest numbers that a step still promises to lower.
  static bool has_vanished(double predicted_decrease, const Refit& refit) {
    constexpr double underflow = 1e-290, rounding = 1e-6;
    const double size = std::abs(refit.value);
    return size < underflow && predicted_decrease > rounding * size;
  }

  /// Sets the trial to x + length·step and returns f there.
  double try_step(Objective& f, const SparseVector& x, const Vector& step, double length) {
    trial_.indices = x.indices;
    trial_.values.resize(x.values.size());
    for (std::size_t k = 0; k < x.values.size(); ++k)
      trial_.values[k] = x.values[k] + length * step[static_cast<Index>(k)];
    return f.move_to(trial_);
  }

  /// Where only rounding is left the value is as low as it gets, but x is right to half its digits
  /// only. One more step, with second derivatives at x, gives the others.
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

  /// Shortens the step until the value falls; false if it never does. Where curvatures are faint, a
  /// step too long in one direction says little about the others, and damping takes over.
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

  /// Steps to the minimum of a quadratic above f and doubles the step while f falls; false if f
  /// knows no such quadratic or does not fall.
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

  /// Increases the damping until the value falls; decreases it afterwards if it fell as predicted.
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

  /// Accepts the trial if it is lower; otherwise moves f back to x.
  bool take_trial(Objective& f, SparseVector& x, double value, Refit& refit) {
    if (!(value < refit.value)) {
      f.move_to(x);
      return false;
    }
    std::swap(x, trial_);
    refit.value = value;
    return true;
  }

  /// Removes the flat part of x, if there is one and it makes no difference to f.
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

  /// How far rounding may change f when the flat part of x is removed: relative to the squares that
  /// x adds up to, or to first order in their product with f where the part is known to be flat.
  double rounding_of_flat_part(const Vector& x, const Refit& refit) const {
    const double value = std::abs(refit.value);
    const double squares = 0.5 * x.dot(hessian_.values() * x);
    if (!system_.is_faint()) return 1e-12 * (value + squares);
    return 1e-11 * (value + std::sqrt(value * std::max(squares, 0.0))) + 1e-22 * squares;
  }

  Observer& observer_;
  double damping_ = 0.0;
  bool borrowed_ = false;  // hessian_ is from another point
  HessianCache hessian_;
  NewtonSystem system_;
  Matrix majorizing_;
  Vector gradient_;
  SparseVector trial_;
};

}}  // namespace regiht::REGIHT_ABI
