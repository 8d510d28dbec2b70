#pragma once

#include "bindings.hpp"
#include "gil.hpp"
#include "regiht/objective.hpp"

namespace regiht::bindings {

/// A function written in Python: an object with value(x) → float and gradient(x) → float64 vector.
class PythonObjective final : public Objective {
 public:
  PythonObjective(const py::object& object, Index dimension)
      : value_(object.attr("value")), gradient_(object.attr("gradient")), dimension_(dimension) {}

  Index dimension() const override { return dimension_; }

  double move_to(const SparseVector& x) override {
    const AcquireGil acquire;
    x_ = x;
    gradient_is_current_ = false;
    return call(value_, dense()).cast<double>();
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    evaluate();
    for (Index k = 0; k < x_.size(); ++k) out[k] = full_[x_.indices[static_cast<std::size_t>(k)]];
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    evaluate();
    entries.clear();
    append_outside(x_.indices, full_, magnitude, entries);
  }

  double gradients_spent() const override { return spent_; }

 private:
  DoubleArray dense() const { return to_array(x_.dense(dimension_)); }

  void evaluate() {
    if (gradient_is_current_) return;
    const AcquireGil acquire;
    full_ = as_vector(call(gradient_, dense()).cast<DoubleArray>());
    gradient_is_current_ = true;
    spent_ += 1.0;
  }

  py::object value_, gradient_;
  Index dimension_;
  SparseVector x_;
  Vector full_;
  bool gradient_is_current_ = false;
  double spent_ = 0.0;
};

}  // namespace regiht::bindings
