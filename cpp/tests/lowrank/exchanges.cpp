#include <doctest/doctest.h>

#include <vector>

#include "lowrank/dense.hpp"
#include "lowrank/random_block.hpp"
#include "lowrank/shape.hpp"
#include "regiht/lowrank/greedy.hpp"
#include "regiht/lowrank/local_search.hpp"
#include "regiht/lowrank/prediction_objectives.hpp"
#include "regiht/lowrank/regularized_local_search.hpp"

using namespace regiht;
using namespace regiht::lowrank;
using namespace regiht::testing;

namespace {

const Poll no_poll = [] {};

/// Two entries out of three, with signs or numbers to fit, and weights.
struct Observed {
  FixedRandom random;
  std::vector<Index> row_of, col_of;
  Vector target, weights;

  Observed() {
    for (Index i = 0; i < row_count; ++i)
      for (Index j = 0; j < col_count; ++j)
        if ((i + j) % 3 != 0) {
          row_of.push_back(i);
          col_of.push_back(j);
        }
    target.resize(static_cast<Index>(row_of.size()));
    weights.resize(target.size());
    random.fill(target);
    random.fill(weights);
    weights = weights.cwiseAbs();
  }

  ObservedEntries entries() const {
    return {row_count, col_count, target.size(), row_of.data(), col_of.data()};
  }
};

Span random_span(Index p, Index q, FixedRandom& random) {
  return {thin_qr(random_block(row_count, p, random), 1).Q,
          thin_qr(random_block(col_count, q, random), 1).Q};
}

Regularizer some_weights(FixedRandom& random) {
  Regularizer weights = Regularizer::full(row_count, col_count, 0.7);
  weights.W = weights.W.lowered_by(0.9 * thin_qr(random_block(row_count, 2, random), 1).Q, 1);
  return weights;
}

/// The slope of f + Φ in the span, at the answer of the corrective step.
double slope_in_span(const MatrixObjective& objective, const Span& span, const Block& X,
                     const Regularizer& weights) {
  const Factors A = Factors::of_product(span.U, X, span.V, 1);
  const Block matrix = dense(A);
  Block slope(row_count, col_count);
  objective.at(A, 1)->gradient().write(slope, 1);
  slope += objective.ridge() * matrix;
  slope += 0.5 * weights.beta *
           (weights.W.times(matrix, 1) + weights.Y.times(matrix.transpose(), 1).transpose());
  return (span.U.transpose() * slope * span.V).norm();
}

void check_corrective(const PredictionObjective& objective) {
  FixedRandom random;
  const Regularizer weights = some_weights(random);
  const Span span = random_span(3, 2, random);
  const Block X = objective.corrective(span, Block::Zero(3, 2), &weights, 1, no_poll);
  CHECK(slope_in_span(objective, span, X, weights) <= 1e-10);
  const Block by_products =
      SpanNewton(objective, span, &weights, {}, 1, no_poll).run(Block::Zero(3, 2));
  CHECK((X - by_products).norm() <= 1e-8 * X.norm());
}

}  // namespace

TEST_CASE("the corrective step is stationary in its span, by its system and by products") {
  const Observed seen;
  const ObservedEntries entries = seen.entries();
  const Vector signs = seen.target.cwiseSign();
  const EntryLoss squared{EntryLoss::Kind::squared, seen.target.data(), seen.weights.data()};
  const EntryLoss logistic{EntryLoss::Kind::logistic, signs.data(), seen.weights.data()};
  check_corrective(EntryObjective(entries, squared, 0.3, 0.0, 1000));
  check_corrective(EntryObjective(entries, logistic, 0.3, 0.0, 10));

  FixedRandom random;
  Vector every(row_count * col_count), weights(row_count * col_count);
  random.fill(every);
  random.fill(weights);
  weights = weights.cwiseAbs();
  const EntryLoss weighted{EntryLoss::Kind::squared, every.data(), weights.data()};
  const EntryLoss plain{EntryLoss::Kind::squared, every.data(), nullptr};
  check_corrective(DenseObjective(row_count, col_count, weighted, 0.3));
  check_corrective(DenseObjective(row_count, col_count, plain, 0.3));
  const Block C = random_block(40, row_count * col_count, random);
  check_corrective(MeasurementObjective({C, row_count, col_count}, plain, 0.3));
}

