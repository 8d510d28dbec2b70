#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/projection.hpp"
#include "regiht/result.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Records a run: counts, history, the best iterate, and why it ends.
class Tracker {
 public:
  Tracker(const Options& options, Observer& observer) : options_(options), observer_(observer) {}

  /// Begins at the projection of x0 and returns f there.
  double begin(Objective& f, Projection& projection, SparseVector& x) {
    const double value_at_zero = f.move_to({});
    x = options_.x0;
    projection.apply(x);
    const double value = x.size() == 0 ? value_at_zero : f.move_to(x);
    begin(x, value, value_at_zero);
    return value;
  }

  /// Begins at x; f(0) helps set the scale by which divergence is detected.
  void begin(const SparseVector& x, double value, double value_at_zero) {
    best_ = x;
    best_value_ = last_value_ = value;
    scale_ = std::max(std::abs(value), std::abs(value_at_zero));
    if (!std::isfinite(value)) status_ = Status::diverged;
    cycle_mark_ = x;
  }

  bool goes_on() const { return !status_ && iterations_ < options_.max_iter; }

  /// Records one iteration from `before` to x; `weight_change` is the largest change of a weight.
  void record(const SparseVector& before, const SparseVector& x, const Vector& weights,
              double value, double regularized_value, double weight_change) {
    ++iterations_;
    watch_.advance();
    const Index changes = support_changes(before.indices, x.indices);
    if (options_.history) history_.append(value, regularized_value, changes, watch_.seconds());
    if (iterations_ == 1 && std::isfinite(value))
      scale_ = std::max(scale_, std::abs(value - last_value_));
    const bool rests = weight_change == 0.0 && changes == 0 &&
                       std::abs(value - last_value_) <= rounding * std::abs(value);
    rests_ = rests ? rests_ + 1 : 0;
    last_value_ = value;
    const bool finite = std::isfinite(value) && is_finite(x);
    if (value < best_value_ && finite) {
      best_value_ = value;
      best_ = x;
    }
    if (options_.step) watch_for_cycles(x, weight_change);
    const Iteration iteration{iterations_, value, regularized_value, x, weights, changes, watch_};
    const std::optional<Status> asked = observer_.observe(iteration);
    if (status_) return;
    if (!finite || value > best_value_ + explosion * scale_)
      status_ = Status::diverged;
    else if (weight_change == 0.0 && x == before)
      status_ = Status::stationary;
    else if (asked)
      status_ = asked;
    else if (weight_change == 0.0 && has_converged(before, x))
      status_ = Status::converged;
  }

  /// Ends the run by the method's own rule, unless it has ended already.
  void end(Status status) {
    if (goes_on()) status_ = status;
  }

  /// Ends the run unconditionally, in the middle of an iteration.
  void cut_short(Status status) { status_ = status; }

  /// The result of the run that ended at x.
  Result finish(SparseVector x, double value, Vector weights, double step, double gradients) {
    Result result;
    result.status = status_.value_or(cycling_ ? Status::cycling : Status::completed);
    const bool worse = !(value <= best_value_) || !std::isfinite(value) || !is_finite(x);
    const bool best = worse && (!options_.step || result.status == Status::diverged ||
                                result.status == Status::time_limit);
    result.x = best ? std::move(best_) : std::move(x);
    result.value = best ? best_value_ : value;
    result.weights = std::move(weights);
    result.step = step;
    result.iterations = iterations_;
    result.gradients = gradients;
    result.history = std::move(history_);
    return result;
  }

 private:
  /// A run diverges when its value rises by this many times the scale of the problem.
  static constexpr double explosion = 1e6;

  /// A run that chooses its own steps ends after this many iterations in which only the last bits
  /// of the value change.
  static constexpr int enough_rests = 10;
  static constexpr double rounding = 8.0 * std::numeric_limits<double>::epsilon();

  static Index support_changes(const Support& before, const Support& after) {
    Index changes = 0;
    auto old = before.begin();
    for (const Index j : after) {
      while (old != before.end() && *old < j) ++old;
      if (old == before.end() || *old != j) ++changes;
    }
    return changes;
  }

  bool has_converged(const SparseVector& before, const SparseVector& x) const {
    if (options_.tol > 0.0 && is_close(before, x, options_.tol)) return true;
    return !options_.step && rests_ >= enough_rests;
  }

  static bool is_close(const SparseVector& before, const SparseVector& x, double tolerance) {
    if (before.indices != x.indices) return false;
    double difference = 0.0;
    for (std::size_t k = 0; k < x.values.size(); ++k)
      difference += (x.values[k] - before.values[k]) * (x.values[k] - before.values[k]);
    return std::sqrt(difference) <= tolerance * std::sqrt(x.squared_norm());
  }

  /// Brent's method: an iterate equal to the marked one, with unchanged weights, will recur
  /// forever. The mark moves at powers of two, so any period is found. Last bits that cycle at a
  /// point of convergence do not count.
  void watch_for_cycles(const SparseVector& x, double weight_change) {
    const bool due = weight_change != 0.0 || iterations_ == next_mark_;
    if (due) {
      cycle_mark_ = x;
      left_mark_ = false;
      if (iterations_ == next_mark_) next_mark_ *= 2;
      return;
    }
    left_mark_ = left_mark_ || !is_close(cycle_mark_, x, 1e3 * rounding);
    cycling_ = cycling_ || (left_mark_ && x == cycle_mark_);
  }

  const Options& options_;
  Observer& observer_;
  Stopwatch watch_;
  Index iterations_ = 0;
  std::optional<Status> status_;
  History history_;

  SparseVector best_;
  double best_value_ = 0.0;
  double last_value_ = 0.0;
  double scale_ = 0.0;
  int rests_ = 0;

  SparseVector cycle_mark_;
  bool left_mark_ = false;
  Index next_mark_ = 1;
  bool cycling_ = false;
};

}}  // namespace regiht::REGIHT_ABI
