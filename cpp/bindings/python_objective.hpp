#pragma once

#include <numeric>
#include <unordered_map>

#include "bindings.hpp"
#include "gil.hpp"
#include "regiht/objective.hpp"

namespace regiht::bindings {

/// An objective written in Python: an object with value(x), gradient(x) and optional methods, all
/// results checked. Methods are called with the GIL held, on the solving thread.
class PythonObjective final : public Objective {
 public:
  PythonObjective(const py::object& object, Index dimension)
      : value_(object.attr("value")),
        gradient_(object.attr("gradient")),
        value_and_gradient_(offered(object, "value_and_gradient")),
        gradient_at_(offered(object, "gradient_at")),
        reaching_(offered(object, "gradient_reaching")),
        largest_(offered(object, "largest_off_support")),
        second_derivatives_(offered(object, "second_derivatives")),
        curvatures_(offered(object, "curvatures")),
        approximate_curvatures_(offered(object, "approximate_curvatures")),
        intercept_(offered(object, "intercept")),
        work_(offered(object, "work")),
        is_quadratic_(object.attr("is_quadratic").cast<bool>()),
        dimension_(dimension) {}

  Index dimension() const override { return dimension_; }

  double move_to(const SparseVector& x) override {
    const bool is_here = is_evaluated_ && same_but_for_zeros(x, x_);
    x_ = x;
    if (is_here) return known_value_;
    full_in_a_row_ = full_is_wanted_ ? full_in_a_row_ + 1 : 0;
    full_is_wanted_ = full_is_current_ = is_evaluated_ = false;
    const AcquireGil acquire;
    if (!value_and_gradient_.is_none() && expects_full()) {
      const py::tuple both = call(value_and_gradient_, dense(x_));
      known_value_ = both[0].cast<double>();
      take_full(both[1].cast<DoubleArray>());
    } else {
      known_value_ = call(value_, dense(x_)).cast<double>();
    }
    is_evaluated_ = true;
    return known_value_;
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    if (gradient_at_.is_none()) {
      evaluate_full();
    } else if (!full_is_current_ && expects_full()) {
      ask_for_full();
    }
    if (full_is_current_)
      read_full(x_.indices, out);
    else
      ask_entries(x_, out);
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    if (!reaching_.is_none() && !full_is_current_ && magnitude > 0.0) {
      const AcquireGil acquire;
      take_entries(call(reaching_, dense(x_), to_array(x_.indices), py::float_(magnitude)),
                   entries);
      spent_ += static_cast<double>(entries.size()) / static_cast<double>(dimension_);
      return;
    }
    evaluate_full();
    entries.clear();
    append_outside(x_.indices, full_, magnitude, entries);
  }

  void largest_off_support(Index count, SparseVector& entries) override {
    if (largest_.is_none() || full_is_current_) return gradient_off_support(0.0, entries);
    const AcquireGil acquire;
    take_entries(call(largest_, dense(x_), to_array(x_.indices), py::int_(count)), entries);
    spent_ += 1.0;
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    if (second_derivatives_.is_none()) {
      difference_gradients(x_, rows, columns, out,
                           [&](const SparseVector& at, VectorView g) { gradient_near(at, g); });
      return;
    }
    out.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    if (out.size() == 0) return;
    const AcquireGil acquire;
    const DoubleArray answer =
        call(second_derivatives_, dense(x_), to_array(rows), to_array(columns)).cast<DoubleArray>();
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    out = Eigen::Map<const RowMajor>(answer.data(), out.rows(), out.cols());
  }

  void curvatures(const Support& columns, VectorView out) override {
    if (curvatures_.is_none()) return work_out_curvatures(columns, out);
    if (columns.empty()) return;
    const AcquireGil acquire;
    out = as_vector(call(curvatures_, dense(x_), to_array(columns)).cast<DoubleArray>());
  }

  bool is_quadratic() const override { return is_quadratic_; }

  void approximate_curvatures(VectorView out) override {
    if (!approximate_curvatures_.is_none()) {
      const AcquireGil acquire;
      out = as_vector(call(approximate_curvatures_, dense(x_)).cast<DoubleArray>());
    } else if (!curvatures_.is_none()) {
      Support all(static_cast<std::size_t>(dimension_));
      std::iota(all.begin(), all.end(), Index{0});
      curvatures(all, out);
    } else {
      out.setOnes();
    }
  }