TEST_CASE("a corrective step without observations in some direction stays where it began there") {
  const Vector target = Vector::Ones(1), weights = Vector::Ones(1);
  const Index zero = 0;
  const ObservedEntries entries(row_count, col_count, 1, &zero, &zero);
  const EntryLoss loss{EntryLoss::Kind::squared, target.data(), nullptr};
  const EntryObjective objective(entries, loss, 0.0, 0.0, 10);
  const Span span{Block::Identity(row_count, 2), Block::Identity(col_count, 2)};
  const Block X = objective.corrective(span, Block::Zero(2, 2), nullptr, 1, no_poll);
  CHECK(X(0, 0) == doctest::Approx(1.0));
  CHECK(X.cwiseAbs().sum() == doctest::Approx(1.0));
}

TEST_CASE("the leading triplet of a small matrix is that of its whole decomposition") {
  FixedRandom random;
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{7, 5}, {5, 7}, {1, 6}, {6, 1}, {30, 28}}) {
    const Block matrix = 1e200 * random_block(rows, cols, random);
    const SingularTriplets found = leading_of_dense(matrix, 1, 1e-10);
    const SingularTriplets wanted = truncate_rank(matrix, 1);
    CHECK(found.s[0] == doctest::Approx(wanted.s[0]).epsilon(1e-13));
    CHECK(std::abs(found.U.col(0).dot(wanted.U.col(0))) == doctest::Approx(1.0).epsilon(1e-12));
    CHECK((matrix * found.V.col(0) / found.s[0] - found.U.col(0)).norm() <= 1e-12);
  }
  CHECK(leading_of_dense(Block::Identity(6, 6), 1, 1e-10).s[0] == doctest::Approx(1.0));
  CHECK(leading_of_dense(Block::Zero(6, 4), 1, 1e-10).s[0] == 0.0);
}

TEST_CASE("exchanges find a planted matrix, and say why they end") {
  FixedRandom random;
  const Block matrix =
      random_block(row_count, 2, random) * random_block(col_count, 2, random).transpose();
  const Vector target = Eigen::Map<const Vector>(matrix.data(), matrix.size());
  const EntryLoss loss{EntryLoss::Kind::squared, target.data(), nullptr};
  const DenseObjective objective(row_count, col_count, loss, 0.0);
  const ExchangeOptions options{2, 50, 1e-10, 1};
  const Factors zero = Factors::zero(row_count, col_count);

  const ExchangeResult added = greedy(objective, options, zero, {});
  CHECK(added.end == ExchangeEnd::rank_used);
  CHECK(added.iterations == 2);
  CHECK((dense(added.best) - matrix).norm() <= 1e-9);

  const ExchangeResult exchanged = local_search(objective, options, added.best, {});
  CHECK(exchanged.status == Status::converged);
  CHECK(exchanged.end == ExchangeEnd::no_gain);

  const RegularizedSearchOptions given{2, 0.0, 1.0, 1.0 / 32.0, true};
  RegularizedLocalSearch search(objective, options, given, zero, {});
  const ExchangeResult reached = search.run();
  CHECK(reached.end == ExchangeEnd::reached);
  CHECK(reached.value <= 1e-10 * target.squaredNorm());
}

TEST_CASE("who watches exchanges is told of each and can end them") {
  const Observed seen;
  const ObservedEntries entries = seen.entries();
  const EntryLoss loss{EntryLoss::Kind::squared, seen.target.data(), nullptr};
  const EntryObjective objective(entries, loss, 0.1, 0.0, 1000);
  std::vector<double> values;
  const ExchangeObserver observer = [&](const ExchangeIteration& told) -> std::optional<Status> {
    values.push_back(told.value);
    if (values.size() == 2) return Status::stopped;
    return std::nullopt;
  };
  const ExchangeResult found =
      local_search(objective, {3, 50, 1e-10, 1}, Factors::zero(row_count, col_count), observer);
  CHECK(found.status == Status::stopped);
  CHECK(found.iterations == 2);
  REQUIRE(values.size() == 2);
  CHECK(values[1] < values[0]);
  CHECK(found.value == values[1]);
}
