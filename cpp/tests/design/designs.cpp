#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "regiht/design/standardized.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

struct Shape {
  Index rows, cols;
  double density;
};

// The last ones have several chunks of rows and enough entries for several threads.
const std::vector<Shape> shapes = {{1, 1, 1.0},    {1, 9, 0.5},      {9, 1, 0.5},
                                   {7, 5, 0.0},    {23, 31, 0.3},    {64, 17, 1.0},
                                   {130, 3, 0.05}, {9000, 40, 0.45}, {30, 4500, 0.9}};

}  // namespace

TEST_CASE_TEMPLATE("a design multiplies like its dense matrix", Storage, REGIHT_EVERY_STORAGE) {
  for (const Shape& shape : shapes) {
    CAPTURE(shape.rows);
    CAPTURE(shape.cols);
    Random random(1);
    const Matrix A = random.matrix(shape.rows, shape.cols, shape.density);
    const Storage storage(A);
    const Design& design = *storage.design();
    CHECK(design.rows() == A.rows());
    CHECK(design.cols() == A.cols());
    const Vector v = random.vector(A.rows());
    const double slack = 1e-12 * std::sqrt(static_cast<double>(A.size()));
    for (const int threads : {1, 2, 3}) {
      Vector prediction = Vector::Constant(A.rows(), 9.0);
      for (const Index count : {Index{0}, (A.cols() + 1) / 2, A.cols()}) {
        const SparseVector x = random.sparse_vector(A.cols(), count);
        for (const double start : {0.0, -2.5}) {
          design.apply(x, start, prediction, threads);
          const Vector expected = (A * x.dense(A.cols())).array() + start;
          CHECK(distance(prediction, expected) <= slack);
        }
      }
      Vector product = Vector::Constant(A.cols(), 9.0);
      design.apply_transpose(v, product, threads);
      CHECK(distance(product, A.transpose() * v) <= slack);
    }
  }
}

TEST_CASE_TEMPLATE("single columns and more threads give the same bits", Storage,
                   REGIHT_EVERY_STORAGE) {
  for (const Shape& shape : shapes) {
    Random random(2);
    const Matrix A = random.matrix(shape.rows, shape.cols, shape.density);
    const Storage storage(A);
    const Design& design = *storage.design();
    const Vector v = random.vector(A.rows());
    Vector full(A.cols());
    design.apply_transpose(v, full, 1);
    for (const int threads : {1, 2, 3, 7}) {
      Vector again(A.cols());
      design.apply_transpose(v, again, threads);
      CHECK(again == full);
      for (const Index count : {Index{0}, Index{1}, (A.cols() + 1) / 2, A.cols()}) {
        const Support columns = random.support(A.cols(), count);
        Vector part = Vector::Constant(count, 9.0);
        design.apply_transpose(columns, v, part, threads);
        for (Index k = 0; k < count; ++k)
          REQUIRE(part[k] == full[columns[static_cast<std::size_t>(k)]]);
      }
    }
    const SparseVector x = random.sparse_vector(A.cols(), A.cols());
    Vector one(A.rows()), seven(A.rows());
    design.apply(x, 0.0, one, 1);
    design.apply(x, 0.0, seven, 7);
    CHECK(one == seven);
  }
}

TEST_CASE_TEMPLATE("sums, ranges and squares of columns count what is not stored", Storage,
                   REGIHT_EVERY_STORAGE) {
  Random random(3);
  Matrix A = random.matrix(50, 12, 0.4);
  A.col(2).setZero();
  A.col(3).setConstant(0.25);
  A.col(4) = random.matrix(50, 1, 1.0).cwiseAbs();   // full and positive
  A.col(5) = -random.matrix(50, 1, 0.5).cwiseAbs();  // never positive
  const Storage storage(A);
  const ColumnRanges ranges = storage.design()->column_ranges();
  CHECK(distance(ranges.sums, A.colwise().sum().transpose()) <= 1e-13);
  CHECK(ranges.minima == Vector(A.colwise().minCoeff().transpose()));
  CHECK(ranges.maxima == Vector(A.colwise().maxCoeff().transpose()));

  const Vector shift = random.vector(12);
  Vector squares(12), roundoff_norms(12);
  storage.design()->column_squares(shift, squares);
  const Matrix moved = A.rowwise() - shift.transpose();
  CHECK(distance(squares, moved.colwise().squaredNorm().transpose()) <= 1e-12);
  storage.design()->column_roundoff_norms(roundoff_norms);
  CHECK(distance(roundoff_norms, A.colwise().norm().transpose()) <= 1e-13);
}

