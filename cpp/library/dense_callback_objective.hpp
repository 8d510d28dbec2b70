#pragma once

#include "callbacks.hpp"
#include "regiht/objective.hpp"

namespace regiht::library {

/// The objective behind a regiht_dense_objective; each gradient is computed once for a point.
class DenseCallbackObjective final : public Objective {
 public:
  DenseCallbackObjective(const regiht_dense_objective& functions, void* context)
      : functions_(functions), context_(context) {}

  Index dimension() const override { return static_cast<Index>(functions_.dimension); }

  double move_to(const SparseVector& x) override {
    const bool is_here = has_value_ && same_but_for_zeros(x, x_);
    x_ = x;
    if (is_here) return value_;
    has_value_ = has_gradient_ = false;
    value_ = unwritten;
    require_done(functions_.value(dense(x_), &value_, context_), "value");
    has_value_ = true;
    return value_;
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    if (x_.size() > 0) read(gradient_here(), x_.indices, out);
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    entries.clear();
    append_outside(x_.indices, gradient_here(), magnitude, entries);
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    const auto ask = [&](auto... arguments) {
      return functions_.second_derivatives(dense(x_), arguments..., context_);
    };
    if (functions_.second_derivatives && ask_second_derivatives(rows, columns, out, ask)) return;
    difference_gradients(x_, rows, columns, out, [&](const SparseVector& at, VectorView g) {
      evaluate(at, nearby_);
      read(nearby_, at.indices, g);
    });
  }

  bool is_quadratic() const override { return functions_.is_quadratic != 0; }

  double gradients_spent() const override { return spent_; }

 private:
  /// A dense point, valid until the next call.
  const double* dense(const SparseVector& x) {
    if (full_.size() == 0) full_ = Vector::Zero(dimension());
    for (const Index j : filled_) full_[j] = 0.0;
    filled_ = x.indices;
    for (std::size_t k = 0; k < filled_.size(); ++k) full_[filled_[k]] = x.values[k];
    return full_.data();
  }

  void evaluate(const SparseVector& at, Vector& gradient) {
    gradient.setConstant(dimension(), unwritten);
    require_done(functions_.gradient(dense(at), gradient.data(), context_), "gradient");
    spent_ += 1.0;
  }

  const Vector& gradient_here() {
    if (!has_gradient_) evaluate(x_, gradient_);
    has_gradient_ = true;
    return gradient_;
  }

  static void read(const Vector& gradient, const Support& indices, VectorView out) {
    for (std::size_t k = 0; k < indices.size(); ++k)
      out[static_cast<Index>(k)] = gradient[indices[k]];
  }

  regiht_dense_objective functions_;
  void* context_;
  SparseVector x_;
  double value_ = unwritten;
  Vector gradient_, nearby_;  // at x, and beside it
  bool has_value_ = false, has_gradient_ = false;
  Vector full_;  // of one point, its entries that may not be zero listed here:
  Support filled_;
  double spent_ = 0.0;
};

}  // namespace regiht::library
