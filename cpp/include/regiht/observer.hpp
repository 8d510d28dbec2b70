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

/// Watches a run and may stop it.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Called after every iteration; returns the status to stop with, or nothing to continue.
  virtual std::optional<Status> observe(const Iteration& iteration) = 0;

  /// Polled often within long iterations; answers as observe does. Once it returns a status, it
  /// must return it again on every later call.
  virtual std::optional<Status> interruption() { return std::nullopt; }

  /// Adds work done outside f, which counts its own, in the units of Objective::work().
  virtual void spend(double /*work*/) {}
};

/// Stops a run after so many seconds, counted from construction.
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

/// Never stops a run.
class SilentObserver final : public Observer {
 public:
  std::optional<Status> observe(const Iteration&) override { return std::nullopt; }
};

/// A shared SilentObserver, for work that nobody watches.
inline Observer& no_observer() {
  static SilentObserver silent;
  return silent;
}

}}  // namespace regiht::REGIHT_ABI
