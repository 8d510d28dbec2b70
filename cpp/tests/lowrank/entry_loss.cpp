#include "regiht/lowrank/entry_loss.hpp"

#include <doctest/doctest.h>

using namespace regiht;
using namespace regiht::lowrank;

TEST_CASE("derivatives of entry losses are the slopes of values and of slopes") {
  const double targets[] = {1.0, -1.0}, weights[] = {0.7, 2.5};
  for (const auto kind : {EntryLoss::Kind::squared, EntryLoss::Kind::logistic})
    for (const double* given : {static_cast<const double*>(nullptr), weights})
      for (const Index at : {0, 1})
        for (const double z : {-20.0, -1.5, 0.0, 0.4, 6.0}) {
          CAPTURE(z);
          const EntryLoss loss{kind, targets, given};
          constexpr double half = 1e-5;
          const double slope = (loss.value(at, z + half) - loss.value(at, z - half)) / (2.0 * half);
          const double bend =
              (loss.derivative(at, z + half) - loss.derivative(at, z - half)) / (2.0 * half);
          CHECK(loss.derivative(at, z) == doctest::Approx(slope).epsilon(1e-8));
          CHECK(loss.second_derivative(at, z) == doctest::Approx(bend).epsilon(1e-8));
          CHECK(loss.second_derivative(at, z) <= loss.weight(at) * loss.curvature());
        }
}
