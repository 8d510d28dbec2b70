#include <doctest/doctest.h>

#include "regiht/solver/step/adaptive_weights.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;
using Rounding = AdaptiveWeights::Rounding;

TEST_CASE("weights fall by their share of the weighted square") {
  AdaptiveWeights weights((Vector(4) << 1.0, 0.8, 1.0, 0.6).finished(), 0.25, 0.5,
                          Rounding::at_or_below);
  const SparseVector x{{0, 1, 3}, {2.0, -1.0, 0.5}};
  const double total = 1.0 * 4.0 + 0.8 * 1.0 + 0.6 * 0.25;
  CHECK(weights.weighted_square(x) == doctest::Approx(total).epsilon(1e-15));
  const double change = weights.update(x);
  const Vector expected = (Vector(4) << 1.0 - 0.25 * 4.0 / total, 0.8 * (1.0 - 0.25 * 0.8 / total),
                           1.0, 0.6 * (1.0 - 0.25 * 0.6 * 0.25 / total))
                              .finished();
  CHECK(distance(weights.values(), expected) <= 1e-15);
  CHECK(change == doctest::Approx(1.0 - expected[0]).epsilon(1e-14));
  CHECK(weights[2] == 1.0);
}

TEST_CASE("small weights become zero, those at the threshold too unless told otherwise") {
  for (const Rounding rounding : {Rounding::at_or_below, Rounding::below}) {
    AdaptiveWeights weights(Vector::Ones(2), 0.5, 0.5, rounding);
    CHECK(weights.update({{0}, {3.0}}) == (rounding == Rounding::below ? 0.5 : 1.0));
    CHECK(weights[0] == (rounding == Rounding::below ? 0.5 : 0.0));
    CHECK(weights[1] == 1.0);
  }
}

TEST_CASE("nothing happens when the weighted square vanishes") {
  AdaptiveWeights weights((Vector(3) << 0.0, 1.0, 0.1).finished(), 0.5, 0.5, Rounding::at_or_below);
  for (const SparseVector& x :
       {SparseVector{}, SparseVector{{0}, {2.0}}, SparseVector{{1}, {0.0}}}) {
    CHECK(weights.update(x) == 0.0);
    CHECK(weights.values() == (Vector(3) << 0.0, 1.0, 0.1).finished());
  }
}

TEST_CASE("first weights below the threshold are rounded wherever they are") {
  AdaptiveWeights weights((Vector(3) << 1.0, 0.4, 0.7).finished(), 0.1, 0.5, Rounding::at_or_below);
  CHECK(weights.update({{0}, {1.0}}) == doctest::Approx(0.4));
  CHECK(weights[1] == 0.0);
  CHECK(weights[2] == 0.7);
}

TEST_CASE("weights never rise and stay zero or above the threshold") {
  Random random(22);
  AdaptiveWeights weights(Vector::Ones(12), 0.3, 0.5, Rounding::at_or_below);
  Vector before = weights.values();
  for (int round = 0; round < 200; ++round) {
    weights.update(random.sparse_vector(12, 4));
    CHECK((weights.values().array() <= before.array()).all());
    CHECK((weights.values().array() == 0.0 || weights.values().array() > 0.5).all());
    before = weights.values();
  }
  CHECK(before == Vector::Zero(12));
}
