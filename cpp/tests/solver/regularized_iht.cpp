#include <doctest/doctest.h>

#include "quadratic.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/model/linear_model.hpp"
#include "regiht/solver/methods/regularized_iht.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// The paper's listing over full vectors: both x and w from the old x and w.
struct Listing {
  Vector x, w;
  double step, weight_step;
  Index sparsity;

  void iterate(const Matrix& A, const Vector& target) {
    const Vector gradient = A.transpose() * (A * x - target);
    const Vector moved = (x.array() * (1.0 - 0.5 * w.array())).matrix() - 0.5 * step * gradient;
    const double total = (w.array() * x.array().square()).sum();
    if (total > 0.0) {
      w = (w.array() * (1.0 - weight_step * w.array() * x.array().square() / total)).matrix();
      for (Index j = 0; j < w.size(); ++j)
        if (w[j] <= 0.5) w[j] = 0.0;
    }
    x = hard_threshold(moved, sparsity).dense(x.size());
  }
};

}  // namespace

TEST_CASE_TEMPLATE("every iterate is that of the paper's listing", Storage, REGIHT_EVERY_STORAGE) {
  Random random(60);
  const Matrix A = random.matrix(40, 60, 0.6);
  const Vector target = A.col(3) - 2.0 * A.col(50) + 0.1 * random.vector(40);
  const Storage storage(A);
  LinearModel model(*storage.design(), *make_loss("squared"), target, {});
  Options options;
  options.sparsity = 4;
  options.step = 0.05;
  options.max_iter = 60;
  Recorder recorder;
  const Result result = regularized_iht(model, options, recorder);
  Listing listing{Vector::Zero(60), Vector::Ones(60), 0.05, 4.0 / 60.0, 4};
  REQUIRE(recorder.points.size() == 60);
  for (std::size_t t = 0; t < 60; ++t) {
    listing.iterate(A, target);
    REQUIRE(distance(recorder.points[t].dense(60), listing.x) <= 1e-11);
    REQUIRE(distance(recorder.weights[t], listing.w) <= 1e-11);
  }
  CHECK(result.x == recorder.points.back());
  CHECK(result.weights == recorder.weights.back());
  CHECK(result.value == recorder.values.back());
}

TEST_CASE("a small quadratic is solved and its weights end where it is") {
  Quadratic f((Vector(4) << 0.5, 4.0, -3.0, 0.1).finished(), Vector::Ones(4));
  Options options;
  options.sparsity = 2;
  options.step = 1.0;
  options.weight_step = 0.5;
  options.max_iter = 200;
  Recorder recorder;
  const Result result = regularized_iht(f, options, recorder);
  CHECK(result.x.indices == Support{1, 2});
  CHECK(distance(result.x.dense(4), (Vector(4) << 0.0, 4.0, -3.0, 0.0).finished()) <= 1e-12);
  CHECK(result.weights[1] == 0.0);
  CHECK(result.weights[2] == 0.0);
  CHECK(result.weights[0] == 1.0);
  CHECK(result.status == Status::stationary);
}

TEST_CASE("weights start where they are told, never rise and are zero or above the threshold") {
  Random random(61);
  const Matrix A = random.matrix(50, 20, 1.0);
  const Vector target = random.vector(50);
  const ColumnMajorStorage<double> storage(A);
  for (const bool safeguard : {false, true}) {
    LinearModel model(*storage.design(), *make_loss("squared"), target, {});
    Options options;
    options.sparsity = 5;
    options.step = 0.02;
    options.weight_step = 0.3;
    options.max_iter = 100;
    options.safeguard = safeguard;
    options.w0 = 0.5 * (random.vector(20).array() + 1.0);
    Recorder recorder;
    regularized_iht(model, options, recorder);
    CHECK(recorder.weights[0] == *options.w0);  // nothing is known at x = 0
    Vector before = *options.w0;
    for (std::size_t t = 1; t < recorder.weights.size(); ++t) {
      const Vector& weights = recorder.weights[t];
      CHECK((weights.array() <= before.array()).all());
      CHECK((weights.array() == 0.0 || weights.array() >= 0.5).all());
      before = weights;
    }
  }
}

TEST_CASE("with the safeguard the regularized value never rises") {
  Random random(62);
  const Matrix A = random.matrix(60, 40, 1.0);
  const Vector target = A.col(2) + A.col(8) + 0.5 * random.vector(60);
  const ColumnMajorStorage<double> storage(A);
  for (const double step : {0.01, 0.05, 0.2, 1.0}) {
    LinearModel model(*storage.design(), *make_loss("squared"), target, {});
    Options options;
    options.sparsity = 6;
    options.step = step;
    options.max_iter = 150;
    options.safeguard = true;
    Recorder recorder;
    regularized_iht(model, options, recorder);
    for (std::size_t t = 1; t < recorder.regularized_values.size(); ++t)
      CHECK(recorder.regularized_values[t] <= recorder.regularized_values[t - 1] * (1.0 + 1e-12));
  }
}

TEST_CASE("the regularized value is f plus the weighted square over twice the step") {
  Quadratic f((Vector(3) << 1.0, 2.0, 3.0).finished(), (Vector(3) << 1.0, 0.5, 0.25).finished());
  Options options;
  options.sparsity = 2;
  options.step = 0.8;
  options.max_iter = 20;
  options.history = true;
  Recorder recorder;
  const Result result = regularized_iht(f, options, recorder);
  for (std::size_t t = 0; t < recorder.points.size(); ++t) {
    double square = 0.0;
    for (std::size_t k = 0; k < recorder.points[t].indices.size(); ++k)
      square += recorder.weights[t][recorder.points[t].indices[k]] * recorder.points[t].values[k] *
                recorder.points[t].values[k];
    CHECK(recorder.regularized_values[t] ==
          doctest::Approx(recorder.values[t] + square / 1.6).epsilon(1e-13));
  }
  CHECK(result.history.regularized_value == recorder.regularized_values);
  CHECK(result.history.value == recorder.values);
}

TEST_CASE("an adaptive weight step ends by itself and keeps the best of its rounds") {
  Random random(61);
  const Matrix A = random.matrix(30, 60, 1.0);
  const Vector target = A.col(3) - 2.0 * A.col(50) + A.col(7) + 0.5 * random.vector(30);
  const ColumnMajorDesign<double> design(A.data(), 30, 60, 30);
  const auto solve = [&](Options options, Observer& observer) {
    LinearModel model(design, *make_loss("squared"), target, {});
    options.sparsity = 5;
    options.step = 0.05;
    return regularized_iht(model, options, observer);
  };
  Options options;
  options.adaptive_weight_step = true;
  options.max_iter = 1'000'000;
  options.history = true;
  Recorder recorder;
  const Result adaptive = solve(options, recorder);
  CHECK(describe(adaptive.status).success);
  CHECK(adaptive.iterations < 30'000);
  REQUIRE(recorder.numbers.size() == static_cast<std::size_t>(adaptive.iterations));
  CHECK(recorder.numbers.back() == adaptive.iterations);
  CHECK(adaptive.history.value == recorder.values);
  for (const double length : {100.0, 200.0, 400.0, 800.0}) {
    Options fixed;
    fixed.weight_step = 5.0 / length;
    fixed.max_iter = static_cast<Index>(4.0 * length);
    SilentObserver silent;
    CHECK(adaptive.value <= solve(fixed, silent).value * (1.0 + 1e-9));
  }
  Recorder impatient(150);
  const Result stopped = solve(options, impatient);
  CHECK(stopped.status == Status::stopped);
  CHECK(stopped.iterations == 150);
}
