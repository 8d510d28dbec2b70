#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "regiht/observer.hpp"
#include "regiht/result.hpp"

namespace regiht {

/// Shows several runs to one observer as if they were one, and keeps their common history.
class Phases final : public Observer {
 public:
  Phases(Observer& observer, bool history, Index dimension)
      : observer_(observer),
        keeps_history_(history),
        no_weights_(Vector::Zero(dimension)),
        start_(Clock::now()) {}

  std::optional<Status> observe(const Iteration& iteration) override {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    if (keeps_history_) {
      history_.value.push_back(iteration.value);
      history_.regularized_value.push_back(iteration.regularized_value);
      history_.support_changes.push_back(iteration.support_changes);
      history_.elapsed.push_back(elapsed);
    }
    const auto asked =
        observer_.observe({++iterations_, iteration.value, iteration.regularized_value, iteration.x,
                           iteration.weights, iteration.support_changes, elapsed});
    if (asked) stopped_ = asked;
    last_ = iteration.x.indices;
    return asked;
  }

  /// Shows a step that no run has shown; false if the observer wants no more.
  bool show(const SparseVector& x, double value) {
    Index entered = 0;
    for (const Index j : x.indices)
      if (!std::binary_search(last_.begin(), last_.end(), j)) ++entered;
    return !observe({0, value, value, x, no_weights_, entered, 0.0});
  }

  /// What the observer asked to stop with, if it did.
  const std::optional<Status>& stopped() const { return stopped_; }

  Index iterations() const { return iterations_; }
  History take_history() { return std::move(history_); }

 private:
  using Clock = std::chrono::steady_clock;

  Observer& observer_;
  bool keeps_history_;
  Vector no_weights_;
  Support last_;  // the support seen last
  Clock::time_point start_;
  Index iterations_ = 0;
  std::optional<Status> stopped_;
  History history_;
};

}  // namespace regiht
