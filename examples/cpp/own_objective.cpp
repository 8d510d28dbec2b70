// A user-defined objective in every solver: a robust regression, Σᵢ log cosh((Ax)ᵢ − yᵢ) + ½ρ‖x‖²,
// with rows in blocks that may live anywhere. Recovers the planted features.
#include <cmath>
#include <iostream>
#include <random>
#include <regiht/regiht.hpp>
#include <utility>
#include <vector>

namespace {

using regiht::Index;
using regiht::Matrix;
using regiht::SparseVector;
using regiht::Support;
using regiht::Vector;

struct RowBlock {
  Matrix A;
  Vector y;
};

class RobustRegression final : public regiht::Objective {
 public:
  /// Borrows the blocks.
  RobustRegression(const std::vector<RowBlock>& blocks, double ridge)
      : blocks_(blocks), ridge_(ridge), residuals_(blocks.size()) {}

  Index dimension() const override { return blocks_.front().A.cols(); }

  double move_to(const SparseVector& x) override {
    x_ = x;
    double total = 0.5 * ridge_ * x.squared_norm();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Vector& residual = residuals_[b];
      residual = -blocks_[b].y;
      for (std::size_t k = 0; k < x.indices.size(); ++k)
        residual += x.values[k] * blocks_[b].A.col(x.indices[k]);
      // log cosh r without overflow.
      total +=
          (residual.array().abs() - std::log(2.0) + (-2.0 * residual.array().abs()).exp().log1p())
              .sum();
    }
    return total;
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(regiht::VectorView out) override {
    for (std::size_t k = 0; k < x_.indices.size(); ++k)
      out[static_cast<Index>(k)] = slope(x_.indices[k]) + ridge_ * x_.values[k];
  }

  // x is zero off its support, and so is the gradient of the ridge there.
  void gradient_off_support(double magnitude, SparseVector& entries) override {
    Vector gradient = Vector::Zero(dimension());
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      gradient += blocks_[b].A.transpose() * residuals_[b].array().tanh().matrix();
    entries.clear();
    regiht::append_outside(x_.indices, gradient, magnitude, entries);
    spent_ += 1.0;
  }

  // Optional: by default, second derivatives are differences of gradients.
  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    out.setZero(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const Vector curvature = 1.0 - residuals_[b].array().tanh().square();
      const Matrix weighted = curvature.asDiagonal() * blocks_[b].A(Eigen::all, columns);
      out += blocks_[b].A(Eigen::all, rows).transpose() * weighted;
    }
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t l = 0; l < columns.size(); ++l)
        if (rows[k] == columns[l]) out(static_cast<Index>(k), static_cast<Index>(l)) += ridge_;
  }

  double gradients_spent() const override { return spent_; }

 private:
  double slope(Index j) const {
    double total = 0.0;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      total += blocks_[b].A.col(j).dot(residuals_[b].array().tanh().matrix());
    return total;
  }

  const std::vector<RowBlock>& blocks_;
  double ridge_;
  SparseVector x_;
  std::vector<Vector> residuals_;  // by block, at x
  double spent_ = 0.0;
};

/// Predictions of a planted model, one in ten of them an outlier.
std::vector<RowBlock> make_blocks(Index cols, const SparseVector& planted) {
  std::mt19937 engine(1);
  const auto uniform = [&] { return static_cast<double>(engine() % 2001) / 1000.0 - 1.0; };
  std::vector<RowBlock> blocks;
  for (const Index rows : {90, 10, 150}) {
    Matrix A = Matrix::NullaryExpr(rows, cols, uniform);
    Vector y = A * planted.dense(cols);
    for (Index i = 0; i < rows; ++i) y[i] += 0.1 * uniform() + (engine() % 10 == 0 ? 20.0 : 0.0);
    blocks.push_back({std::move(A), std::move(y)});
  }
  return blocks;
}

}  // namespace

int main() {
  const Index cols = 400;
  const SparseVector planted{{7, 42, 300}, {3.0, -2.0, 1.0}};
  const std::vector<RowBlock> blocks = make_blocks(cols, planted);
  RobustRegression objective(blocks, 1e-3);

  regiht::Options options;
  options.sparsity = planted.size();
  options.swap = true;
  regiht::SilentObserver observer;
  for (const char* method : {"regiht", "omp", "best"}) {
    const regiht::Result result =
        regiht::solve(objective, regiht::find_method(method), options, observer);
    std::cout << method << ": " << regiht::describe(result.status).message << " Objective "
              << result.value << ", features";
    for (std::size_t k = 0; k < result.x.indices.size(); ++k)
      std::cout << " " << result.x.indices[k] << " (" << result.x.values[k] << ")";
    std::cout << "\n";
    if (result.x.indices != planted.indices) return 1;
  }
  return 0;
}
