#include <stdexcept>
#include <string>

#include "lowrank_handles.hpp"
#include "regiht/lowrank/prediction_objectives.hpp"
#include "regiht/lowrank/regularized_iht.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

/// A Python object that may be let go of without the GIL.
using SharedObject = std::shared_ptr<py::object>;

SharedObject share(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            const AcquireGil acquire;
            delete held;
          }};
}

/// An evaluation that Python made: value, gradient() and slope_towards(other).
class PythonPoint final : public Point {
 public:
  explicit PythonPoint(py::object evaluation)
      : value_(evaluation.attr("value").cast<double>()),
        evaluation_(share(std::move(evaluation))) {}

  double value() const override { return value_; }

  const MatrixOperator& gradient() override {
    if (!gradient_) {
      const AcquireGil acquire;
      owner_ = share(call(evaluation_->attr("gradient")));
      gradient_ = owner_->cast<const OperatorHandle&>().matrix;
    }
    return *gradient_;
  }

  double slope_towards(Point& other) override {
    const AcquireGil acquire;
    const py::object& aim = *static_cast<PythonPoint&>(other).evaluation_;
    return call(evaluation_->attr("slope_towards"), aim).cast<double>();
  }

 private:
  double value_;
  SharedObject evaluation_, owner_;
  std::shared_ptr<const MatrixOperator> gradient_;
};

/// An objective that Python evaluates.
class PythonObjective final : public MatrixObjective {
 public:
  PythonObjective(Index rows, Index cols, double ridge, py::function evaluate)
      : rows_(rows), cols_(cols), ridge_(ridge), evaluate_(std::move(evaluate)) {}

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  double ridge() const override { return ridge_; }

  std::unique_ptr<Point> at(const Factors& A, int threads) const override {
    const AcquireGil acquire;
    return std::make_unique<PythonPoint>(
        call(evaluate_, to_block(A.U), to_array(A.s), to_block(A.V), py::int_(threads)));
  }

 private:
  Index rows_, cols_;
  double ridge_;
  py::function evaluate_;
};

/// An objective together with the Python objects whose memory it borrows.
struct ObjectiveHandle {
  std::shared_ptr<const MatrixObjective> objective;
  std::vector<py::object> owners;
};

/// One of its points, likewise.
struct PointHandle {
  std::shared_ptr<Point> point;
  std::vector<py::object> owners;
};

PointHandle evaluate(const py::object& self, const DoubleArray& U, const DoubleArray& s,
                     const DoubleArray& V, int n_threads) {
  const auto& handle = self.cast<const ObjectiveHandle&>();
  const Factors A = as_factors(U, s, V);
  const ReleaseGil release;
  return {handle.objective->at(A, n_threads), {self}};
}

OperatorHandle gradient(const py::object& self) {
  auto& handle = self.cast<PointHandle&>();
  const MatrixOperator& found = [&]() -> const MatrixOperator& {
    const ReleaseGil release;
    return handle.point->gradient();
  }();
  return {std::shared_ptr<const MatrixOperator>(handle.point, &found), handle.owners};
}

double slope(PointHandle& from, PointHandle& towards) {
  const ReleaseGil release;
  return from.point->slope_towards(*towards.point);
}

Status status_named(const std::string& name) {
  for (const StatusText& text : status_texts)
    if (text.name == name) return text.status;
  throw std::invalid_argument("there is no status '" + name + "'");
}

py::tuple to_tuple(const Regularizer& weights) {
  return py::make_tuple(to_block(weights.W.Q), to_array(weights.W.d), to_block(weights.Y.Q),
                        to_array(weights.Y.d), weights.beta);
}

/// Asks a Python function, which answers with the name of a status or with None.
DescentObserver observer_of(const std::optional<py::function>& observe) {
  if (!observe) return {};
  return [&observe = *observe](const Factors& A, double value, const Regularizer& weights,
                               double regularized) -> std::optional<Status> {
    const AcquireGil acquire;
    const py::object told = call(observe, bindings::to_tuple(A), py::float_(value),
                                 to_tuple(weights), py::float_(regularized));
    if (told.is_none()) return std::nullopt;
    return status_named(told.cast<std::string>());
  };
}

