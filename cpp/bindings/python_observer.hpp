#pragma once

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <optional>

#include "bindings.hpp"
#include "gil.hpp"
#include "regiht/observer.hpp"

namespace regiht::bindings {

inline long current_process() {
#ifdef _WIN32
  return _getpid();
#else
  return getpid();
#endif
}

/// Only the main thread handles signals. Taking the GIL in another thread to check for them would
/// be wrong while the interpreter shuts down.
inline bool is_main_thread() {
  static std::atomic<long> process{-1};  // after a fork another thread may be the main one
  static std::atomic<unsigned long> main_thread{0};
  if (process != current_process()) {
    main_thread =
        py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
    process = current_process();  // last, so that other threads can trust the line above
  }
  return PyThread_get_thread_ident() == main_thread;
}

/// One iteration as a Python callback sees it; weights are readable only during the callback.
struct IterationSnapshot {
  Index number;
  double value, regularized_value, elapsed;
  Index support_changes;
  SparseVector x;
  const Vector* weights;
  Index dimension;
};

/// Handles the GIL, Ctrl-C, the user's callback, the progress bar and the time limit.
class PythonObserver final : public Observer {
 public:
  PythonObserver(py::object callback, py::object progress, double time_limit)
      : callback_(std::move(callback)),
        progress_(std::move(progress)),
        time_limit_(time_limit),
        in_main_thread_(is_main_thread()) {}

  std::optional<Status> observe(const Iteration& iteration) override {
    if (!callback_.is_none() && wants_to_stop(iteration)) return Status::stopped;
    shown_ = iteration.number;
    value_ = iteration.value;
    if (--until_clock_ <= 0) read_clock(iteration.elapsed());
    return time_limit_.observe(iteration);
  }

  std::optional<Status> interruption() override {
    watch_.advance();
    look_if_due(watch_.seconds());
    return time_limit_.interruption();
  }

 private:
  static constexpr double seconds_between_looks = 0.05;
  static constexpr int longest_stretch = 16;

  bool wants_to_stop(const Iteration& iteration) {
    const AcquireGil acquire;
    const auto snapshot = std::make_shared<IterationSnapshot>(IterationSnapshot{
        iteration.number, iteration.value, iteration.regularized_value, iteration.elapsed(),
        iteration.support_changes, iteration.x, &iteration.weights, iteration.weights.size()});
    // The weights are valid only during this call, however it ends.
    struct Forget {
      IterationSnapshot& snapshot;
      ~Forget() { snapshot.weights = nullptr; }
    } const forget{*snapshot};
    const py::object answer = call(callback_, py::cast(snapshot));
    const int truth = PyObject_IsTrue(answer.ptr());
    if (truth < 0) throw py::error_already_set();
    return truth == 1;
  }

  /// Taking the GIL costs more than a small iteration, and reading the clock a tenth of one: so the
  /// clock decides when to check for signals, and is read less often while iterations are quick.
  void read_clock(double now) {
    const bool is_quick = now - last_read_ < seconds_between_looks / longest_stretch;
    stretch_ = is_quick ? std::min(2 * stretch_, longest_stretch) : 1;
    until_clock_ = stretch_;
    last_read_ = now;
    look_if_due(now);
  }

  void look_if_due(double now) {
    if (now < next_look_) return;
    next_look_ = now + seconds_between_looks;
    if (!in_main_thread_ && progress_.is_none()) return;
    const AcquireGil acquire;
    if (in_main_thread_ && PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress_.is_none() && shown_ > 0) call(progress_, py::int_(shown_), py::float_(value_));
  }

  py::object callback_, progress_;
  TimeLimit time_limit_;
  bool in_main_thread_;
  Stopwatch watch_;
  Index shown_ = 0;  // the number of the last iteration, and its value
  double value_ = 0.0;
  double next_look_ = seconds_between_looks;
  double last_read_ = 0.0;
  int stretch_ = 1;
  int until_clock_ = 1;
};

}  // namespace regiht::bindings
