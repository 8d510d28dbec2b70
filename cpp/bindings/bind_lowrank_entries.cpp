#include <cstdint>

#include "lowrank_handles.hpp"
#include "regiht/lowrank/dense_operator.hpp"
#include "regiht/lowrank/every_entry.hpp"
#include "regiht/lowrank/measurement_sweep.hpp"
#include "regiht/lowrank/observed_operator.hpp"
#include "regiht/lowrank/sweep.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

/// A matrix whose products are Python functions of a block.
class PythonOperator final : public MatrixOperator {
 public:
  PythonOperator(Index rows, Index cols, py::function apply, py::function apply_transpose)
      : rows_(rows),
        cols_(cols),
        apply_(std::move(apply)),
        apply_transpose_(std::move(apply_transpose)) {}

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }

  void apply(ConstBlockView in, BlockView out, int) const override { call(apply_, in, out); }
  void apply_transpose(ConstBlockView in, BlockView out, int) const override {
    call(apply_transpose_, in, out);
  }

 private:
  static void call(const py::function& function, ConstBlockView in, BlockView out) {
    const AcquireGil acquire;
    const auto answer = DoubleArray::ensure(bindings::call(function, to_block(in)));
    if (!answer || answer.ndim() != 2 || answer.shape(0) != out.rows() ||
        answer.shape(1) != out.cols()) {
      PyErr_Clear();
      throw py::value_error("a product with the operator has the wrong shape");
    }
    out = as_block(answer);
  }

  Index rows_, cols_;
  py::function apply_, apply_transpose_;
};

void bind_operators(py::module_& module) {
  py::class_<OperatorHandle>(module, "MatrixOperator");
  module.def(
      "dense_operator",
      [](DoubleArray matrix) {
        auto dense = std::make_shared<DenseOperator>(as_block(matrix));
        return OperatorHandle{std::move(dense), {std::move(matrix)}};
      },
      py::arg("matrix").noconvert());
  module.def(
      "observed_operator",
      [](const std::shared_ptr<ObservedEntries>& entries, DoubleArray values) {
        auto observed = std::make_shared<ObservedOperator>(*entries, as_vector(values));
        return OperatorHandle{std::move(observed), {py::cast(entries), std::move(values)}};
      },
      py::arg("entries"), py::arg("values").noconvert());
  module.def(
      "callable_operator",
      [](Index rows, Index cols, py::function apply, py::function apply_transpose) {
        return OperatorHandle{std::make_shared<PythonOperator>(rows, cols, std::move(apply),
                                                               std::move(apply_transpose)),
                              {}};
      },
      py::arg("rows"), py::arg("cols"), py::arg("apply"), py::arg("apply_transpose"));
}

DoubleArray predict(const ObservedEntries& entries, const DoubleArray& left,
                    const DoubleArray& right, int n_threads) {
  const auto L = as_block(left), R = as_block(right);
  DoubleArray out(entries.count());
  Eigen::Map<Vector> predictions(out.mutable_data(), entries.count());
  {
    const ReleaseGil release;
    entries.predict(L, R, predictions, n_threads);
  }
  return out;
}

DoubleArray times(const ObservedEntries& entries, const DoubleArray& values,
                  const DoubleArray& block, bool transposed, int n_threads) {
  const auto v = as_vector(values);
  const auto in = as_block(block);
  NewBlock out(transposed ? entries.cols() : entries.rows(), in.cols());
  {
    const ReleaseGil release;
    if (transposed)
      entries.transpose_times(v, in, out.view, n_threads);
    else
      entries.times(v, in, out.view, n_threads);
  }
  return out.array;
}

