#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "handles.hpp"
#include "storage.hpp"

using namespace regiht::testing;

namespace {

using DesignPointer = std::shared_ptr<regiht_design>;
using ResultPointer = std::shared_ptr<regiht_result>;

template <class Value>
constexpr int value_code = std::is_same_v<Value, float> ? REGIHT_FLOAT32 : REGIHT_FLOAT64;
template <class StorageIndex>
constexpr int index_code = std::is_same_v<StorageIndex, std::int32_t> ? REGIHT_INT32 : REGIHT_INT64;

/// Column-major double precision, as it lies in A.
DesignPointer plain_design(const Matrix& A) {
  return owned(
      regiht_design_new_dense_columns(A.data(), REGIHT_FLOAT64, A.rows(), A.cols(), A.rows()),
      &regiht_design_free);
}

/// Least squares by these columns alone, without an intercept of its own.
ResultPointer fit_columns(const DesignPointer& design, const regiht::Vector& y,
                          const std::vector<std::int64_t>& columns) {
  const auto problem =
      owned(regiht_problem_new(design.get(), "squared", y.data()), &regiht_problem_free);
  const auto count = static_cast<std::int64_t>(columns.size());
  REQUIRE(regiht_problem_set_keep(problem.get(), columns.data(), count) == REGIHT_OK);
  auto fit =
      owned(regiht_solve(problem.get(), "omp", count, nullptr, nullptr), &regiht_result_free);
  REQUIRE(fit != nullptr);
  return fit;
}

void check_prediction(const ResultPointer& fit, const DesignPointer& design,
                      const regiht::Vector& expected) {
  REQUIRE(design != nullptr);
  regiht::Vector found(expected.size());
  REQUIRE(regiht_predict(fit.get(), design.get(), found.data()) == REGIHT_OK);
  CHECK(distance(found, expected) <= 1e-12 * (1.0 + expected.norm()));
}

}  // namespace

TEST_CASE_TEMPLATE("a matrix handed over by C is the same in every storage", Types,
                   std::pair<double, std::int32_t>, std::pair<float, std::int64_t>,
                   std::pair<double, std::int64_t>, std::pair<float, std::int32_t>) {
  using Value = typename Types::first_type;
  using StorageIndex = typename Types::second_type;
  Random random(5);
  for (const auto& [rows, cols] : {std::pair<regiht::Index, regiht::Index>{40, 9}, {9, 40}}) {
    const Matrix A = random.matrix(rows, cols, 0.6);
    const ResultPointer fit = fit_columns(plain_design(A), random.vector(rows), {1, 4, 8});
    regiht::Vector expected = regiht::Vector::Zero(rows);
    for (std::int64_t k = 0; k < regiht_result_count(fit.get()); ++k)
      expected +=
          regiht_result_coefficients(fit.get())[k] * A.col(regiht_result_columns(fit.get())[k]);

    using Entries = Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic>;
    Entries by_columns = Entries::Constant(rows + 3, cols, Value(77));
    by_columns.topRows(rows) = A.cast<Value>();
    Entries by_rows = Entries::Constant(cols + 3, rows, Value(77));
    by_rows.topRows(cols) = A.transpose().cast<Value>();
    constexpr int value = value_code<Value>, index = index_code<StorageIndex>;
    const auto made = [](regiht_design* design) { return owned(design, &regiht_design_free); };
    check_prediction(
        fit, made(regiht_design_new_dense_columns(by_columns.data(), value, rows, cols, rows + 3)),
        expected);
    check_prediction(
        fit, made(regiht_design_new_dense_rows(by_rows.data(), value, rows, cols, cols + 3)),
        expected);
    const CompressedArrays<Value, StorageIndex> csc(A), csr(A.transpose());
    check_prediction(
        fit,
        made(regiht_design_new_sparse_columns(csc.values.data(), value, csc.indices.data(),
                                              csc.offsets.data(), index, rows, cols)),
        expected);
    check_prediction(
        fit,
        made(regiht_design_new_sparse_rows(csr.values.data(), value, csr.indices.data(),
                                           csr.offsets.data(), index, rows, cols)),
        expected);
  }
}

