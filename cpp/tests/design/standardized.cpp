#include <doctest/doctest.h>

#include <cmath>

#include "regiht/design/standardized.hpp"
#include "regiht/model/packed/columns.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Full, sparse, empty, constant and nearly constant columns.
Matrix awkward_matrix() {
  Random random(5);
  Matrix A = random.matrix(60, 9, 0.3);
  A.col(1).setZero();
  A.col(2).setConstant(0.1f);
  A.col(3) = random.matrix(60, 1, 1.0).array() + 64.0;
  A.col(4) = Vector::Unit(60, 7);
  A.col(5) = 0x1.0p-60 * random.matrix(60, 1, 0.5);
  return A.cast<float>().cast<double>();  // exact in either precision
}

/// What standardize promises, formed explicitly.
Matrix explicit_copy(Matrix A, bool center, bool scale) {
  for (Index j = 0; j < A.cols(); ++j) {
    const bool constant = A.col(j).minCoeff() == A.col(j).maxCoeff();
    if (center) A.col(j).array() -= A.col(j).mean();
    if ((center && constant) || A.col(j).cwiseAbs().maxCoeff() == 0.0) A.col(j).setZero();
    const double norm = A.col(j).norm();
    if (scale && norm > 0.0) A.col(j) /= norm;
  }
  return A;
}

}  // namespace

TEST_CASE_TEMPLATE("standardized products are those of the explicit matrix", Storage,
                   REGIHT_EVERY_STORAGE) {
  const Matrix A = awkward_matrix();
  const Storage storage(A);
  Random random(6);
  const Vector v = random.vector(60);
  const SparseVector x = random.sparse_vector(9, 6);
  for (const bool center : {false, true}) {
    for (const bool scale : {false, true}) {
      CAPTURE(center);
      CAPTURE(scale);
      const auto design = standardize(storage.design(), center, scale);
      const Matrix expected = explicit_copy(A, center, scale);
      Vector prediction(60), product(9), part(3), squares(9);
      design->apply(x, 0.0, prediction, 1);
      CHECK(distance(prediction, expected * x.dense(9)) <= 1e-12);
      ColumnEntries entries;
      if (design->list_entries({0, 3, 8}, entries)) {
        const PackedColumns packed(entries, 60);
        const std::vector<double> values = {1.5, -1.0, 0.5};
        const double zero_row_prediction = packed.zero_row_prediction(values);
        Vector moved = Vector::Constant(packed.padded_rows(), zero_row_prediction);
        packed.apply(0, packed.factors(values), zero_row_prediction, moved.data());
        const Vector direct = expected * SparseVector{{0, 3, 8}, values}.dense(9);
        for (std::size_t p = 0; p < 60; ++p)
          CHECK(std::abs(moved[static_cast<Index>(p)] - direct[packed.order()[p]]) <= 1e-12);
      }
      design->apply_transpose(v, product, 1);
      CHECK(distance(product, expected.transpose() * v) <= 1e-12);
      design->apply_transpose({0, 3, 8}, v, part, 1);
      CHECK(part == Vector(product(std::vector<Index>{0, 3, 8})));

      const Vector shift = 0.1 * random.vector(9);
      design->column_squares(shift, squares);
      const Matrix moved = expected.rowwise() - shift.transpose();
      const Vector moved_squares = moved.colwise().squaredNorm().transpose();
      CHECK(
          ((squares - moved_squares).array().abs() <= 1e-11 * (1.0 + moved_squares.array())).all());
      const ColumnRanges ranges = design->column_ranges();
      CHECK(distance(ranges.maxima, expected.colwise().maxCoeff().transpose()) <= 1e-12);
      CHECK(distance(ranges.minima, expected.colwise().minCoeff().transpose()) <= 1e-12);
      CHECK(distance(ranges.sums, expected.colwise().sum().transpose()) <= 1e-11);
    }
  }
}

TEST_CASE_TEMPLATE("columns without variance become exactly zero", Storage, REGIHT_EVERY_STORAGE) {
  const Storage storage(awkward_matrix());
  const auto centred = standardize(storage.design(), true, true);
  for (Index j = 0; j < 9; ++j) CHECK((centred->factors()[j] == 0.0) == (j == 1 || j == 2));
  Vector product(9);
  centred->apply_transpose(Random(7).vector(60), product, 1);
  CHECK(product[1] == 0.0);
  CHECK(product[2] == 0.0);
  const auto scaled = standardize(storage.design(), false, true);
  for (Index j = 0; j < 9; ++j) CHECK((scaled->factors()[j] == 0.0) == (j == 1));
  CHECK(scaled->means() == Vector::Zero(9));
}

TEST_CASE("a column beyond double precision is named") {
  for (const double size : {1e200, 1e-200}) {
    Matrix A = Random(8).matrix(20, 4, 1.0);
    A.col(2) *= size;
    const ColumnMajorStorage<double> storage(A);
    CHECK_NOTHROW(standardize(storage.design(), true, false));
    CHECK_THROWS_WITH_AS(standardize(storage.design(), true, true),
                         "column 2 is too large or too small to standardize in double precision",
                         std::invalid_argument);
  }
}

TEST_CASE("the magnitude of a column bounds all that is summed in its product") {
  Matrix A = Random(9).matrix(40, 3, 1.0);
  A.col(1).array() += 1000.0;
  const ColumnMajorStorage<double> storage(A);
  const auto design = standardize(storage.design(), true, true);
  Vector roundoff_norms(3);
  design->column_roundoff_norms(roundoff_norms);
  for (Index j = 0; j < 3; ++j)
    CHECK(roundoff_norms[j] >= design->factors()[j] * A.col(j).norm() * (1.0 - 1e-12));
}
