#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "regiht/observer.hpp"
#include "regiht/result.hpp"

namespace regiht {

/// Shows several runs to one observer as if they were one, and keeps their common history.
class Phases final : public Observer {
 public:
  Phases(Observer& observer, bool history)
      : observer_(observer), keeps_history_(history), start_(Clock::now()) {}

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
    return asked;
  }

  /// What the observer asked to stop with, if it did.
  const std::optional<Status>& stopped() const { return stopped_; }

  Index iterations() const { return iterations_; }
  History take_history() { return std::move(history_); }

 private:
  using Clock = std::chrono::steady_clock;

  Observer& observer_;
  bool keeps_history_;
  Clock::time_point start_;
  Index iterations_ = 0;
  std::optional<Status> stopped_;
  History history_;
};

}  // namespace regiht
