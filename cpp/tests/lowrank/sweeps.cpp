#include <doctest/doctest.h>

#include <vector>

#include "lowrank/dense.hpp"
#include "lowrank/random_block.hpp"
#include "regiht/lowrank/every_entry.hpp"
#include "regiht/lowrank/measurement_sweep.hpp"
#include "regiht/lowrank/observed_entries.hpp"
#include "regiht/lowrank/span_gram.hpp"
#include "regiht/lowrank/sweep.hpp"

using namespace regiht;
using namespace regiht::lowrank;
using namespace regiht::testing;

namespace {

constexpr Index sweep_rows = 9, sweep_cols = 7, sweep_rank = 3;

ObservedEntries listed_entries() {
  std::vector<Index> row_of, col_of;
  for (Index i = 0; i < sweep_rows; ++i)
    for (Index j = 0; j < sweep_cols; ++j) {
      row_of.push_back(i);
      col_of.push_back(j);
    }
  return {sweep_rows, sweep_cols, sweep_rows * sweep_cols, row_of.data(), col_of.data()};
}

Factors random_factors(FixedRandom& random) {
  return Factors::of_terms(random_block(sweep_rows, sweep_rank, random),
                           random_block(sweep_cols, sweep_rank, random), 1);
}

}  // namespace

TEST_CASE("a product in factors, with and without directions that are rounding") {
  FixedRandom random;
  const Block left = random_block(sweep_rows, sweep_rank, random);
  Block right = random_block(sweep_cols, sweep_rank, random);
  const Factors full = Factors::of_terms(left, right, 1);
  CHECK((dense(full) - left * right.transpose()).norm() <= 1e-13);
  CHECK((full.U.transpose() * full.U - Block::Identity(sweep_rank, sweep_rank)).norm() <= 1e-13);
  CHECK(squared_norm(left, right, 1) == doctest::Approx(full.squared_norm()).epsilon(1e-13));
  right.col(2) = right.col(0);
  CHECK(Factors::of_terms(left, right, 1).rank() == 2);
  CHECK(Factors::of_terms(left, 0.0 * right, 1).rank() == 0);
}

TEST_CASE("a sweep over every entry has the bits of one over a list of all") {
  FixedRandom random;
  Vector target(sweep_rows * sweep_cols), weights(sweep_rows * sweep_cols);
  random.fill(target);
  random.fill(weights);
  weights = weights.cwiseAbs();
  const EntryLoss loss{EntryLoss::Kind::squared, target.data(), weights.data()};
  const Block base = 0.1 * Block::Identity(sweep_rank, sweep_rank);
  const Factors A = random_factors(random);
  const ObservedEntries listed = listed_entries();
  const AlternatingStep step{loss, base, 0.0, 0.0};
  const CoreFactors one = sweep(EveryEntry(sweep_rows, sweep_cols), step, A.left(), A.V, 1, [] {});
  const CoreFactors other = sweep(listed, step, A.left(), A.V, 3, [] {});
  CHECK(one.left == other.left);
  CHECK(one.core == other.core);
  CHECK(one.right == other.right);
}

TEST_CASE("a long step asks whether to end between its parts, and moves every row") {
  constexpr Index rows = 900, cols = 600, rank = 20;  // just over what is done between polls
  FixedRandom random;
  Vector target(rows * cols);
  random.fill(target);
  const EntryLoss loss{EntryLoss::Kind::squared, target.data(), nullptr};
  const Block base = 0.1 * Block::Identity(rank, rank), other = random_block(cols, rank, random);
  Block factor = random_block(rows, rank, random);
  int polls = 0;
  alternating_step(EveryEntry(rows, cols), Side::left, {loss, base, 0.0, 0.0}, other, factor, 2,
                   [&polls] { ++polls; });
  CHECK(polls == 2);
  const Eigen::Map<const Block> wanted(target.data(), rows, cols);
  const Block slope = (factor * other.transpose() - wanted) * other + 0.1 * factor;
  CHECK(slope.cwiseAbs().maxCoeff() <= 1e-9);
}