DoubleArray step_factor(const ObservedEntries& entries, bool left, const LossHandle& handle,
                        const DoubleArray& other, const DoubleArray& factor,
                        const DoubleArray& base, double penalty_per_entry, double shift,
                        int n_threads) {
  handle.check(entries);
  const auto fixed = as_block(other), added = as_block(base);
  NewBlock out(factor.shape(0), factor.shape(1));
  out.view = as_block(factor);
  const InterruptPoll poll;
  {
    const ReleaseGil release;
    alternating_step(entries, left ? Side::left : Side::right,
                     {handle.loss, added, penalty_per_entry, shift}, fixed, out.view, n_threads,
                     poll);
  }
  return out.array;
}

template <class Entries>
py::tuple sweep_factors(const Entries& entries, const LossHandle& handle, const DoubleArray& U,
                        const DoubleArray& s, const DoubleArray& V, double ridge, double shift,
                        int n_threads) {
  handle.check(entries);
  const Factors A = as_factors(U, s, V);
  const InterruptPoll poll;
  const Factors found = [&] {
    const ReleaseGil release;
    const Block base = ridge * Block::Identity(A.rank(), A.rank());
    const CoreFactors swept =
        sweep(entries, {handle.loss, base, 0.0, shift}, A.left(), A.V, n_threads, poll);
    return Factors::of_product(swept.left, swept.core, swept.right, n_threads);
  }();
  return to_tuple(found);
}

py::tuple sweep_measured(const DoubleArray& C, const DoubleArray& y, const DoubleArray& U,
                         const DoubleArray& s, const DoubleArray& V, double ridge, int n_threads) {
  const Factors A = as_factors(U, s, V);
  if (C.ndim() != 2 || C.shape(1) != A.rows() * A.cols() || C.shape(0) != y.size())
    throw py::value_error("one row of C for each measurement is needed, and all entries in it");
  const auto measured = as_block(C);
  const auto target = as_vector(y);
  const InterruptPoll poll;
  const Factors found = [&] {
    const ReleaseGil release;
    return sweep(DenseMeasurements{measured, A.rows(), A.cols()}, target, ridge, A, n_threads,
                 poll);
  }();
  return to_tuple(found);
}

double sum_losses(const ObservedEntries& entries, const LossHandle& handle, const DoubleArray& left,
                  const DoubleArray& right, int n_threads) {
  handle.check(entries);
  const auto L = as_block(left), R = as_block(right);
  const ReleaseGil release;
  return total_loss(entries, handle.loss, L, R, n_threads);
}

double sum_losses_of(const ObservedEntries& entries, const LossHandle& handle,
                     const DoubleArray& predictions, int n_threads) {
  handle.check(entries);
  if (predictions.size() != entries.count())
    throw py::value_error("one prediction for each observed entry is needed");
  const auto given = as_vector(predictions);
  const ReleaseGil release;
  return total_loss(entries, handle.loss, given, n_threads);
}

/// Numbers of rows and columns of either size.
template <class Number>
std::shared_ptr<ObservedEntries> make_entries(
    Index rows, Index cols, const py::array_t<Number, py::array::c_style>& row_of,
    const py::array_t<Number, py::array::c_style>& col_of) {
  return std::make_shared<ObservedEntries>(rows, cols, static_cast<Index>(row_of.size()),
                                           row_of.data(), col_of.data());
}

/// Values that came with the rows of the entries, in the row order.
template <class Number, class Value>
ValueArray<Value> arrange(const ObservedEntries& entries,
                          const py::array_t<Number, py::array::c_style>& row_of,
                          const ValueArray<Value>& values) {
  if (row_of.size() != entries.count() || values.size() != entries.count())
    throw py::value_error("one row and one value for each observed entry are needed");
  ValueArray<Value> out(entries.count());
  entries.arrange(row_of.data(), values.data(), out.mutable_data());
  return out;
}

double slope(const ObservedEntries& entries, const DoubleArray& slopes,
             const DoubleArray& predictions, const DoubleArray& left, const DoubleArray& right,
             int n_threads) {
  if (slopes.size() != entries.count() || predictions.size() != entries.count())
    throw py::value_error("one slope and one prediction for each observed entry are needed");
  const auto given = as_vector(slopes), aim = as_vector(predictions);
  const auto L = as_block(left), R = as_block(right);
  const ReleaseGil release;
  return slope_towards(entries, given, aim, L, R, n_threads);
}

