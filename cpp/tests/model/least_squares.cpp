#include <doctest/doctest.h>

#include <cmath>
#include <memory>

#include "models.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/squared.hpp"
#include "regiht/model/gram/cache.hpp"
#include "regiht/model/gram/gradient.hpp"
#include "regiht/model/gram/matrix.hpp"
#include "storage.hpp"

using namespace regiht;
using testing::ColumnMajorStorage;
using testing::columns_for;
using testing::CscStorage;
using testing::distance;
using testing::every_kind;
using testing::gram_of;
using testing::Known;
using testing::Random;
using testing::settings_with;

namespace {

/// f by its definition, in more digits than a double.
double value_of(const Matrix& A, const Vector& target, const SparseVector& x, double ridge) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Wide dense = x.dense(A.cols()).cast<long double>();
  const Wide residual = A.cast<long double>() * dense - target.cast<long double>();
  return static_cast<double>(0.5L * residual.squaredNorm() + 0.5L * ridge * dense.squaredNorm());
}

}  // namespace

TEST_CASE_TEMPLATE("the Gram matrix is that of the dense matrix, for any number of threads",
                   Storage, REGIHT_EVERY_STORAGE) {
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{1, 1}, {3, 9}, {40, 6}, {255, 5}, {2600, 13}}) {
    Random random(70);
    const Matrix A = random.matrix(rows, cols, 0.6);
    const Storage storage(A);
    const Matrix gram = gram_matrix(*storage.design(), 1);
    CHECK((gram - A.transpose() * A).norm() <= 1e-13 * static_cast<double>(rows * cols));
    CHECK(gram == gram.transpose());
    for (const int threads : {2, 3, 7}) CHECK(gram_matrix(*storage.design(), threads) == gram);
  }
}

TEST_CASE_TEMPLATE("inner products are learned column by column", Storage, REGIHT_EVERY_STORAGE) {
  Random random(72);
  const Matrix A = random.matrix(30, 90, 0.5);
  const Storage storage(A);
  GramCache inner(*storage.design(), nullptr, nullptr, 1);
  CHECK_FALSE(inner.are_whole());
  std::vector<Index> order = {7, 3, 89, 0, 55};
  for (Index j = 10; j < 80; j += 2) order.push_back(90 - j);
  for (const Index j : order)
    if (!inner.knows(j)) inner.add_column(j);
  for (const Index j : inner.known())
    for (const Index k : inner.known())
      REQUIRE(inner.products(j)[inner.slot(k)] ==
              doctest::Approx(A.col(j).dot(A.col(k))).epsilon(1e-12));
  const GramCache all(*storage.design(), gram_of(*storage.design()), nullptr, 1);
  CHECK(all.knows_all());
  CHECK(all.products(3)[all.slot(8)] == doctest::Approx(A.col(3).dot(A.col(8))).epsilon(1e-12));
  const auto shared = columns_for(*storage.design());
  GramCache first(*storage.design(), nullptr, shared, 1);
  GramCache second(*storage.design(), nullptr, shared, 2);
  for (const Index j : {0, 8, 89}) {
    CHECK_FALSE(first.knows(j));
    first.add_column(j);
    CHECK(first.knows(j));
    CHECK_FALSE(second.knows(j));
    second.add_column(j);
    CHECK(first.products(j) == second.products(j));
    const Vector expected = A.transpose() * A.col(j);
    Vector beside = expected.cwiseAbs();
    CHECK(first.peaks(j).all == doctest::Approx(beside.maxCoeff()));
    beside[j] = 0.0;
    CHECK(first.peaks(j).beside == doctest::Approx(beside.maxCoeff()));
    for (Index k = 0; k < 90; ++k)
      REQUIRE(first.products(j)[first.slot(k)] == doctest::Approx(expected[k]).epsilon(1e-12));
  }
}

