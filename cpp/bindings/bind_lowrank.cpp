#include <cstdint>

#include "lowrank_handles.hpp"
#include "regiht/lowrank/dense_operator.hpp"
#include "regiht/lowrank/every_entry.hpp"
#include "regiht/lowrank/leading_singular.hpp"
#include "regiht/lowrank/low_rank_sum.hpp"
#include "regiht/lowrank/measurement_sweep.hpp"
#include "regiht/lowrank/observed_operator.hpp"
#include "regiht/lowrank/space_weights.hpp"
#include "regiht/lowrank/span_gram.hpp"
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

py::tuple find_leading(const OperatorHandle& handle, double scale, const DoubleArray& left,
                       const DoubleArray& right, Index count, double tol, Index max_blocks,
                       const DoubleArray& start_left, const DoubleArray& start_right,
                       int n_threads) {
  const auto L = as_block(left), R = as_block(right);
  const auto first_left = as_block(start_left), first_right = as_block(start_right);
  LeadingOptions options;
  options.count = count;
  options.tol = tol;
  options.max_blocks = max_blocks;
  options.threads = n_threads;
  options.poll = SignalPoll();
  LeadingTriplets found = [&] {
    const ReleaseGil release;
    return leading_singular(LowRankSum(*handle.matrix, scale, L, R), options, first_left,
                            first_right);
  }();
  return py::make_tuple(to_block(found.triplets.U), to_array(found.triplets.s),
                        to_block(found.triplets.V), found.converged, found.blocks, found.residual);
}

py::tuple decompose(const DoubleArray& matrix, Index rank) {
  const Basis copy = as_block(matrix);
  const SingularTriplets found = [&] {
    const ReleaseGil release;
    return truncate_rank(copy, rank);
  }();
  return to_tuple(found);
}

py::tuple decompose_symmetric(const DoubleArray& matrix) {
  const Basis copy = as_block(matrix);
  const SymmetricEigen found = [&] {
    const ReleaseGil release;
    return symmetric_eigen(copy);
  }();
  return py::make_tuple(to_array(found.values), to_block(found.vectors));
}

/// A · B, of which each may be transposed.
DoubleArray multiply(const DoubleArray& a, const DoubleArray& b, bool transpose_a, bool transpose_b,
                     int n_threads) {
  constexpr Index few = 256;
  const auto A = as_block(a), given = as_block(b);
  if ((transpose_a ? A.rows() : A.cols()) != (transpose_b ? given.cols() : given.rows()))
    throw py::value_error("the shapes of the factors do not match");
  NewBlock out(transpose_a ? A.cols() : A.rows(), transpose_b ? given.rows() : given.cols());
  {
    const ReleaseGil release;
    const Block turned = transpose_b ? Block(given.transpose()) : Block();
    const ConstBlockView B = transpose_b ? ConstBlockView(turned) : ConstBlockView(given);
    if (!transpose_a)
      out.view = product(A, B, n_threads);
    else if (A.cols() <= few)
      out.view = inner_product(A, B, n_threads);
    else
      transposed_product(A, B, out.view, n_threads);
  }
  return out.array;
}

double dot(const DoubleArray& a, const DoubleArray& b, int n_threads) {
  if (a.size() != b.size()) throw py::value_error("vectors of the same size are needed");
  const Eigen::Map<const Vector> x(a.data(), a.size()), y(b.data(), b.size());
  const ReleaseGil release;
  return dot_product(x, y, n_threads);
}

py::tuple decompose_qr(const DoubleArray& matrix, int n_threads) {
  const auto view = as_block(matrix);
  const QR found = [&] {
    const ReleaseGil release;
    return thin_qr(view, n_threads);
  }();
  return py::make_tuple(to_block(found.Q), to_block(found.R));
}