using EntriesClass = py::class_<ObservedEntries, std::shared_ptr<ObservedEntries>>;

template <class Number>
void bind_numbers(EntriesClass& entries) {
  entries
      .def(py::init(&make_entries<Number>), py::arg("rows"), py::arg("cols"),
           py::arg("row_of").noconvert(), py::arg("col_of").noconvert())
      .def("arrange", &arrange<Number, double>, py::arg("row_of").noconvert(),
           py::arg("values").noconvert())
      .def("arrange", &arrange<Number, float>, py::arg("row_of").noconvert(),
           py::arg("values").noconvert());
}

void bind_entries(py::module_& module) {
  using Weights = std::optional<DoubleArray>;
  py::class_<LossHandle>(module, "EntryLoss")
      .def(py::init<bool, const ValueArray<double>&, Weights>(), py::arg("logistic"),
           py::arg("target").noconvert(), py::arg("weights").noconvert() = py::none())
      .def(py::init<bool, const ValueArray<float>&, Weights>(), py::arg("logistic"),
           py::arg("target").noconvert(), py::arg("weights").noconvert() = py::none());
  EntriesClass entries(module, "ObservedEntries");
  bind_numbers<std::int64_t>(entries);
  bind_numbers<std::int32_t>(entries);
  entries.def_property_readonly("most_repeats", &ObservedEntries::most_repeats)
      .def("predict", &predict, py::arg("left").noconvert(), py::arg("right").noconvert(),
           py::arg("n_threads") = 1)
      .def("times", &times, py::arg("values").noconvert(), py::arg("block").noconvert(),
           py::arg("transposed"), py::arg("n_threads") = 1)
      .def("slope_towards", &slope, py::arg("slopes").noconvert(),
           py::arg("predictions").noconvert(), py::arg("left").noconvert(),
           py::arg("right").noconvert(), py::arg("n_threads") = 1)
      .def("alternating_step", &step_factor, py::arg("left"), py::arg("loss"),
           py::arg("other").noconvert(), py::arg("factor").noconvert(), py::arg("base").noconvert(),
           py::arg("penalty_per_entry"), py::arg("shift"), py::arg("n_threads") = 1)
      .def("sweep", &sweep_factors<ObservedEntries>, py::arg("loss"), py::arg("U").noconvert(),
           py::arg("s").noconvert(), py::arg("V").noconvert(), py::arg("ridge"), py::arg("shift"),
           py::arg("n_threads") = 1)
      .def("total_loss", &sum_losses, py::arg("loss"), py::arg("left").noconvert(),
           py::arg("right").noconvert(), py::arg("n_threads") = 1)
      .def("total_loss_of", &sum_losses_of, py::arg("loss"), py::arg("predictions").noconvert(),
           py::arg("n_threads") = 1);
}

void bind_every_entry(py::module_& module) {
  py::class_<EveryEntry>(module, "EveryEntry")
      .def(py::init<Index, Index>(), py::arg("rows"), py::arg("cols"))
      .def("sweep", &sweep_factors<EveryEntry>, py::arg("loss"), py::arg("U").noconvert(),
           py::arg("s").noconvert(), py::arg("V").noconvert(), py::arg("ridge"), py::arg("shift"),
           py::arg("n_threads") = 1);
}

}  // namespace

void bind_lowrank_entries(py::module_& module) {
  bind_operators(module);
  bind_entries(module);
  bind_every_entry(module);
  module.def("measurement_sweep", &sweep_measured, py::arg("C").noconvert(),
             py::arg("y").noconvert(), py::arg("U").noconvert(), py::arg("s").noconvert(),
             py::arg("V").noconvert(), py::arg("ridge"), py::arg("n_threads") = 1);
}

}  // namespace regiht::bindings