TEST_CASE_TEMPLATE("least squares on inner products are the plain model", Storage,
                   REGIHT_EVERY_STORAGE) {
  constexpr Index rows = 60, cols = 25;
  Random random(73);
  const Matrix A = random.matrix(rows, cols, 0.7);
  const Vector target = random.vector(rows);
  const Storage storage(A);
  const Design& design = *storage.design();
  for (const Known known : every_kind) {
    for (const double ridge : {0.0, 0.4}) {
      const PointwiseLoss<Squared> squared;
      LinearModel plain(design, squared, target, testing::model_settings(ridge, nullptr, false));
      LeastSquares least(design, target, settings_with(known, ridge, design));
      CHECK(least.dimension() == cols);
      for (int round = 0; round < 40; ++round) {
        const SparseVector x = random.sparse_vector(cols, round % 6);
        CHECK(least.move_to(x) == doctest::Approx(value_of(A, target, x, ridge)).epsilon(1e-12));
        plain.move_to(x);
        Vector inside(x.size()), expected_inside(x.size());
        least.gradient_on_support(inside);
        plain.gradient_on_support(expected_inside);
        CHECK(distance(inside, expected_inside) <= 1e-11);
        SparseVector outside, expected;
        least.gradient_off_support(0.0, outside);
        plain.gradient_off_support(0.0, expected);
        CHECK(outside.indices == expected.indices);
        CHECK(distance(outside.dense(cols), expected.dense(cols)) <= 1e-11);
      }
    }
  }
}

TEST_CASE("the value keeps its digits when the fit becomes exact") {
  Random random(74);
  const Matrix A = random.matrix(80, 30, 1.0);
  const SparseVector planted{{2, 11, 29}, {1.0, -3.0, 0.5}};
  const Vector target = A * planted.dense(30);
  const ColumnMajorStorage<double> storage(A);
  for (const Known known : every_kind) {
    LeastSquares least(*storage.design(), target, settings_with(known, 0.0, *storage.design()));
    for (double error = 1.0; error > 1e-12; error *= 0.3) {
      SparseVector x = planted;
      for (double& value : x.values) value += error * random.number();
      const double exact = value_of(A, target, x, 0.0);
      CHECK(least.move_to(x) == doctest::Approx(exact).epsilon(1e-3));
      Vector inside(3);
      least.gradient_on_support(inside);
      const Vector residual = A * x.dense(30) - target;
      for (Index k = 0; k < 3; ++k)
        CHECK(std::abs(inside[k] - A.col(x.indices[static_cast<std::size_t>(k)]).dot(residual)) <=
              1e-3 * std::sqrt(exact));
    }
  }
}

TEST_CASE("screening by inner products leaves nothing out") {
  Random random(75);
  for (int round = 0; round < 12; ++round) {
    Matrix A = random.matrix(80, 800, round % 2 == 0 ? 0.3 : 1.0);
    if (round % 3 == 1)
      for (Index j = 1; j < 800; j += 3) A.col(j) = -A.col(0);
    if (round % 3 == 2)
      for (Index j = 0; j < 800; ++j) A.col(j) *= std::ldexp(1.0, static_cast<int>(j % 40) - 20);
    const CscStorage<double, std::int32_t> storage(A);
    const Vector target = random.vector(80);
    const Known known = round < 6 ? Known::pairs : Known::columns;
    const Design& design = *storage.design();
    LeastSquares screened(design, target, settings_with(known, 0.0, design));
    LeastSquares plain(design, target, settings_with(known, 0.0, design, false));
    SparseVector x = random.sparse_vector(800, 5), entries, expected;
    for (int step = 0; step < 40; ++step) {
      for (double& value : x.values) value += std::pow(10.0, -step % 12) * random.number();
      CHECK(screened.move_to(x) == plain.move_to(x));
      plain.gradient_off_support(0.0, expected);
      Vector sorted = Eigen::Map<Vector>(expected.values.data(), expected.size()).cwiseAbs();
      std::sort(sorted.data(), sorted.data() + sorted.size());
      for (const Index rank : {1, 2, 7}) {
        const double magnitude = sorted[sorted.size() - rank];
        screened.gradient_off_support(magnitude, entries);
        plain.gradient_off_support(magnitude, expected);
        REQUIRE(entries == expected);
      }
    }
    CHECK(screened.gradients_spent() < plain.gradients_spent());
  }
}