  double gradients_spent() const override { return spent_; }

  double work() const override {
    if (work_.is_none()) return Objective::work();
    const AcquireGil acquire;
    return call(work_).cast<double>();
  }

  bool has_intercept() const override { return !intercept_.is_none(); }

  double intercept() const override {
    const AcquireGil acquire;
    return call(intercept_, dense(x_)).cast<double>();
  }

 private:
  static py::object offered(const py::object& object, const char* name) {
    return object.attr("offered").contains(name) ? py::object(object.attr(name)) : py::none();
  }

  /// A new copy for each call, since Python may keep and change it.
  DoubleArray dense(const SparseVector& x) const { return to_array(x.dense(dimension_)); }

  /// Whether the full gradient is expected to be wanted here, as at the last two points.
  bool expects_full() const { return full_in_a_row_ >= 2; }

  /// Takes columns and gradient entries from a Python result.
  static void take_entries(const py::tuple& answer, SparseVector& entries) {
    const IndexArray columns = answer[0].cast<IndexArray>();
    const DoubleArray values = answer[1].cast<DoubleArray>();
    entries.indices.assign(columns.data(), columns.data() + columns.size());
    entries.values.assign(values.data(), values.data() + values.size());
  }

  void evaluate_full() {
    full_is_wanted_ = true;
    if (!full_is_current_) ask_for_full();
  }

  void ask_for_full() {
    const AcquireGil acquire;
    take_full(call(gradient_, dense(x_)).cast<DoubleArray>());
  }

  void take_full(const DoubleArray& gradient) {
    full_ = as_vector(gradient);
    full_is_current_ = true;
    spent_ += 1.0;
  }

  void read_full(const Support& indices, VectorView out) const {
    for (std::size_t k = 0; k < indices.size(); ++k) out[static_cast<Index>(k)] = full_[indices[k]];
  }

  /// Writes the gradient at a point for the indices it lists, via gradient_at.
  void ask_entries(const SparseVector& at, VectorView out) {
    if (at.size() == 0) return;
    const AcquireGil acquire;
    out = as_vector(call(gradient_at_, dense(at), to_array(at.indices)).cast<DoubleArray>());
  }

  /// The same at a temporary point, which may list more than x.
  void gradient_near(const SparseVector& at, VectorView out) {
    if (!gradient_at_.is_none()) {
      ask_entries(at, out);
      spent_ += static_cast<double>(at.size() - x_.size()) / static_cast<double>(dimension_);
      return;
    }
    const AcquireGil acquire;
    const DoubleArray gradient = call(gradient_, dense(at)).cast<DoubleArray>();
    for (Index k = 0; k < at.size(); ++k)
      out[k] = gradient.data()[at.indices[static_cast<std::size_t>(k)]];
    spent_ += 1.0;
  }

  /// Computed from second derivatives column by column; cached if these are constant.
  void work_out_curvatures(const Support& columns, VectorView out) {
    if (!is_quadratic_) return Objective::curvatures(columns, out);
    Support unknown;
    for (const Index j : columns)
      if (known_curvatures_.count(j) == 0) unknown.push_back(j);
    Vector found(static_cast<Index>(unknown.size()));
    Objective::curvatures(unknown, found);
    for (std::size_t k = 0; k < unknown.size(); ++k)
      known_curvatures_[unknown[k]] = found[static_cast<Index>(k)];
    for (std::size_t k = 0; k < columns.size(); ++k)
      out[static_cast<Index>(k)] = known_curvatures_.at(columns[k]);
  }

  py::object value_, gradient_;
  // None if the object lacks the method.
  py::object value_and_gradient_, gradient_at_, reaching_, largest_, second_derivatives_,
      curvatures_, approximate_curvatures_, intercept_, work_;
  bool is_quadratic_;
  Index dimension_;

  SparseVector x_;
  double known_value_ = 0.0;
  bool is_evaluated_ = false;
  Vector full_;
  bool full_is_current_ = false;
  bool full_is_wanted_ = false;  // all of it was asked for, or more than can be had by entry
  int full_in_a_row_ = 0;        // consecutive earlier points at which that was so
  std::unordered_map<Index, double> known_curvatures_;
  double spent_ = 0.0;
};

}  // namespace regiht::bindings
