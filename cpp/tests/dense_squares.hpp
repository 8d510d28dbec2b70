#pragma once

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "regiht/objective.hpp"

namespace regiht::testing {

/// ½‖Ax − y‖² of a small dense matrix, with nothing but the formulas.
class DenseSquares final : public Objective {
 public:
  DenseSquares(Matrix A, Vector y) : A_(std::move(A)), y_(std::move(y)) {}

  Index dimension() const override { return A_.cols(); }

  double move_to(const SparseVector& x) override {
    x_ = x;
    residual_ = A_ * x.dense(dimension()) - y_;
    return 0.5 * residual_.squaredNorm();
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    for (Index k = 0; k < x_.size(); ++k) out[k] = slope(x_.indices[static_cast<std::size_t>(k)]);
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    entries.clear();
    for (Index j = 0; j < dimension(); ++j)
      if (!x_.lists(j)) entries.append_if_large(j, slope(j), magnitude);
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    out = A_(Eigen::all, rows).transpose() * A_(Eigen::all, columns);
  }

  bool is_quadratic() const override { return true; }
  double gradients_spent() const override { return 0.0; }

  /// The least value on a support.
  double minimum(const Support& support) const {
    const Matrix columns = A_(Eigen::all, support);
    const Vector best = columns.householderQr().solve(y_);
    return 0.5 * (columns * best - y_).squaredNorm();
  }

  /// The largest slope at x of the entries that it lists, against the lengths of the column and y.
  double largest_slope(const SparseVector& x) {
    move_to(x);
    double largest = 0.0;
    for (const Index j : x.indices)
      largest = std::max(largest, std::abs(slope(j)) / (A_.col(j).norm() * y_.norm()));
    return largest;
  }

 private:
  double slope(Index j) const { return A_.col(j).dot(residual_); }

  Matrix A_;
  Vector y_, residual_;
  SparseVector x_;
};

inline Matrix random_matrix(unsigned seed, Index rows, Index cols) {
  std::srand(seed);
  return Matrix::Random(rows, cols);
}

/// Columns of which some are much alike.
inline DenseSquares coherent_squares(unsigned seed, Index rows, Index cols) {
  Matrix A = random_matrix(seed, rows, cols);
  for (Index j = 1; j < cols; j += 2) A.col(j) = A.col(j - 1) + 0.3 * A.col(j);
  return {A, Vector::Random(rows)};
}

}  // namespace regiht::testing
