#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lowrank/random_block.hpp"
#include "regiht/lowrank/alternating_step.hpp"
#include "regiht/lowrank/dense_operator.hpp"
#include "regiht/lowrank/leading_singular.hpp"
#include "regiht/lowrank/low_rank_sum.hpp"
#include "regiht/lowrank/observed_operator.hpp"

using namespace regiht;
using namespace regiht::lowrank;
using namespace regiht::testing;

namespace {

DenseOperator view(const Block& matrix) {
  return DenseOperator(Eigen::Map<const Block>(matrix.data(), matrix.rows(), matrix.cols()));
}

/// From a bad guess, or from none: matrices with few entries are then decomposed as a whole.
LeadingTriplets leading(const MatrixOperator& matrix, Index count, bool from_guess = true) {
  LeadingOptions options;
  options.count = count;
  options.tol = 1e-10;
  FixedRandom random;
  const Index guessed = from_guess ? 1 : 0;
  return leading_singular(matrix, options, random_block(matrix.rows(), guessed, random),
                          random_block(matrix.cols(), guessed, random));
}

void check_triplets(const Block& A, const LeadingTriplets& found, Index count) {
  const auto& [U, s, V] = found.triplets;
  const SingularTriplets exact = truncate_rank(A, count);
  REQUIRE(s.size() == exact.s.size());
  CHECK(found.converged);
  CHECK((s - exact.s).cwiseAbs().maxCoeff() <= 1e-11 * exact.s[0]);
  CHECK((A * V - U * s.asDiagonal()).norm() <= 1e-8 * exact.s[0]);
  CHECK((A.transpose() * U - V * s.asDiagonal()).norm() <= 1e-8 * exact.s[0]);
  CHECK((U.transpose() * U - Basis::Identity(s.size(), s.size())).norm() <= 1e-12);
}

/// Entries (i, j) with (i + 2j) divisible by 3, one of them twice.
struct Entries {
  std::vector<Index> rows, cols;

  Entries() {
    for (Index i = 0; i < 9; ++i)
      for (Index j = 0; j < 7; ++j)
        if ((i + 2 * j) % 3 == 0) add(i, j);
    add(3, 0);
  }

  void add(Index i, Index j) {
    rows.push_back(i);
    cols.push_back(j);
  }

  ObservedEntries build() const {
    return {9, 7, static_cast<Index>(rows.size()), rows.data(), cols.data()};
  }
};

}  // namespace

TEST_CASE("leading triplets are those of the full decomposition") {
  FixedRandom random;
  for (const auto& [rows, cols] : {std::pair<Index, Index>{40, 25}, {25, 40}, {1, 6}, {6, 1}}) {
    const Block A = random_block(rows, cols, random);
    for (const Index count : {1, 2, 5})
      for (const bool from_guess : {true, false})
        check_triplets(A, leading(view(A), count, from_guess), count);
  }
}

TEST_CASE("equal singular values are all found") {
  const Block A = Block::Identity(12, 8) * 3.0;
  const LeadingTriplets found = leading(view(A), 4);
  CHECK((found.triplets.s.array() - 3.0).abs().maxCoeff() <= 1e-12);
}

TEST_CASE("a zero matrix") {
  const Block A = Block::Zero(5, 4);
  const LeadingTriplets found = leading(view(A), 2);
  CHECK(found.converged);
  CHECK(found.triplets.s.isZero());
}

TEST_CASE("restarts go on from the best vectors") {
  // Slowly falling values, far more of them than the basis holds.
  const Vector s = Vector::LinSpaced(150, 2.0, 1.0);
  Block A = Block::Zero(180, 150);
  A.diagonal() = s;
  check_triplets(A, leading(view(A), 2), 2);
}

TEST_CASE("NaN is an error and not an answer") {
  Block A = Block::Ones(5, 4);
  A(2, 2) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(leading(view(A), 1), std::overflow_error);
  CHECK_THROWS_AS(leading(view(A), 1, false), std::overflow_error);
  CHECK_THROWS_AS(thin_svd(A), std::overflow_error);
  CHECK_THROWS_AS(symmetric_eigen(A.topRows(4)), std::overflow_error);
}

TEST_CASE("polling may end the iteration") {
  FixedRandom random;
  const Block A = random_block(30, 20, random);
  LeadingOptions options;
  int calls = 0;
  options.poll = [&calls] {
    if (++calls == 3) throw std::runtime_error("enough");
  };
  const Block left = random_block(30, 1, random), right = random_block(20, 1, random);
  CHECK_THROWS_WITH(leading_singular(view(A), options, left, right), "enough");
  calls = 2;
  CHECK_THROWS_WITH(leading_singular(view(A), options, Block(30, 0), Block(20, 0)), "enough");
}