TEST_CASE_TEMPLATE("the entries listed of some columns are all there are", Storage,
                   REGIHT_EVERY_STORAGE) {
  Random random(12);
  const Matrix A = random.matrix(40, 25, 0.2);
  const Storage storage(A);
  for (const Support& columns : {Support{}, Support{7}, Support{0, 3, 4, 24}}) {
    ColumnEntries entries;
    if (!storage.design()->list_entries(columns, entries)) continue;
    REQUIRE(entries.columns() == static_cast<Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k) {
      Vector column = Vector::Zero(40);
      for (auto i = static_cast<std::size_t>(entries.offsets[k]);
           i < static_cast<std::size_t>(entries.offsets[k + 1]); ++i)
        column[entries.rows[i]] += entries.values[i];
      CHECK(entries.factors[k] * (column.array() - entries.means[k]).matrix() == A.col(columns[k]));
    }
  }
}

TEST_CASE_TEMPLATE("rows are copied as they are, standardized or not", Storage,
                   REGIHT_EVERY_STORAGE) {
  Random random(13);
  const Matrix A = random.matrix(300, 11, 0.5);
  const Storage storage(A);
  const auto standardized = standardize(storage.design(), true, true);
  const Matrix expected =
      (A.rowwise() - standardized->means().transpose()) * standardized->factors().asDiagonal();
  for (const auto& [first, count] :
       {std::pair<Index, Index>{0, 300}, {0, 1}, {299, 1}, {17, 100}}) {
    Matrix block = Matrix::Constant(11 + 4, count, 9.0);  // its columns are rows of the design
    storage.design()->copy_rows(first, count, block.data(), block.rows());
    CHECK(block.topRows(11).transpose() == A.middleRows(first, count));
    CHECK((block.bottomRows(4).array() == 9.0).all());
    standardized->copy_rows(first, count, block.data(), block.rows());
    CHECK((block.topRows(11).transpose() - expected.middleRows(first, count)).norm() <= 1e-13);
    CHECK((block.bottomRows(4).array() == 9.0).all());
  }
}

TEST_CASE_TEMPLATE("costs are positive and comparable", Storage, REGIHT_EVERY_STORAGE) {
  Random random(4);
  const Storage storage(random.matrix(40, 30, 0.3));
  const Design& design = *storage.design();
  double total = 0.0;
  for (Index j = 0; j < 30; ++j) {
    CHECK(design.column_cost(j) > 0.0);
    total += design.column_cost(j);
  }
  CHECK(total >= design.full_cost() * (1.0 - 1e-12));
}

TEST_CASE_TEMPLATE("the structure of a compressed matrix is judged", StorageIndex, std::int32_t,
                   std::int64_t) {
  using Indices = std::vector<StorageIndex>;
  const auto judge = [](const Indices& indices, const Indices& offsets, Index size) {
    return inspect(indices.data(), offsets.data(), static_cast<Index>(offsets.size()) - 1, size,
                   static_cast<Index>(indices.size()));
  };
  CHECK(judge({0, 2, 1}, {0, 2, 3}, 3) == Structure::sorted);
  CHECK(judge({}, {0, 0, 0}, 3) == Structure::sorted);
  CHECK(judge({2, 0, 1}, {0, 2, 3}, 3) == Structure::unsorted);
  CHECK(judge({1, 1, 1}, {0, 2, 3}, 3) == Structure::unsorted);
  CHECK(judge({0, 3, 1}, {0, 2, 3}, 3) == Structure::index_out_of_range);
  CHECK(judge({0, -1, 1}, {0, 2, 3}, 3) == Structure::index_out_of_range);
  CHECK(judge({0, 2, 1}, {1, 2, 3}, 3) == Structure::bad_offsets);
  CHECK(judge({0, 2, 1}, {0, 2, 4}, 3) == Structure::bad_offsets);
  CHECK(judge({0, 2, 1}, {0, 3, 2}, 3) == Structure::bad_offsets);
  CHECK(judge({0, 2, 1}, {0, -1, 3}, 3) == Structure::bad_offsets);
  CHECK(judge({0, 2, 1}, {0, 100, 3}, 3) == Structure::bad_offsets);
}

TEST_CASE("checked arrays of a sparse matrix are those given, and broken ones are refused") {
  const std::vector<double> values = {1.0, 2.0, 3.0};
  const std::vector<int> indices = {0, 2, 1}, offsets = {0, 2, 3};
  const auto check = [&](const std::vector<int>& at, const std::vector<int>& from) {
    return checked(Compressed<double, int>{values.data(), at.data(), from.data()}, 2, 3, 3);
  };
  CHECK(check(indices, offsets).indices == indices.data());
  CHECK_THROWS_AS(check({0, 3, 1}, offsets), std::invalid_argument);
  CHECK_THROWS_AS(check({0, -1, 1}, offsets), std::invalid_argument);
  CHECK_THROWS_AS(check({2, 0, 1}, offsets), std::invalid_argument);
  CHECK_THROWS_AS(check(indices, {0, 2, 4}), std::invalid_argument);
  CHECK_THROWS_AS(check(indices, {0, 3, 2}), std::invalid_argument);
}
