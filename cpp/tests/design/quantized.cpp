#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "regiht/design/standardized.hpp"
#include "regiht/screening/off_support_gradient.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Matrices that are hard to round: the same column again, entries that tie, an outlier, norms and
/// scales far apart, numbers near the ends of the range, no variance, a mean far off.
Matrix hard_matrix(Random& random, int kind, Index rows, Index cols) {
  Matrix A = random.matrix(rows, cols, 1.0);
  switch (kind) {
    case 1:
      for (Index j = 1; j < cols; ++j) A.col(j) = (j % 2 == 0 ? 1.0 : -1.0) * A.col(0);
      break;
    case 2:
      A = (2.0 * A.array()).round();
      break;
    case 3:
      A.row(rows / 2) *= 1000.0;
      break;
    case 4:
      for (Index j = 0; j < cols; ++j) A.col(j) *= std::ldexp(1.0, static_cast<int>(j % 60) - 30);
      break;
    case 5:
      A *= 1e-20;
      break;
    case 6:
      A *= 1e20;
      break;
    case 7:
      for (Index j = 0; j < cols; j += 3)
        A.col(j).setConstant(static_cast<float>(0.1 * static_cast<double>(j)));
      break;
    case 8:
      A.array() += 1000.0;
      break;
    case 9:  // within bits of each other
      for (Index j = 1; j < cols; ++j)
        A.col(j) = A.col(0) * (1.0 + 1e-15 * static_cast<double>(j % 7));
      break;
    default:
      break;
  }
  return A;
}
constexpr int kinds = 10;

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

/// Counts full products.
class Counting final : public Design {
 public:
  explicit Counting(std::shared_ptr<const Design> base) : base_(std::move(base)) {}

  int products() const { return products_; }

  Index rows() const override { return base_->rows(); }
  Index cols() const override { return base_->cols(); }
  void apply(const SparseVector& x, double start, VectorView out, int threads) const override {
    base_->apply(x, start, out, threads);
  }
  void apply_transpose(ConstVectorView v, VectorView out, int threads) const override {
    ++products_;
    base_->apply_transpose(v, out, threads);
  }
  void apply_transpose(const Support& columns, ConstVectorView v, VectorView out,
                       int threads) const override {
    base_->apply_transpose(columns, v, out, threads);
  }
  ColumnRanges column_ranges() const override { return base_->column_ranges(); }
  void column_squares(ConstVectorView shift, VectorView out) const override {
    base_->column_squares(shift, out);
  }
  bool roundoff_norms_are_norms() const override { return base_->roundoff_norms_are_norms(); }
  void column_roundoff_norms(VectorView out) const override { base_->column_roundoff_norms(out); }
  void copy_rows(Index first, Index count, double* block, Index stride) const override {
    base_->copy_rows(first, count, block, stride);
  }
  bool can_quantize() const override { return base_->can_quantize(); }
  std::shared_ptr<QuantizedMatrix> quantized(int threads) const override {
    return base_->quantized(threads);
  }
  double column_cost(Index column) const override { return base_->column_cost(column); }
  double full_cost() const override { return base_->full_cost(); }

 private:
  std::shared_ptr<const Design> base_;
  mutable int products_ = 0;
};

/// Asks for entries at derivative vectors that jump about, where only quantized products can help,
/// at roundoff_norms that are those of entries. Returns how many full products that took.
int read_along_jumps(const std::shared_ptr<const Design>& base, Random& random, int jumps,
                     Index slots) {
  const Counting design(base);
  OffSupportGradient outside(design, true, nullptr, 1);
  Vector full(design.cols());
  Vector derivative = random.vector(design.rows());
  SparseVector entries;
  for (int t = 0; t < jumps; ++t) {
    const Vector last = derivative;
    derivative = 0.5 * (last + random.vector(design.rows()));
    SparseVector x = random.sparse_vector(design.cols(), 3);
    outside.move_to(x, 1.0);
    base->apply_transpose(derivative, full, 1);
    Vector sorted = full.cwiseAbs();
    std::sort(sorted.data(), sorted.data() + sorted.size(), std::greater<double>());
    const double magnitude = sorted[slots - 1];
    outside.read(
        magnitude, {slots, {}}, x,
        [&] { return (derivative - outside.reference_derivative()).norm(); },
        [&]() -> const Vector& { return derivative; }, entries);
    for (std::size_t k = 0; k < entries.indices.size(); ++k)
      REQUIRE(entries.values[k] == full[entries.indices[k]]);
    // All that are larger than the place-th largest outside, and those that tie with it.
    std::vector<double> competing;
    for (Index j = 0; j < design.cols(); ++j)
      if (!x.lists(j)) competing.push_back(std::abs(full[j]));
    std::sort(competing.begin(), competing.end(), std::greater<double>());
    const double least = std::max(magnitude, competing[static_cast<std::size_t>(slots - 1)]);
    for (Index j = 0; j < design.cols(); ++j)
      if (!x.lists(j) && std::abs(full[j]) >= least) REQUIRE(entries.lists(j));
  }
  return design.products();
}

}  // namespace

TEST_CASE_TEMPLATE("quantized products are off by no more than is said", Storage,
                   ColumnMajorStorage<double>, ColumnMajorStorage<float>, RowMajorStorage<double>,
                   RowMajorStorage<float>) {
  Random random(60);
  for (int round = 0; round < 4 * kinds; ++round) {
    const Index rows = 1 + random.below(150), cols = 1 + random.below(80);
    const Storage storage(hard_matrix(random, round % kinds, rows, cols));
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

TEST_CASE_TEMPLATE("entries found by quantized products are those of the full gradient", Storage,
                   ColumnMajorStorage<double>, ColumnMajorStorage<float>, RowMajorStorage<double>) {
  Random random(63);
  const int jumps = 30;
  for (int kind = 0; kind < kinds; ++kind) {
    const Storage storage(hard_matrix(random, kind, 60, 700));
    const int products = read_along_jumps(storage.design(), random, jumps, 8);
    if (kind == 0) CHECK(products <= 12);  // otherwise quantized products were not used
    const auto standardized = standardize(storage.design(), true, true);
    read_along_jumps(standardized, random, jumps, 8);
    read_along_jumps(standardized, random, jumps, 1);
  }
}

TEST_CASE("incumbents inside take slots from entries outside") {
  Random random(64);
  const ColumnMajorStorage<double> storage(random.matrix(50, 900, 1.0));
  const Design& design = *storage.design();
  OffSupportGradient outside(design, true, nullptr, 1);
  Vector full(900);
  SparseVector entries;
  for (int t = 0; t < 20; ++t) {
    const Vector derivative = random.vector(50);
    const SparseVector x = random.sparse_vector(900, 4);
    design.apply_transpose(derivative, full, 1);
    Vector sorted = full.cwiseAbs();
    for (const Index j : x.indices) sorted[j] = 0.0;
    std::sort(sorted.data(), sorted.data() + 900, std::greater<double>());
    // Four slots, and three incumbents that are larger than all but two.
    const double high = 0.5 * (sorted[1] + sorted[2]);
    outside.move_to(x, 1.0);
    outside.read(
        0.5 * sorted[2], {4, {high, high, high, 0.5 * sorted[2]}}, x,
        [&] { return (derivative - outside.reference_derivative()).norm(); },
        [&]() -> const Vector& { return derivative; }, entries);
    for (Index j = 0; j < 900; ++j)
      if (!x.lists(j) && std::abs(full[j]) >= high) CHECK(entries.lists(j));
    if (t > 9) CHECK(entries.size() < 20);  // of hundreds that reach the magnitude
  }
}