py::tuple descend(const ObjectiveHandle& handle, const DoubleArray& U, const DoubleArray& s,
                  const DoubleArray& V, Index rank, Index max_iter, double tol,
                  std::optional<double> step, double smoothness, double weight_step,
                  double round_threshold, double weighted_part,
                  const std::optional<py::function>& observe, int n_threads) {
  const DescentOptions options{
      rank,        max_iter,        tol,           step,      smoothness,
      weight_step, round_threshold, weighted_part, n_threads, SignalPoll()};
  Factors start = as_factors(U, s, V);
  const DescentObserver observer = observer_of(observe);
  const DescentResult found = [&] {
    const ReleaseGil release;
    return RegularizedIht(*handle.objective, options, std::move(start), observer).run();
  }();
  return py::make_tuple(bindings::to_tuple(found.best), found.value,
                        std::string(describe(found.status).name), to_tuple(found.weights),
                        found.iterations);
}

void bind_objectives(py::module_& module) {
  py::class_<PointHandle>(module, "LowRankPoint")
      .def_property_readonly("value", [](const PointHandle& p) { return p.point->value(); })
      .def("gradient", &gradient)
      .def("slope_towards", &slope, py::arg("other"));
  py::class_<ObjectiveHandle>(module, "LowRankObjective")
      .def("at", &evaluate, py::arg("U").noconvert(), py::arg("s").noconvert(),
           py::arg("V").noconvert(), py::arg("n_threads") = 1);
  module.def(
      "entry_objective",
      [](const std::shared_ptr<ObservedEntries>& entries, const py::object& loss, double ridge,
         double constant, Index most_kept) {
        const auto& losses = loss.cast<const LossHandle&>();
        losses.check(*entries);
        return ObjectiveHandle{
            std::make_shared<EntryObjective>(*entries, losses.loss, ridge, constant, most_kept),
            {py::cast(entries), loss}};
      },
      py::arg("entries"), py::arg("loss"), py::arg("ridge"), py::arg("constant"),
      py::arg("most_kept"));
  module.def(
      "dense_objective",
      [](Index rows, Index cols, const py::object& loss, double ridge) {
        const auto& losses = loss.cast<const LossHandle&>();
        losses.check(rows * cols);
        return ObjectiveHandle{std::make_shared<DenseObjective>(rows, cols, losses.loss, ridge),
                               {loss}};
      },
      py::arg("rows"), py::arg("cols"), py::arg("loss"), py::arg("ridge"));
  module.def(
      "measurement_objective",
      [](const DoubleArray& C, Index rows, Index cols, const py::object& loss, double ridge) {
        const auto& losses = loss.cast<const LossHandle&>();
        losses.check(C.shape(0));
        if (C.ndim() != 2 || C.shape(1) != rows * cols)
          throw py::value_error("all entries of the matrix are needed in each row of C");
        return ObjectiveHandle{std::make_shared<MeasurementObjective>(
                                   DenseMeasurements{as_block(C), rows, cols}, losses.loss, ridge),
                               {C, loss}};
      },
      py::arg("C").noconvert(), py::arg("rows"), py::arg("cols"), py::arg("loss"),
      py::arg("ridge"));
  module.def(
      "callable_objective",
      [](Index rows, Index cols, double ridge, py::function evaluate) {
        return ObjectiveHandle{
            std::make_shared<PythonObjective>(rows, cols, ridge, std::move(evaluate)), {}};
      },
      py::arg("rows"), py::arg("cols"), py::arg("ridge"), py::arg("evaluate"));
}

}  // namespace

void bind_lowrank_descent(py::module_& module) {
  bind_objectives(module);
  module.def("regularized_iht", &descend, py::arg("objective"), py::arg("U").noconvert(),
             py::arg("s").noconvert(), py::arg("V").noconvert(), py::kw_only(), py::arg("rank"),
             py::arg("max_iter"), py::arg("tol"), py::arg("step"), py::arg("smoothness"),
             py::arg("weight_step"), py::arg("round_threshold"), py::arg("weighted_part"),
             py::arg("observe"), py::arg("n_threads"));
}

}  // namespace regiht::bindings
