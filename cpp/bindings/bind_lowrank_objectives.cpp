#include <optional>
#include <tuple>

#include "lowrank_handles.hpp"
#include "regiht/lowrank/prediction_objectives.hpp"

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
  PythonObjective(Index rows, Index cols, double ridge, py::function evaluate,
                  py::function corrective)
      : rows_(rows),
        cols_(cols),
        ridge_(ridge),
        evaluate_(std::move(evaluate)),
        corrective_(std::move(corrective)) {}

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }
  double ridge() const override { return ridge_; }

  std::unique_ptr<Point> at(const Factors& A, int threads) const override {
    const AcquireGil acquire;
    return std::make_unique<PythonPoint>(
        call(evaluate_, to_block(A.U), to_array(A.s), to_block(A.V), py::int_(threads)));
  }

  Block corrective(const Span& span, Block X, const Regularizer* weights, int threads,
                   const Poll&) const override {
    const AcquireGil acquire;
    const py::object given = weights == nullptr ? py::none() : py::object(to_tuple(*weights));
    const auto answer = DoubleArray::ensure(call(corrective_, to_block(span.U), to_block(span.V),
                                                 to_block(X), given, py::int_(threads)));
    if (!answer || answer.ndim() != 2 || answer.shape(0) != X.rows() ||
        answer.shape(1) != X.cols()) {
      PyErr_Clear();
      throw py::value_error("the corrective step answered with the wrong shape");
    }
    return as_block(answer);
  }

 private:
  Index rows_, cols_;
  double ridge_;
  py::function evaluate_, corrective_;
};

/// One of its points, with the Python objects whose memory it borrows.
struct PointHandle {
  std::shared_ptr<Point> point;
  std::vector<py::object> owners;
};

PointHandle evaluate(const py::object& self, const DoubleArray& U, const DoubleArray& s,
                     const DoubleArray& V, int n_threads) {
  const auto& handle = self.cast<const ObjectiveHandle&>();
  const Factors A = as_factors(U, s, V);
  std::shared_ptr<Point> point = [&] {
    const ReleaseGil release;
    return handle.objective->at(A, n_threads);
  }();
  return {std::move(point), {self}};
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

using WeightArrays = std::tuple<DoubleArray, DoubleArray, DoubleArray, DoubleArray, double>;

Regularizer as_regularizer(const WeightArrays& weights) {
  const auto& [Q, d, P, e, beta] = weights;
  return {{as_block(Q), as_vector(d)}, {as_block(P), as_vector(e)}, beta};
}

DoubleArray correct(const ObjectiveHandle& handle, const DoubleArray& U, const DoubleArray& V,
                    const DoubleArray& X, const std::optional<WeightArrays>& given, int n_threads) {
  const Span span{as_block(U), as_block(V)};
  if (X.ndim() != 2 || X.shape(0) != span.U.cols() || X.shape(1) != span.V.cols())
    throw py::value_error("X needs a row for each column of U, and a column for each of V");
  std::optional<Regularizer> weights;
  if (given) weights = as_regularizer(*given);
  Block first = as_block(X);
  const Poll poll = InterruptPoll();
  const Block found = [&] {
    const ReleaseGil release;
    return handle.objective->corrective(span, std::move(first), weights ? &*weights : nullptr,
                                        n_threads, poll);
  }();
  return to_block(found);
}

}  // namespace

void bind_lowrank_objectives(py::module_& module) {
  py::class_<PointHandle>(module, "LowRankPoint")
      .def_property_readonly("value", [](const PointHandle& p) { return p.point->value(); })
      .def("gradient", &gradient)
      .def("slope_towards", &slope, py::arg("other"));
  py::class_<ObjectiveHandle>(module, "LowRankObjective")
      .def("at", &evaluate, py::arg("U").noconvert(), py::arg("s").noconvert(),
           py::arg("V").noconvert(), py::arg("n_threads") = 1)
      .def("corrective", &correct, py::arg("U").noconvert(), py::arg("V").noconvert(),
           py::arg("X").noconvert(), py::arg("weights"), py::arg("n_threads") = 1);
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
      [](Index rows, Index cols, double ridge, py::function evaluate, py::function corrective) {
        return ObjectiveHandle{std::make_shared<PythonObjective>(
                                   rows, cols, ridge, std::move(evaluate), std::move(corrective)),
                               {}};
      },
      py::arg("rows"), py::arg("cols"), py::arg("ridge"), py::arg("evaluate"),
      py::arg("corrective"));
}

}  // namespace regiht::bindings
