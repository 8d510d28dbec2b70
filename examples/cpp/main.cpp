// Recovers the three features behind a small sparse regression.
#include <cstdint>
#include <iostream>
#include <random>
#include <regiht/regiht.hpp>
#include <vector>

namespace {

/// Compressed sparse columns: the entries of column j are at [offsets[j], offsets[j + 1]).
struct SparseColumns {
  std::vector<float> values;
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> offsets{0};
};

SparseColumns make_columns(regiht::Index rows, regiht::Index cols) {
  std::mt19937 engine(1);
  SparseColumns matrix;
  for (regiht::Index j = 0; j < cols; ++j) {
    for (regiht::Index i = 0; i < rows; ++i) {
      if (engine() % 10 != 0) continue;  // one entry in ten
      matrix.values.push_back(static_cast<float>(engine() % 2001) / 1000.0f - 1.0f);
      matrix.rows.push_back(static_cast<std::int32_t>(i));
    }
    matrix.offsets.push_back(static_cast<std::int32_t>(matrix.rows.size()));
  }
  return matrix;
}

}  // namespace

int main() {
  const regiht::Index rows = 500, cols = 2000;
  const regiht::SparseVector planted{{42, 700, 1999}, {3.0, -2.0, 1.0}};

  // The design borrows the three arrays.
  const SparseColumns matrix = make_columns(rows, cols);
  const regiht::CscDesign<float, std::int32_t> design(
      {matrix.values.data(), matrix.rows.data(), matrix.offsets.data()}, rows, cols);

  // The prediction of the planted features, plus a little noise.
  regiht::Vector target(rows);
  design.apply(planted, 0.0, target, 1);
  target += 0.05 * regiht::Vector::Random(rows);

  regiht::LinearModel model(design, *regiht::make_loss("squared"), target, {});
  regiht::Options options;
  options.sparsity = planted.size();
  regiht::SilentObserver observer;
  const regiht::Result result = regiht::regularized_iht(model, options, observer);

  std::cout << regiht::describe(result.status).message << " " << result.iterations
            << " iterations, objective " << result.value << ".\n";
  for (std::size_t k = 0; k < result.x.indices.size(); ++k)
    std::cout << "feature " << result.x.indices[k] << ": " << result.x.values[k] << "\n";
  return result.x.indices == planted.indices ? 0 : 1;
}
