#pragma once

#include <optional>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"

namespace regiht::testing {

/// ½(x − center)ᵀ diag(curvature) (x − center), answering with all entries of its gradient.
class Quadratic final : public Objective {
 public:
  Quadratic(Vector center, Vector curvature)
      : center_(std::move(center)), curvature_(std::move(curvature)) {}

  Index dimension() const override { return center_.size(); }

  double move_to(const SparseVector& x) override {
    x_ = x;
    gradient_ = curvature_.cwiseProduct(x.dense(dimension()) - center_);
    return 0.5 * gradient_.dot(x.dense(dimension()) - center_);
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    for (Index k = 0; k < x_.size(); ++k) out[k] = gradient_[x_.indices[std::size_t(k)]];
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    entries.clear();
    for (Index j = 0, k = 0; j < dimension(); ++j) {
      if (k < x_.size() && x_.indices[std::size_t(k)] == j)
        ++k;
      else if (std::abs(gradient_[j]) >= magnitude)
        entries.append(j, gradient_[j]);
    }
    spent_ += 1.0;
  }

  double gradients_spent() const override { return spent_; }

 private:
  Vector center_, curvature_, gradient_;
  SparseVector x_;
  double spent_ = 0.0;
};

/// Keeps what it sees and stops when told to.
class Recorder final : public Observer {
 public:
  explicit Recorder(Index stop_at = -1) : stop_at_(stop_at) {}

  std::optional<Status> observe(const Iteration& iteration) override {
    numbers.push_back(iteration.number);
    values.push_back(iteration.value);
    regularized_values.push_back(iteration.regularized_value);
    points.push_back(iteration.x);
    weights.push_back(iteration.weights);
    if (iteration.number == stop_at_) return Status::stopped;
    return std::nullopt;
  }

  std::vector<Index> numbers;
  std::vector<double> values, regularized_values;
  std::vector<SparseVector> points;
  std::vector<Vector> weights;

 private:
  Index stop_at_;
};

}  // namespace regiht::testing