TEST_CASE("sparse plus low rank") {
  FixedRandom random;
  const Entries given;
  const ObservedEntries entries = given.build();
  const Vector as_given = Vector::LinSpaced(entries.count(), -1.0, 2.0);
  Vector values(entries.count());
  entries.arrange(given.rows.data(), as_given.data(), values.data());
  const Block left = random_block(9, 2, random), right = random_block(7, 2, random);
  Block A = 0.0 * left * right.transpose();
  for (Index e = 0; e < entries.count(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    A(given.rows[at], given.cols[at]) += -2.0 * as_given[e];
  }
  A += left * right.transpose();
  const ObservedOperator observed(entries, {values.data(), values.size()});
  check_triplets(A, leading(LowRankSum(observed, -2.0, left, right), 3), 3);
}

TEST_CASE("entries may be given in any order, and more than once") {
  FixedRandom random;
  Entries given;
  for (std::size_t e = 0; e < given.rows.size(); ++e) {  // a step that visits every place
    const std::size_t other = (7 * e + 3) % given.rows.size();
    std::swap(given.rows[e], given.rows[other]);
    std::swap(given.cols[e], given.cols[other]);
  }
  const ObservedEntries entries = given.build();
  Vector as_given(entries.count()), values(entries.count());
  random.fill(as_given);
  entries.arrange(given.rows.data(), as_given.data(), values.data());
  Block S = Block::Zero(9, 7);
  for (Index e = 0; e < entries.count(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    S(given.rows[at], given.cols[at]) += as_given[e];
  }
  const Block right = random_block(7, 2, random), left = random_block(9, 2, random);
  Block out(9, 2), back(7, 2);
  entries.times(values, right, out, 1);
  entries.transpose_times(values, left, back, 1);
  CHECK((out - S * right).norm() <= 1e-13);
  CHECK((back - S.transpose() * left).norm() <= 1e-13);
}

TEST_CASE("the entry that was seen most often counts for the smoothness") {
  Entries given;
  CHECK(given.build().most_repeats() == 2);
  given.add(8, 5);
  given.add(3, 0);
  CHECK(given.build().most_repeats() == 3);
  const std::vector<Index> nothing;
  CHECK(ObservedEntries(2, 2, 0, nothing.data(), nothing.data()).most_repeats() == 1);
}

TEST_CASE("the logistic loss of an entry is its formula, and its derivative the slope of it") {
  const double targets[] = {1.0, -1.0}, weights[] = {0.5, 2.0};
  const EntryLoss loss{EntryLoss::Kind::logistic, targets, weights};
  for (const Index at : {0, 1})
    for (const double z : {-3.0, -0.5, 0.0, 0.7, 4.0}) {
      const double formula = weights[at] * std::log1p(std::exp(-targets[at] * z));
      CHECK(loss.value(at, z) == doctest::Approx(formula).epsilon(1e-14));
      const double slope = (loss.value(at, z + 1e-5) - loss.value(at, z - 1e-5)) / 2e-5;
      CHECK(loss.derivative(at, z) == doctest::Approx(slope).epsilon(1e-8));
    }
  CHECK(loss.value(0, -1e300) == 0.5 * 1e300);  // where exp overflows
  CHECK(loss.derivative(0, -1e300) == -0.5);
}

TEST_CASE("an alternating step leaves no slope") {
  FixedRandom random;
  const ObservedEntries entries = Entries().build();
  const Vector target = Vector::LinSpaced(entries.count(), -1.0, 2.0);
  const Vector weights = Vector::LinSpaced(entries.count(), 0.5, 1.5);
  const Block other = thin_qr(random_block(7, 5, random), 1).Q;
  Block factor = random_block(9, 5, random);
  const EntryLoss loss{EntryLoss::Kind::squared, target.data(), weights.data()};
  const Block base = 0.1 * Block::Identity(5, 5);
  alternating_step(entries, Side::left, {loss, base, 0.01, 0.0}, other, factor, 1, [] {});
  Vector predictions(entries.count());
  entries.predict(factor, other, predictions, 1);
  Block slope(9, 5);
  entries.times(weights.cwiseProduct(predictions - target), other, slope, 1);
  for (Index i = 0; i < 9; ++i)
    slope.row(i) += (0.1 + 0.01 * static_cast<double>(entries.row(i).count)) * factor.row(i);
  CHECK(slope.norm() <= 1e-12);
  const double value = total_loss(entries, loss, factor, other, 1);
  const Vector residual = predictions - target;
  CHECK(value == doctest::Approx(0.5 * residual.dot(weights.cwiseProduct(residual))));
  CHECK(total_loss(entries, loss, predictions, 1) == value);
}

TEST_CASE("losses of single and of double precision are the same for the same numbers") {
  FixedRandom random;
  const ObservedEntries entries = Entries().build();
  const Eigen::VectorXf narrow = Eigen::VectorXf::LinSpaced(entries.count(), -1.0F, 2.0F);
  const Vector wide = narrow.cast<double>();
  const Block left = random_block(9, 2, random), right = random_block(7, 2, random);
  const EntryLoss in_single{EntryLoss::Kind::squared, narrow.data(), nullptr};
  const EntryLoss in_double{EntryLoss::Kind::squared, wide.data(), nullptr};
  CHECK(total_loss(entries, in_single, left, right, 1) ==
        total_loss(entries, in_double, left, right, 1));
}

TEST_CASE("the slope towards predictions is that of their difference") {
  FixedRandom random;
  // More entries than one piece holds, with empty rows at both ends and between.
  std::vector<Index> rows, cols;
  for (Index i = 1; i < 299; ++i)
    for (Index j = 0; j < 60 && i % 7 != 0; ++j) {
      rows.push_back(i);
      cols.push_back((i + j) % 61);
    }
  const ObservedEntries entries(300, 61, static_cast<Index>(rows.size()), rows.data(), cols.data());
  const Block left = random_block(300, 3, random), right = random_block(61, 3, random);
  Vector slopes(entries.count()), aim(entries.count()), here(entries.count());
  random.fill(slopes);
  random.fill(aim);
  entries.predict(left, right, here, 1);
  const Vector move = aim - here;
  CHECK(slope_towards(entries, slopes, aim, left, right, 1) == dot_product(slopes, move, 1));
  CHECK(slope_towards(entries, slopes, aim, left, right, 3) == dot_product(slopes, move, 1));
}

TEST_CASE("products are those of Eigen, of any shape and on any number of threads") {
  FixedRandom random;
  for (const auto& [rows, inner, cols] :
       {std::array<Index, 3>{1, 1, 1}, {7, 3, 5}, {2500, 13, 9}, {40, 2100, 17}, {6, 90, 1}}) {
    const Block A = random_block(rows, inner, random), B = random_block(inner, cols, random);
    const Block wanted = A * B, turned = A.transpose(), one = product(A, B, 1);
    CHECK((one - wanted).norm() <= 1e-13 * (1.0 + wanted.norm()));
    CHECK(product(A, B, 3) == one);
    const Block inner_one = inner_product(turned, B, 1);
    CHECK((inner_one - wanted).norm() <= 1e-13 * (1.0 + wanted.norm()));
    CHECK(inner_product(turned, B, 3) == inner_one);
    Block out(rows, cols);
    transposed_product(turned, B, out, 2);
    CHECK((out - wanted).norm() <= 1e-13 * (1.0 + wanted.norm()));
  }
}

TEST_CASE("a long inner product is that of Eigen, with the same bits on any number of threads") {
  FixedRandom random;
  for (const Index size : {0, 1, 5000, 400000}) {
    Vector a(size), b(size);
    random.fill(a);
    random.fill(b);
    const double one = dot_product(a, b, 1);
    CHECK(std::abs(one - a.dot(b)) <= 1e-12 * static_cast<double>(1 + size));
    CHECK(dot_product(a, b, 3) == one);
  }
}

TEST_CASE("a matrix without rows or columns has no singular values") {
  const SingularTriplets found = thin_svd(Basis(4, 0));
  CHECK(found.U.rows() == 4);
  CHECK(found.s.size() == 0);
  CHECK(found.V.rows() == 0);
}

TEST_CASE("a QR decomposition of independent, of nearly dependent and of dependent columns") {
  FixedRandom random;
  Block A = random_block(300, 6, random);
  for (const double distance : {1.0, 1e-4, 1e-9, 0.0}) {
    A.col(5) = A.col(4) + distance * A.col(3);
    const QR found = thin_qr(A, 1);
    CHECK((found.Q * found.R - A).norm() <= 1e-13 * A.norm());
    CHECK((found.Q.transpose() * found.Q - Block::Identity(6, 6)).norm() <= 1e-13);
  }
  const QR wide = thin_qr(random_block(3, 5, random), 1);
  CHECK(wide.Q.cols() == 3);
  CHECK(wide.R.cols() == 5);
}

TEST_CASE("eigenvalues of a symmetric matrix") {
  FixedRandom random;
  const Block B = random_block(6, 6, random);
  const Basis S = B * B.transpose();
  const SymmetricEigen found = symmetric_eigen(S);
  const Basis rebuilt = found.vectors * found.values.asDiagonal() * found.vectors.transpose();
  CHECK((rebuilt - S).norm() <= 1e-12 * S.norm());
}