TEST_CASE("a matrix without rows or columns is refused in C") {
  const double value = 1.0;
  const std::int32_t index = 0, offsets[] = {0, 0};
  for (const auto& [rows, cols] : {std::pair<std::int64_t, std::int64_t>{0, 1}, {1, 0}, {-1, 1}}) {
    CHECK(regiht_design_new_dense_columns(&value, REGIHT_FLOAT64, rows, cols, 1) == nullptr);
    CHECK(says(REGIHT_INVALID_ARGUMENT, "at least one row and one column"));
    CHECK(regiht_design_new_sparse_rows(&value, REGIHT_FLOAT64, &index, offsets, REGIHT_INT32, rows,
                                        cols) == nullptr);
    CHECK(says(REGIHT_INVALID_ARGUMENT, "at least one row and one column"));
  }
}

TEST_CASE("columns are centred, or scaled, as C asks for it") {
  Random random(6);
  Matrix A = random.matrix(30, 5, 1.0);
  A.col(1).array() += 3.0;
  A.col(3) *= 10.0;
  const DesignPointer design = plain_design(A);
  const double mean = A.col(1).mean();
  // Columns 1 and 3 less their means fit this exactly; as they are, they do not.
  const regiht::Vector centred =
      2.0 * (A.col(1).array() - mean) + 0.5 * (A.col(3).array() - A.col(3).mean());
  for (const int scale : {0, 1}) {
    const auto fit = fit_columns(
        owned(regiht_design_new_standardized(design.get(), 1, scale), &regiht_design_free), centred,
        {1, 3});
    CHECK(regiht_result_coefficients(fit.get())[0] == doctest::Approx(2.0));
    CHECK(regiht_result_coefficients(fit.get())[1] == doctest::Approx(0.5));
    CHECK(regiht_result_intercept(fit.get()) ==
          doctest::Approx(-2.0 * mean - 0.5 * A.col(3).mean()));
  }
  // What is scaled alone keeps its mean, so that there is nothing to make up for.
  const auto fit =
      fit_columns(owned(regiht_design_new_standardized(design.get(), 0, 1), &regiht_design_free),
                  2.0 * A.col(1) + 0.5 * A.col(3), {1, 3});
  CHECK(regiht_result_coefficients(fit.get())[0] == doctest::Approx(2.0));
  CHECK(regiht_result_intercept(fit.get()) == 0.0);
}

TEST_CASE("a start from C is in the scale of the coefficients that C gets") {
  Random random(7);
  const Matrix A = random.matrix(30, 5, 1.0);
  const DesignPointer design = plain_design(A);
  const auto standardized =
      owned(regiht_design_new_standardized(design.get(), 1, 1), &regiht_design_free);
  const regiht::Vector y = random.vector(30);
  const auto problem =
      owned(regiht_problem_new(standardized.get(), "squared", y.data()), &regiht_problem_free);
  const std::int64_t columns[] = {1, 4};
  const double values[] = {0.25, -0.5};
  REQUIRE(regiht_problem_set_start(problem.get(), columns, values, 2) == REGIHT_OK);
  REQUIRE(regiht_problem_set(problem.get(), "max_iter", 0.0) == REGIHT_OK);
  const auto fit =
      owned(regiht_solve(problem.get(), "iht", 2, nullptr, nullptr), &regiht_result_free);
  REQUIRE(fit != nullptr);
  REQUIRE(regiht_result_count(fit.get()) == 2);
  CHECK(regiht_result_coefficients(fit.get())[0] == doctest::Approx(0.25));
  CHECK(regiht_result_coefficients(fit.get())[1] == doctest::Approx(-0.5));
}

TEST_CASE("a model of a column that a design does not have cannot predict from it") {
  Random random(8);
  const Matrix A = random.matrix(20, 6, 1.0);
  const ResultPointer fit = fit_columns(plain_design(A), random.vector(20), {2, 5});
  regiht::Vector predictions(20);
  CHECK(regiht_predict(fit.get(), plain_design(A.leftCols(5)).get(), predictions.data()) ==
        REGIHT_INVALID_ARGUMENT);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "too few columns"));
}