TEST_CASE("gradients skipped by the columns of the Gram matrix have no entry that matters") {
  Random random(79);
  for (int round = 0; round < 8; ++round) {
    Matrix A = random.matrix(30, 60, 1.0);
    if (round % 2 == 1)
      for (Index j = 1; j < 60; j += 2) A.col(j) = A.col(j - 1) * std::ldexp(1.0, round - 4);
    const ColumnMajorStorage<double> storage(A);
    const Design& design = *storage.design();
    GramCache inner(design, nullptr, columns_for(design), 1);
    const Vector base_gradient = random.vector(60);
    SparseVector x = random.sparse_vector(60, 4), entries, expected;
    for (const Index j : x.indices) inner.add_column(j);
    GramGradient skipping(inner, true), plain(inner, false);
    skipping.take_base(base_gradient);
    int skipped = 0;
    for (int step = 0; step < 200; ++step) {
      for (double& value : x.values) value += std::pow(10.0, -step % 17) * random.number();
      plain.read(0.0, x, base_gradient, x, expected);
      REQUIRE(expected.size() == 56);
      double largest = 0.0;
      for (const double value : expected.values) largest = std::max(largest, std::abs(value));
      // Just out of reach, just within, and far away.
      for (const double magnitude : {std::nextafter(largest, 1e300), largest, 1.5 * largest}) {
        plain.read(magnitude, x, base_gradient, x, expected);
        skipping.read(magnitude, x, base_gradient, x, entries);
        REQUIRE(entries == expected);
        skipped += skipping.skipped() ? 1 : 0;
      }
    }
    CHECK(skipped > 20);
    CHECK(skipped < 600);
  }
}

TEST_CASE("a run that explodes, or changes its support all the time, learns few whole columns") {
  Random random(80);
  const Matrix A = random.matrix(50, 400, 1.0);
  const Vector target = random.vector(50);
  const ColumnMajorStorage<double> storage(A);
  const Design& design = *storage.design();
  LeastSquares rising(design, target, settings_with(Known::columns, 0.0, design));
  rising.move_to({});
  SparseVector x = random.sparse_vector(400, 10), entries;
  for (int step = 0; step < 30; ++step) {
    for (double& value : x.values) value *= 3.0;
    const double value = rising.move_to(x);
    CHECK(value == doctest::Approx(value_of(A, target, x, 0.0)).epsilon(1e-12));
    rising.gradient_off_support(1e300, entries);
  }
  CHECK(rising.gradients_spent() <= 31.0);

  LeastSquares restless(design, target, settings_with(Known::columns, 0.0, design));
  restless.move_to({});
  for (int step = 0; step < 100; ++step) {
    x = random.sparse_vector(400, 10);
    for (double& value : x.values) value *= 1e-3;
    const double value = restless.move_to(x);
    CHECK(value == doctest::Approx(value_of(A, target, x, 0.0)).epsilon(1e-12));
  }
  CHECK(restless.gradients_spent() <= 64.0 + 20.0 + 100.0);
}

TEST_CASE("second derivatives are read off the whole columns that either side has") {
  Random random(81);
  const Matrix A = random.matrix(50, 20, 1.0);
  const ColumnMajorStorage<double> storage(A);
  const Design& design = *storage.design();
  const Vector target = random.vector(50);
  LeastSquares f(design, target, settings_with(Known::columns, 0.5, design));
  const SparseVector x{{2, 5, 9}, {1e-3, 1e-3, -1e-3}};
  for (int move = 0; move < 6; ++move) f.move_to(x);
  const Support known = {2, 9}, others = {1, 2, 17};
  const Matrix hessian = A.transpose() * A + 0.5 * Matrix::Identity(20, 20);
  const std::pair<Support, Support> blocks[] = {
      {known, others}, {others, known}, {known, known}, {others, others}};
  for (const auto& [rows, columns] : blocks) {
    Matrix out;
    f.second_derivatives(rows, columns, out);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t l = 0; l < columns.size(); ++l)
        CHECK(out(static_cast<Index>(k), static_cast<Index>(l)) ==
              doctest::Approx(hessian(rows[k], columns[l])).epsilon(1e-12));
  }
}
