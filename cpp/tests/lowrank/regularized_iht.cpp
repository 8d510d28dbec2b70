#include <doctest/doctest.h>

#include <vector>

#include "lowrank/dense.hpp"
#include "lowrank/random_block.hpp"
#include "lowrank/shape.hpp"
#include "regiht/lowrank/prediction_objectives.hpp"
#include "regiht/lowrank/regularized_iht.hpp"

using namespace regiht;
using namespace regiht::lowrank;
using namespace regiht::testing;

namespace {

Factors random_factors(Index rank, FixedRandom& random) {
  return Factors::of_terms(random_block(row_count, rank, random),
                           random_block(col_count, rank, random), 1);
}

/// A planted matrix of rank 2 and a full observation of it.
struct Planted {
  FixedRandom random;
  Block matrix = dense(random_factors(2, random));
  Vector target = Eigen::Map<const Vector>(matrix.data(), matrix.size());
  EntryLoss loss{EntryLoss::Kind::squared, target.data(), nullptr};
};

DescentOptions options_of(Index max_iter) {
  return {2, max_iter, 1e-12, std::nullopt, 1.0, 4.0 / static_cast<double>(max_iter), 0.5, 0.5, 1};
}

/// The difference quotient of f between two points beside the slope there.
void check_slopes(const MatrixObjective& objective) {
  FixedRandom random;
  const Factors A = random_factors(2, random), B = random_factors(3, random);
  const auto at = objective.at(A, 1), there = objective.at(B, 1);
  const double h = 1e-5;
  const auto value = [&](double part) {
    const Factors between =
        Factors::of_terms(beside((1.0 - part) * A.left(), part * B.left()), beside(A.V, B.V), 1);
    return objective.at(between, 1)->value();
  };
  const double wanted = (value(h) - value(-h)) / (2.0 * h);
  CHECK(at->slope_towards(*there) == doctest::Approx(wanted).epsilon(1e-6));

  Block gradient(row_count, col_count);
  at->gradient().apply(Block::Identity(col_count, col_count), gradient, 1);
  gradient += objective.ridge() * dense(A);
  const double inner = gradient.cwiseProduct(dense(B) - dense(A)).sum();
  CHECK(at->slope_towards(*there) == doctest::Approx(inner).epsilon(1e-12));
}

}  // namespace

TEST_CASE("slopes of objectives are those of their values") {
  FixedRandom random;
  Vector target(row_count * col_count), weights(row_count * col_count);
  random.fill(target);
  random.fill(weights);
  weights = weights.cwiseAbs();
  const EntryLoss squared{EntryLoss::Kind::squared, target.data(), weights.data()};
  check_slopes(DenseObjective(row_count, col_count, squared, 0.3));

  const Block C = random_block(30, row_count * col_count, random);
  const EntryLoss measured{EntryLoss::Kind::squared, target.data(), nullptr};
  check_slopes(MeasurementObjective({C, row_count, col_count}, measured, 0.0));

  std::vector<Index> row_of, col_of;
  for (Index i = 0; i < row_count; ++i)
    for (Index j = i % 2; j < col_count; j += 2) {
      row_of.push_back(i);
      col_of.push_back(j);
    }
  const auto count = static_cast<Index>(row_of.size());
  const ObservedEntries entries(row_count, col_count, count, row_of.data(), col_of.data());
  const Vector signs = target.head(count).cwiseSign();
  const EntryLoss logistic{EntryLoss::Kind::logistic, signs.data(), nullptr};
  for (const Index most_kept : {count, count - 1})
    check_slopes(EntryObjective(entries, logistic, 0.1, 2.0, most_kept));
}

