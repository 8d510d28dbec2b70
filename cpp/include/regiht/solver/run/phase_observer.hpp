#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/result.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Presents several runs to one observer as a single run, and keeps their common history.
///
/// Points shown have at most s entries, or groups: while a run has more, the last point that did
/// not is shown again.
class PhaseObserver final : public Observer {
 public:
  PhaseObserver(Observer& observer, const Options& options, Index dimension)
      : observer_(observer), options_(options), no_weights_(Vector::Zero(dimension)) {}

  /// From now on, runs and calls of show() are also told to stop while `is_spent` holds; the search
  /// as a whole goes on.
  void end_runs_when(std::function<bool()> is_spent) { is_spent_ = std::move(is_spent); }

  std::optional<Status> observe(const Iteration& iteration) override {
    return or_spent(pass_on(iteration));
  }

  std::optional<Status> interruption() override {
    if (!stopped_) stopped_ = observer_.interruption();
    return stopped_;
  }

  void spend(double work) override { spent_ += work; }

  /// Work spent outside f.
  double spent() const { return spent_; }

  /// Like interruption(), but also stops when the budget is spent: for runs that show few steps.
  std::optional<Status> interruption_of_run() { return or_spent(interruption()); }

  /// Shows a step made outside a run; false if it is to stop.
  bool show(const SparseVector& x, double value) {
    Index entered = 0;
    for (const Index j : x.indices)
      if (!last_.lists(j)) ++entered;
    return !observe({0, value, value, x, no_weights_, entered, watch_});
  }

  /// The status with which the observer asked to stop, if it did.
  const std::optional<Status>& stopped() const { return stopped_; }

  Index iterations() const { return iterations_; }
  History take_history() { return std::move(history_); }

 private:
  std::optional<Status> or_spent(std::optional<Status> asked) const {
    return !asked && is_spent_ && is_spent_() ? Status::stopped : asked;
  }

  std::optional<Status> pass_on(const Iteration& iteration) {
    if (options_.count_units(iteration.x.indices) <= options_.sparsity) {
      last_ = iteration.x;
      last_value_ = iteration.value;
      return tell(iteration);
    }
    return tell({0, last_value_, last_value_, last_, no_weights_, 0, watch_});
  }

  std::optional<Status> tell(const Iteration& iteration) {
    watch_.advance();
    if (options_.history)
      history_.append(iteration.value, iteration.regularized_value, iteration.support_changes,
                      watch_.seconds());
    const auto asked =
        observer_.observe({++iterations_, iteration.value, iteration.regularized_value, iteration.x,
                           iteration.weights, iteration.support_changes, watch_});
    if (asked) stopped_ = asked;
    return asked;
  }

  Observer& observer_;
  const Options& options_;
  Vector no_weights_;
  SparseVector last_;  // last point shown
  double last_value_ = 0.0;
  Stopwatch watch_;
  Index iterations_ = 0;
  std::optional<Status> stopped_;
  std::function<bool()> is_spent_;
  double spent_ = 0.0;
  History history_;
};

/// Observes a run that shows few steps, stopping it when the budget is spent.
class RunInterruptions final : public Observer {
 public:
  explicit RunInterruptions(PhaseObserver& phases) : phases_(phases) {}

  std::optional<Status> observe(const Iteration& iteration) override {
    return phases_.observe(iteration);
  }
  std::optional<Status> interruption() override { return phases_.interruption_of_run(); }
  void spend(double work) override { phases_.spend(work); }

 private:
  PhaseObserver& phases_;
};

}}  // namespace regiht::REGIHT_ABI
