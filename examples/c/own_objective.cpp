// An objective of your own with the compiled library; compiles in a second. A robust regression,
// Σᵢ log cosh((Ax)ᵢ − yᵢ) + ½ρ‖x‖², which recovers the planted features although one target in ten
// is far off.
#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <regiht/compiled/problem.hpp>
#include <utility>
#include <vector>

namespace {

using Column = std::vector<double>;
using regiht::compiled::Block;
using regiht::compiled::Entries;
using regiht::compiled::Indices;
using regiht::compiled::Point;
using regiht::compiled::Span;

class RobustRegression final : public regiht::compiled::Objective {
 public:
  RobustRegression(std::vector<Column> columns, Column targets, double ridge)
      : columns_(std::move(columns)),
        targets_(std::move(targets)),
        ridge_(ridge),
        slopes_(targets_.size()),
        gradient_(columns_.size()) {}

  std::int64_t dimension() const override { return static_cast<std::int64_t>(columns_.size()); }

  double move_to(const Point& x) override {
    x_ = x;  // the library keeps the entries until the next move
    Column residuals(targets_.size());
    for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = -targets_[i];
    double total = 0.0;
    for (std::size_t k = 0; k < x.indices.size(); ++k) {
      const Column& column = columns_[static_cast<std::size_t>(x.indices[k])];
      for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] += x.values[k] * column[i];
      total += 0.5 * ridge_ * x.values[k] * x.values[k];
    }
    for (std::size_t i = 0; i < residuals.size(); ++i) {
      const double size = std::abs(residuals[i]);
      total += size - std::log(2.0) + std::log1p(std::exp(-2.0 * size));  // log cosh
      slopes_[i] = std::tanh(residuals[i]);
    }
    return total;
  }

  void gradient_on_support(Span<double> out) override {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = slope(x_.indices[k]) + ridge_ * x_.values[k];
  }

  // x is zero off its support, and so is the gradient of the ridge there.
  void gradient_off_support(double magnitude, Entries& entries) override {
    for (std::int64_t j = 0; j < dimension(); ++j)
      gradient_[static_cast<std::size_t>(j)] = slope(j);
    entries.append_outside(x_.indices, gradient_.data(), magnitude);
  }

  // Optional: by default, second derivatives are differences of gradients.
  bool second_derivatives(Indices rows, Indices columns, Block out) override {
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t l = 0; l < columns.size(); ++l) {
        const Column& a = columns_[static_cast<std::size_t>(rows[k])];
        const Column& b = columns_[static_cast<std::size_t>(columns[l])];
        double total = rows[k] == columns[l] ? ridge_ : 0.0;
        for (std::size_t i = 0; i < a.size(); ++i)
          total += a[i] * b[i] * (1.0 - slopes_[i] * slopes_[i]);
        out(k, l) = total;
      }
    return true;
  }

 private:
  double slope(std::int64_t j) const {
    const Column& column = columns_[static_cast<std::size_t>(j)];
    double total = 0.0;
    for (std::size_t i = 0; i < column.size(); ++i) total += column[i] * slopes_[i];
    return total;
  }

  std::vector<Column> columns_;
  Column targets_;
  double ridge_;
  Point x_ = {{nullptr, 0}, {nullptr, 0}};
  Column slopes_;  // of log cosh, at the residuals
  Column gradient_;
};

}  // namespace

int main() {
  const std::size_t rows = 250, cols = 200;
  std::mt19937 engine(1);
  const auto uniform = [&] { return static_cast<double>(engine() % 2001) / 1000.0 - 1.0; };
  std::vector<Column> columns(cols, Column(rows));
  for (Column& column : columns)
    for (double& entry : column) entry = uniform();
  Column targets(rows);
  for (std::size_t i = 0; i < rows; ++i)
    targets[i] = 3.0 * columns[7][i] - 2.0 * columns[42][i] + columns[130][i] + 0.1 * uniform() +
                 (engine() % 10 == 0 ? 20.0 : 0.0);

  RobustRegression objective(std::move(columns), std::move(targets), 1e-3);
  regiht::compiled::Problem problem(objective);
  problem.set("swap", 1);
  for (const char* method : {"regiht", "omp", "best"}) {
    const regiht::compiled::Fit fit = problem.solve(3, method);
    std::cout << method << ": " << fit.message << " Objective " << fit.value << ", features";
    for (std::size_t k = 0; k < fit.columns.size(); ++k)
      std::cout << " " << fit.columns[k] << " (" << fit.coefficients[k] << ")";
    std::cout << "\n";
    if (fit.columns != std::vector<std::int64_t>{7, 42, 130}) return 1;
  }
  return 0;
}
