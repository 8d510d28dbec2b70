// Fills in the missing entries of a matrix of rank 2.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <regiht/lowrank/complete.hpp>
#include <vector>

int main() {
  // The true matrix, and the observed part of it: two entries of three.
  const regiht::Index rows = 40, cols = 30;
  const auto truth = [](regiht::Index i, regiht::Index j) {
    const auto x = static_cast<double>(i), y = static_cast<double>(j);
    return std::sin(0.3 * x) * std::cos(0.5 * y) + 0.1 * x * std::sin(0.2 * y);
  };
  std::vector<std::int32_t> row_of, col_of;
  std::vector<double> values;
  for (std::int32_t i = 0; i < rows; ++i)
    for (std::int32_t j = 0; j < cols; ++j) {
      if ((i * i + i * j + 2 * j) % 3 == 0) continue;
      row_of.push_back(i);
      col_of.push_back(j);
      values.push_back(truth(i, j));
    }

  regiht::lowrank::EntryArrays<std::int32_t> entries{
      rows,          cols,          static_cast<regiht::Index>(values.size()),
      row_of.data(), col_of.data(), values.data()};
  regiht::lowrank::CompletionOptions options;
  options.rank = 2;
  options.max_sweeps = 1000;
  const regiht::lowrank::CompletionResult found = regiht::lowrank::complete(entries, options);

  std::cout << regiht::describe(found.status).message << " " << found.sweeps << " sweeps.\n";
  double worst = 0.0;
  for (regiht::Index i = 0; i < rows; ++i)
    for (regiht::Index j = 0; j < cols; ++j)
      worst = std::max(worst, std::abs(found.left.row(i).dot(found.right.row(j)) - truth(i, j)));
  std::cout << "off by at most " << worst << ", what was not seen included\n";
  return worst < 1e-6 ? 0 : 1;
}