py::tuple decompose_product(const DoubleArray& U, const DoubleArray& X, const DoubleArray& V,
                            int n_threads) {
  const auto left = as_block(U), core = as_block(X), right = as_block(V);
  const Factors found = [&] {
    const ReleaseGil release;
    return Factors::of_product(left, core, right, n_threads);
  }();
  return to_tuple(found);
}

py::tuple decompose_terms(const DoubleArray& left, const DoubleArray& right, int n_threads) {
  const auto L = as_block(left), R = as_block(right);
  const Factors found = [&] {
    const ReleaseGil release;
    return Factors::of_terms(L, R, n_threads);
  }();
  return to_tuple(found);
}

double squared_norm_of_terms(const DoubleArray& left, const DoubleArray& right, int n_threads) {
  const auto L = as_block(left), R = as_block(right);
  const ReleaseGil release;
  return squared_norm(L, R, n_threads);
}

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
  {
    const ReleaseGil release;
    alternating_step(entries, left ? Side::left : Side::right,
                     {handle.loss, added, penalty_per_entry, shift}, fixed, out.view, n_threads);
  }
  return out.array;
}

template <class Entries>
py::tuple sweep_factors(const Entries& entries, const LossHandle& handle, const DoubleArray& U,
                        const DoubleArray& s, const DoubleArray& V, double ridge, double shift,
                        int n_threads) {
  handle.check(entries);
  const Factors A = as_factors(U, s, V);
  const SignalPoll poll;
  const Factors found = [&] {
    const ReleaseGil release;
    const Block base = ridge * Block::Identity(A.rank(), A.rank());
    const CoreFactors swept =
        sweep(entries, {handle.loss, base, 0.0, shift}, A.left(), A.V, n_threads, poll);
    return Factors::of_product(swept.left, swept.core, swept.right, n_threads);
  }();
  return to_tuple(found);
}

template <class Entries>
DoubleArray sum_span_gram(const Entries& entries, const DoubleArray& weights, const DoubleArray& U,
                          const DoubleArray& V, int n_threads) {
  if (weights.size() != entries.count())
    throw py::value_error("one weight for each entry is needed");
  const auto given = as_vector(weights);
  const auto left = as_block(U), right = as_block(V);
  const Block found = [&] {
    const ReleaseGil release;
    return span_gram(entries, given, left, right, n_threads);
  }();
  return to_block(found);
}

py::tuple sweep_measured(const DoubleArray& C, const DoubleArray& y, const DoubleArray& U,
                         const DoubleArray& s, const DoubleArray& V, double ridge, int n_threads) {
  const Factors A = as_factors(U, s, V);
  if (C.ndim() != 2 || C.shape(1) != A.rows() * A.cols() || C.shape(0) != y.size())
    throw py::value_error("one row of C for each measurement is needed, and all entries in it");
  const auto measured = as_block(C);
  const auto target = as_vector(y);
  const Factors found = [&] {
    const ReleaseGil release;
    return sweep(DenseMeasurements{measured, A.rows(), A.cols()}, target, ridge, A, n_threads);
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
      .def("span_gram", &sum_span_gram<ObservedEntries>, py::arg("weights").noconvert(),
           py::arg("U").noconvert(), py::arg("V").noconvert(), py::arg("n_threads") = 1)
      .def("sweep", &sweep_factors<ObservedEntries>, py::arg("loss"), py::arg("U").noconvert(),
           py::arg("s").noconvert(), py::arg("V").noconvert(), py::arg("ridge"), py::arg("shift"),
           py::arg("n_threads") = 1)
      .def("total_loss", &sum_losses, py::arg("loss"), py::arg("left").noconvert(),
           py::arg("right").noconvert(), py::arg("n_threads") = 1)
      .def("total_loss_of", &sum_losses_of, py::arg("loss"), py::arg("predictions").noconvert(),
           py::arg("n_threads") = 1);
}

DoubleArray weigh(const DoubleArray& Q, const DoubleArray& d, const DoubleArray& block, bool root,
                  int n_threads) {
  const SpaceWeights weights{as_block(Q), as_vector(d)};
  const auto X = as_block(block);
  const Block found = [&] {
    const ReleaseGil release;
    return root ? weights.root_times(X, n_threads) : weights.times(X, n_threads);
  }();
  return to_block(found);
}

py::tuple lower_weights(const DoubleArray& Q, const DoubleArray& d, const DoubleArray& removed,
                        int n_threads) {
  const SpaceWeights before{as_block(Q), as_vector(d)};
  const auto X = as_block(removed);
  const SpaceWeights after = [&] {
    const ReleaseGil release;
    return before.lowered_by(X, n_threads);
  }();
  return py::make_tuple(to_block(after.Q), to_array(after.d));
}

void bind_every_entry(py::module_& module) {
  py::class_<EveryEntry>(module, "EveryEntry")
      .def(py::init<Index, Index>(), py::arg("rows"), py::arg("cols"))
      .def("span_gram", &sum_span_gram<EveryEntry>, py::arg("weights").noconvert(),
           py::arg("U").noconvert(), py::arg("V").noconvert(), py::arg("n_threads") = 1)
      .def("sweep", &sweep_factors<EveryEntry>, py::arg("loss"), py::arg("U").noconvert(),
           py::arg("s").noconvert(), py::arg("V").noconvert(), py::arg("ridge"), py::arg("shift"),
           py::arg("n_threads") = 1);
}

}  // namespace