TEST_CASE("a poll that throws ends a sweep") {
  struct Enough {};
  FixedRandom random;
  const Factors A = random_factors(random);
  const Block C = random_block(60, sweep_rows * sweep_cols, random);
  const Vector y = Vector::Ones(60);
  int polls = 0;
  const Poll second = [&polls] {
    if (++polls == 2) throw Enough();
  };
  CHECK_THROWS_AS(sweep(DenseMeasurements{C, sweep_rows, sweep_cols}, y, 0.0, A, 1, second),
                  Enough);
  const Vector target = Vector::Ones(sweep_rows * sweep_cols);
  const EntryLoss loss{EntryLoss::Kind::squared, target.data(), nullptr};
  const Block base = Block::Identity(sweep_rank, sweep_rank);
  polls = 0;
  CHECK_THROWS_AS(
      sweep(EveryEntry(sweep_rows, sweep_cols), {loss, base, 0.0, 0.0}, A.left(), A.V, 1, second),
      Enough);
}

TEST_CASE("after a sweep no change of the right factor lowers the value") {
  FixedRandom random;
  const Factors A = random_factors(random);
  for (const double ridge : {0.0, 0.3}) {
    const Block C = random_block(60, sweep_rows * sweep_cols, random);
    Vector y(60);
    random.fill(y);
    const DenseMeasurements measured{C, sweep_rows, sweep_cols};
    const Factors swept = sweep(measured, y, ridge, A, 1, [] {});
    const Block matrix = dense(swept);
    const Vector residual = C * Eigen::Map<const Vector>(matrix.data(), matrix.size()) - y;
    const Vector summed = C.transpose() * residual;
    const Block slope =
        Eigen::Map<const Block>(summed.data(), sweep_rows, sweep_cols) + ridge * matrix;
    CHECK((slope.transpose() * swept.U).norm() <= 1e-10);
    CHECK(sweep(measured, y, ridge, A, 3, [] {}).V == swept.V);
  }
}

TEST_CASE("what measurements see of a product of factors") {
  FixedRandom random;
  const Block C = random_block(20, sweep_rows * sweep_cols, random);
  const DenseMeasurements measured{C, sweep_rows, sweep_cols};
  const Block left = random_block(sweep_rows, sweep_rank, random),
              right = random_block(sweep_cols, sweep_rank, random);
  const Block matrix = left * right.transpose(), turned = right.transpose();
  const Vector wanted = C * Eigen::Map<const Vector>(matrix.data(), matrix.size());
  const Vector of_left =
      measured.seen_of_left(right, 1) * Eigen::Map<const Vector>(left.data(), left.size());
  const Vector of_right =
      measured.seen_of_right(left, 1) * Eigen::Map<const Vector>(turned.data(), turned.size());
  CHECK((of_left - wanted).norm() <= 1e-12);
  CHECK((of_right - wanted).norm() <= 1e-12);
}

TEST_CASE("the system of a span is the sum over entries") {
  FixedRandom random;
  const Index many = 150;  // rows in several pieces, and entries in several panels
  const Block U = random_block(many, 2, random), V = random_block(sweep_cols, 3, random);
  Vector weights(many * sweep_cols);
  random.fill(weights);
  Block wanted = Block::Zero(6, 6);
  for (Index i = 0; i < many; ++i)
    for (Index j = 0; j < sweep_cols; ++j) {
      Vector seen(6);
      for (Index a = 0; a < 2; ++a) seen.segment(3 * a, 3) = U(i, a) * V.row(j).transpose();
      wanted += weights[i * sweep_cols + j] * seen * seen.transpose();
    }
  const EveryEntry every(many, sweep_cols);
  const Block found = span_gram(every, weights, U, V, 1);
  CHECK((found - wanted).norm() <= 1e-12 * wanted.norm());
  CHECK(span_gram(every, weights, U, V, 3) == found);
}
