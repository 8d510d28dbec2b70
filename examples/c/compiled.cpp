// The same from C++ with the compiled library; compiles in a second.
#include <iostream>
#include <random>
#include <regiht/compiled/problem.hpp>
#include <vector>

int main() {
  const std::int64_t rows = 300, cols = 40;
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  std::vector<float> matrix(static_cast<std::size_t>(rows * cols));
  for (float& entry : matrix) entry = normal(engine);
  std::vector<double> target;
  for (std::int64_t i = 0; i < rows; ++i) {
    const float* row = matrix.data() + i * cols;
    target.push_back(3.0 * static_cast<double>(row[5]) - 2.0 * static_cast<double>(row[20]) + 7.0);
  }

  const auto design = regiht::compiled::Design::dense_rows(matrix.data(), rows, cols);
  regiht::compiled::Problem problem(design.standardized(), "squared", target);
  problem.set("intercept", 1);
  const regiht::compiled::Fit fit = problem.solve(2);

  std::cout << fit.message << " Intercept " << fit.intercept << ".\n";
  for (std::size_t k = 0; k < fit.columns.size(); ++k)
    std::cout << "feature " << fit.columns[k] << ": " << fit.coefficients[k] << "\n";
  return fit.columns == std::vector<std::int64_t>{5, 20} ? 0 : 1;
}