void bind_lowrank(py::module_& module) {
  bind_operators(module);
  bind_entries(module);
  bind_every_entry(module);
  module.def("measurement_sweep", &sweep_measured, py::arg("C").noconvert(),
             py::arg("y").noconvert(), py::arg("U").noconvert(), py::arg("s").noconvert(),
             py::arg("V").noconvert(), py::arg("ridge"), py::arg("n_threads") = 1);
  module.def("leading_singular", &find_leading, py::arg("matrix"), py::kw_only(), py::arg("scale"),
             py::arg("left").noconvert(), py::arg("right").noconvert(), py::arg("count"),
             py::arg("tol"), py::arg("max_blocks"), py::arg("start_left").noconvert(),
             py::arg("start_right").noconvert(), py::arg("n_threads"));
  module.def("product", &multiply, py::arg("a").noconvert(), py::arg("b").noconvert(),
             py::kw_only(), py::arg("transpose_a") = false, py::arg("transpose_b") = false,
             py::arg("n_threads") = 1);
  module.def("dot", &dot, py::arg("a").noconvert(), py::arg("b").noconvert(),
             py::arg("n_threads") = 1);
  module.def("thin_qr", &decompose_qr, py::arg("matrix").noconvert(), py::arg("n_threads") = 1);
  module.def("truncated_svd", &decompose, py::arg("matrix").noconvert(), py::arg("rank"));
  module.def("factors_of_product", &decompose_product, py::arg("U").noconvert(),
             py::arg("X").noconvert(), py::arg("V").noconvert(), py::arg("n_threads") = 1);
  module.def("factors_of_terms", &decompose_terms, py::arg("left").noconvert(),
             py::arg("right").noconvert(), py::arg("n_threads") = 1);
  module.def("squared_norm_of_terms", &squared_norm_of_terms, py::arg("left").noconvert(),
             py::arg("right").noconvert(), py::arg("n_threads") = 1);
  module.def("weights_times", &weigh, py::arg("Q").noconvert(), py::arg("d").noconvert(),
             py::arg("block").noconvert(), py::arg("root"), py::arg("n_threads") = 1);
  module.def("lowered_weights", &lower_weights, py::arg("Q").noconvert(), py::arg("d").noconvert(),
             py::arg("removed").noconvert(), py::arg("n_threads") = 1);
  module.def("symmetric_eigen", &decompose_symmetric, py::arg("matrix").noconvert());
}

}  // namespace regiht::bindings
