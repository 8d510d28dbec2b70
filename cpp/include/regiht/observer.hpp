#pragma once

#include <limits>
#include <optional>

#include "regiht/kernels/stopwatch.hpp"
#include "regiht/status.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// One iteration as an observer sees it.
struct Iteration {
  Index number;  ///< 1 after the first step
  double value;
  double regularized_value;
  const SparseVector& x;
  const Vector& weights;
  Index support_changes;
  const Stopwatch& watch;

  double elapsed() const { return watch.seconds(); }
};

/// The one hook into a run.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Returns the status to stop with, or nothing to go on.
  virtual std::optional<Status> observe(const Iteration& iteration) = 0;

  /// Asked often, within iterations that take long. The same answer, and whoever gives one gives it
  /// again when asked again.
  virtual std::optional<Status> interruption() { return std::nullopt; }

  /// Told what a solver spends beside f, which counts its own: in the units of Objective::work().
  virtual void spend(double /*work*/) {}
};

/// Stops a run that has taken so many seconds, counted from when the limit was made.
class TimeLimit final : public Observer {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}

  std::optional<Status> observe(const Iteration& iteration) override {
    if (seconds_ == std::numeric_limits<double>::infinity()) return std::nullopt;
    if (iteration.elapsed() < seconds_) return std::nullopt;
    return Status::time_limit;
  }

  std::optional<Status> interruption() override {
    if (seconds_ == std::numeric_limits<double>::infinity()) return std::nullopt;
    watch_.advance();
    if (watch_.seconds() < seconds_) return std::nullopt;
    return Status::time_limit;
  }

 private:
  double seconds_;
  Stopwatch watch_;
};

/// Watches and never stops anything.
class SilentObserver final : public Observer {
 public:
  std::optional<Status> observe(const Iteration&) override { return std::nullopt; }
};

/// For work that nobody watches.
inline Observer& no_observer() {
  static SilentObserver silent;
  return silent;
}

}}  // namespace regiht::REGIHT_ABI
