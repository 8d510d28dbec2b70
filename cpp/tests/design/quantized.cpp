#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "hard_matrix.hpp"
#include "regiht/design/column_norms.hpp"
#include "regiht/design/standardized.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// |aⱼᵀv − âⱼᵀv̂| must not exceed what is said of it, for numbers that are computed with more
/// digits.
void check_bound(const Design& design, const Vector& v) {
  const std::shared_ptr<const QuantizedMatrix> quantized = design.quantized(1);
  REQUIRE(quantized);
  QuantizedVector rounded;
  REQUIRE(rounded.round(v));
  const ColumnNorms columns(design);
  const double roundoff =
      static_cast<double>(design.rows() + 16) * std::numeric_limits<double>::epsilon();
  Vector products(design.cols());
  quantized->apply_transpose(rounded, products, 1);
  Matrix entries(design.cols(), design.rows());  // transposed
  design.copy_rows(0, design.rows(), entries.data(), design.cols());
  for (Index j = 0; j < design.cols(); ++j) {
    long double exact = 0.0L;
    for (Index i = 0; i < design.rows(); ++i)
      exact += static_cast<long double>(entries(j, i)) * static_cast<long double>(v[i]);
    const double bound = columns.norms[j] * rounded.distance() +
                         quantized->columns().errors[j] * rounded.size() +
                         columns.roundoff_norms[j] * 4.0 * roundoff * rounded.size();
    REQUIRE(std::abs(static_cast<double>(exact) - products[j]) <= bound);
  }
}

}  // namespace

TEST_CASE_TEMPLATE("quantized products are off by no more than is said", Storage,
                   ColumnMajorStorage<double>, ColumnMajorStorage<float>, RowMajorStorage<double>,
                   RowMajorStorage<float>) {
  Random random(60);
  for (int round = 0; round < 3 * hard_kinds; ++round) {
    const Index rows = 1 + random.below(150), cols = 1 + random.below(80);
    const Storage storage(hard_matrix(random, round % hard_kinds, rows, cols));
    Vector v = random.vector(rows);
    if (round % 3 == 1) v[0] *= 1e6;
    if (round % 3 == 2) v *= round % 2 == 0 ? 1e100 : 1e-100;
    check_bound(*storage.design(), v);
    check_bound(*standardize(storage.design(), true, rows > 1), v);
  }
}

TEST_CASE("quantized products of numbers near the ends of the range") {
  Random random(61);
  for (const double scale : {1e-310, 1e-290, 1e-200, 1e-160, 1e160, 1e200, 1e290, 1e306}) {
    const Matrix A = random.matrix(40, 30, 1.0);
    const ColumnMajorStorage<double> storage(scale * A), usual(A);
    check_bound(*storage.design(), random.vector(40));
    for (const double size : {1e-270, 1e-160, 1e150})
      check_bound(*usual.design(), size * random.vector(40));
  }
}

TEST_CASE("vectors that cannot be rounded are refused") {
  QuantizedVector rounded;
  Vector v = Vector::Zero(10);
  CHECK_FALSE(rounded.round(v));
  for (const double bad : {1e-300, 1e300, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    v[3] = bad;
    CHECK_FALSE(rounded.round(v));
  }
  v[3] = 1.0;
  CHECK(rounded.round(v));
}

TEST_CASE("sums of quantized products do not overflow") {
  for (const Index rows : {1, 31, 32, 33, 5000, 300'000}) {
    Matrix A(rows, 4);
    A.col(0).setOnes();
    A(0, 0) = -1.0;  // a range of two around zero: every entry is ±127
    A.col(1) = -A.col(0);
    for (Index i = 0; i < rows; ++i) A(i, 2) = i % 2 == 0 ? 1.0 : -1.0;
    A.col(3).setZero();
    const ColumnMajorStorage<double> storage(A);
    check_bound(*storage.design(), Vector::Ones(rows));
    check_bound(*storage.design(), A.col(0));
    check_bound(*storage.design(), A.col(2));
  }
}

TEST_CASE("quantized products have the same bits for any number of threads") {
  Random random(62);
  const ColumnMajorStorage<double> storage(random.matrix(70, 5000, 1.0));
  QuantizedVector rounded;
  REQUIRE(rounded.round(random.vector(70)));
  Vector once(5000), again(5000);
  storage.design()->quantized(1)->apply_transpose(rounded, once, 1);
  for (const int threads : {2, 3, 7}) {
    storage.design()->quantized(threads)->apply_transpose(rounded, again, threads);
    CHECK((once.array() == again.array()).all());
  }
}
