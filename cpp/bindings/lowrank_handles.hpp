#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include "bindings.hpp"
#include "gil.hpp"
#include "python_observer.hpp"
#include "regiht/lowrank/entry_loss.hpp"
#include "regiht/lowrank/factors.hpp"
#include "regiht/lowrank/matrix_objective.hpp"

namespace regiht::bindings {

using namespace regiht::lowrank;

inline Eigen::Map<const Block> as_block(const DoubleArray& array) {
  if (array.ndim() != 2) throw py::type_error("a matrix is needed");
  return {array.data(), array.shape(0), array.shape(1)};
}

/// A new array, and its memory as a block to write to.
struct NewBlock {
  NewBlock(Index rows, Index cols) : array({rows, cols}), view(array.mutable_data(), rows, cols) {}

  DoubleArray array;
  Eigen::Map<Block> view;
};

template <class Matrix>
DoubleArray to_block(const Matrix& matrix) {
  NewBlock out(matrix.rows(), matrix.cols());
  out.view = matrix;
  return out.array;
}

inline py::tuple to_tuple(const SingularTriplets& found) {
  return py::make_tuple(to_block(found.U), to_array(found.s), to_block(found.V));
}

inline py::tuple to_tuple(const Factors& found) {
  return py::make_tuple(to_block(found.U), to_array(found.s), to_block(found.V));
}

inline Factors as_factors(const DoubleArray& U, const DoubleArray& s, const DoubleArray& V) {
  return {as_block(U), as_vector(s), as_block(V)};
}

/// An operator together with the Python objects whose memory it borrows.
struct OperatorHandle {
  std::shared_ptr<const MatrixOperator> matrix;
  std::vector<py::object> owners;
};

/// An objective together with the Python objects whose memory it borrows.
struct ObjectiveHandle {
  std::shared_ptr<const MatrixObjective> objective;
  std::vector<py::object> owners;
};

/// Q and d of both sides, and β.
inline py::tuple to_tuple(const Regularizer& weights) {
  return py::make_tuple(to_block(weights.W.Q), to_array(weights.W.d), to_block(weights.Y.Q),
                        to_array(weights.Y.d), weights.beta);
}

/// Thrown where the time of a TimeLimit is up.
struct TimeIsUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A limit for the low-rank calls of one thread: a context manager of Python. Inner limits replace
/// outer ones until they end.
class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// More seconds than a year are no limit.
  explicit TimeLimit(double seconds) : seconds_(seconds) {}

  void enter() {
    constexpr double year = 3.2e7;
    before_ = end();
    end() = seconds_ < year ? Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                 std::chrono::duration<double>(seconds_))
                            : Clock::time_point::max();
  }
  void exit() { end() = before_; }

  /// When the calls of this thread have to end.
  static Clock::time_point& end() {
    static thread_local Clock::time_point of_thread = Clock::time_point::max();
    return of_thread;
  }

 private:
  double seconds_;
  Clock::time_point before_ = Clock::time_point::max();
};

/// Ends a call where its time is up; lets Ctrl-C through, at most some times a second.
class InterruptPoll {
 public:
  using Clock = TimeLimit::Clock;

  InterruptPoll() : end_(TimeLimit::end()), in_main_thread_(is_main_thread()) {}

  void operator()() const {
    const auto now = Clock::now();
    if (now >= end_) throw TimeIsUp("the time is up");
    if (!in_main_thread_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const AcquireGil acquire;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  Clock::time_point end_;
  bool in_main_thread_;
  mutable Clock::time_point next_ = Clock::now();
};

template <class Value>
using ValueArray = py::array_t<Value, py::array::c_style>;

/// Losses together with the arrays that they borrow.
struct LossHandle {
  template <class Value>
  LossHandle(bool logistic, const ValueArray<Value>& targets, std::optional<DoubleArray> given)
      : target(targets),
        weights(std::move(given)),
        loss{logistic ? EntryLoss::Kind::logistic : EntryLoss::Kind::squared, targets.data(),
             weights ? weights->data() : nullptr} {
    if (weights && weights->size() != target.size())
      throw py::value_error("one weight for each target is needed");
  }

  template <class Entries>
  void check(const Entries& entries) const {
    check(entries.count());
  }

  void check(Index predictions) const {
    if (target.size() != predictions)
      throw py::value_error("one target for each prediction is needed");
  }

  py::array target;
  std::optional<DoubleArray> weights;
  EntryLoss loss;
};

}  // namespace regiht::bindings