TEST_CASE("weights are the identity without what was taken from them") {
  FixedRandom random;
  SpaceWeights W = SpaceWeights::identity(row_count);
  Block wanted = Block::Identity(row_count, row_count);
  const Block X = random_block(row_count, 4, random);
  for (int time = 0; time < 3; ++time) {
    Block removed = W.root_times(random_block(row_count, 2, random), 1);
    removed *= 0.1;
    W = W.lowered_by(removed, 1);
    wanted -= removed * removed.transpose();
    CHECK((W.times(X, 1) - wanted * X).norm() <= 1e-13);
    CHECK((W.root_times(W.root_times(X, 1), 1) - wanted * X).norm() <= 1e-13);
  }
  CHECK(W.d.size() == 6);
  const SpaceWeights rounded = W.rounded(1.0 - W.d[2], 4);
  CHECK(rounded.Q.cols() == 4);
  CHECK((rounded.d.head(3).array() == 1.0).all());
  CHECK(rounded.d[3] == W.d[3]);
}

TEST_CASE("a step to the letter is the formula on dense matrices") {
  const Planted planted;
  const DenseObjective objective(row_count, col_count, planted.loss, 0.2);
  FixedRandom random;
  const Factors start = random_factors(2, random);
  DescentOptions options = options_of(1);
  options.step = 0.4;
  options.weighted_part = 1.0;
  const Block A = dense(start);
  const Block gradient = A - planted.matrix + 0.2 * A;
  const SingularTriplets cut = truncate_rank(A - 0.2 * gradient - 0.5 * A, 2);
  const Block wanted = cut.U * cut.s.asDiagonal() * cut.V.transpose();
  Block seen;
  RegularizedIht(
      objective, options, start,
      [&](const Factors& B, double, const Regularizer& weights, double regularized) {
        seen = dense(B);
        // The weights have fallen by a share of four, cut at one: nothing is held of A.
        CHECK(weights.W.times(start.left(), 1).norm() <= 1e-6 * A.norm());
        CHECK(regularized == doctest::Approx(objective.at(B, 1)->value() + weights.value(B, 1)));
        return std::optional<Status>();
      })
      .run();
  CHECK((seen - wanted).norm() <= 1e-12);
}

TEST_CASE("a step that chooses itself finds the planted matrix, watched or not") {
  const Planted planted;
  const DenseObjective objective(row_count, col_count, planted.loss, 0.0);
  const DescentOptions options = options_of(60);
  const DescentResult alone =
      RegularizedIht(objective, options, Factors::zero(row_count, col_count), {}).run();
  CHECK(describe(alone.status).success);
  CHECK((dense(alone.best) - planted.matrix).norm() <= 1e-6 * planted.matrix.norm());
  Index told = 0;
  const auto watch = [&told](const Factors&, double, const Regularizer&, double) {
    ++told;
    return std::optional<Status>();
  };
  const DescentResult watched =
      RegularizedIht(objective, options, Factors::zero(row_count, col_count), watch).run();
  CHECK(told == watched.iterations);
  CHECK(watched.iterations == alone.iterations);
  CHECK(watched.value == alone.value);
}

TEST_CASE("whoever watches ends the run, with the best matrix so far") {
  const Planted planted;
  const DenseObjective objective(row_count, col_count, planted.loss, 0.0);
  const DescentOptions options = options_of(60);
  double least = 0.5 * planted.matrix.squaredNorm();
  Index told = 0;
  const DescentResult found =
      RegularizedIht(objective, options, Factors::zero(row_count, col_count),
                     [&](const Factors&, double value, const Regularizer&, double) {
                       least = std::min(least, value);
                       return ++told == 5 ? std::optional<Status>(Status::time_limit)
                                          : std::nullopt;
                     })
          .run();
  CHECK(found.status == Status::time_limit);
  CHECK(found.iterations == 5);
  CHECK(found.value == least);
  CHECK(objective.at(found.best, 1)->value() == least);
}

TEST_CASE("a step far too long is told as such") {
  const Planted planted;
  const DenseObjective objective(row_count, col_count, planted.loss, 0.0);
  DescentOptions options = options_of(3000);
  options.step = 1e6;
  const DescentResult found =
      RegularizedIht(objective, options, Factors::zero(row_count, col_count), {}).run();
  CHECK(found.status == Status::diverged);
  CHECK(std::isfinite(found.value));
}
