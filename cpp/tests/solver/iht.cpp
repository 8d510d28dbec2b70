#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "models.hpp"
#include "quadratic.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/methods/iht.hpp"
#include "regiht/solver/methods/regularized_iht.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

Quadratic separable() {
  return {(Vector(5) << 1.0, -3.0, 0.5, 2.0, 0.0).finished(), Vector::Ones(5)};
}

/// Those that go in steps of one length; the others end by rules of their own.
using Solve = Result (*)(Objective&, const Options&, Observer&);
std::vector<Solve> thresholding_methods() { return {&iht, &regularized_iht}; }

Options options_of(Index sparsity, std::optional<double> step, Index max_iter) {
  Options options;
  options.sparsity = sparsity;
  options.step = step;
  options.max_iter = max_iter;
  return options;
}

}  // namespace

TEST_CASE("one full step solves a separable quadratic") {
  Quadratic f = separable();
  Recorder recorder;
  const Result result = iht(f, options_of(2, 1.0, 10), recorder);
  CHECK(result.x == SparseVector{{1, 3}, {-3.0, 2.0}});
  CHECK(result.value == 0.625);
  CHECK(result.status == Status::stationary);
  CHECK(result.iterations == 2);
  CHECK(result.weights == Vector::Zero(5));
  CHECK(result.step == 1.0);
  CHECK(recorder.numbers == std::vector<Index>{1, 2});
  CHECK(recorder.values == std::vector<double>{0.625, 0.625});
}

TEST_CASE("half steps halve the distance") {
  Quadratic f = separable();
  SilentObserver silent;
  Options options = options_of(2, 0.5, 3);
  options.history = true;
  const Result result = iht(f, options, silent);
  CHECK(result.status == Status::completed);
  CHECK(result.iterations == 3);
  CHECK(result.x == SparseVector{{1, 3}, {-3.0 * 0.875, 2.0 * 0.875}});
  CHECK(result.history.value.size() == 3);
  CHECK(result.history.support_changes == std::vector<Index>{2, 0, 0});
  CHECK(result.history.regularized_value == result.history.value);
}

TEST_CASE("an observer stops a run at once") {
  for (const Solve solve : thresholding_methods()) {
    Quadratic f = separable();
    Recorder recorder(4);
    const Result result = solve(f, options_of(2, 0.1, 100), recorder);
    CHECK(result.status == Status::stopped);
    CHECK(result.iterations == 4);
    CHECK(recorder.numbers.size() == 4);
    CHECK(result.x == recorder.points.back());
  }
}

TEST_CASE("a time limit returns the best iterate seen") {
  for (const Solve solve : thresholding_methods()) {
    Quadratic f = separable();
    TimeLimit limit(0.0);
    const Result result = solve(f, options_of(2, 0.1, 100), limit);
    CHECK(result.status == Status::time_limit);
    CHECK(result.iterations == 1);
    CHECK(result.value < 7.125);
    TimeLimit ample(1e6);
    Quadratic again = separable();
    CHECK(solve(again, options_of(2, 0.1, 7), ample).iterations == 7);
  }
}

TEST_CASE("a step far too large ends as diverged with the best iterate") {
  for (const Solve solve : thresholding_methods()) {
    Quadratic f = separable();
    SilentObserver silent;
    const Result result = solve(f, options_of(5, 1e3, 500), silent);
    CHECK(result.status == Status::diverged);
    CHECK(result.value == 7.125);  // f(0)
    CHECK(result.x.size() == 0);
  }
}

TEST_CASE("a step of twice the right length cycles") {
  Quadratic f = separable();
  SilentObserver silent;
  const Result result = iht(f, options_of(5, 2.0, 40), silent);
  CHECK(result.status == Status::cycling);
  CHECK(result.iterations == 40);
}

TEST_CASE("no iterations return the start, cut to its largest entries") {
  for (const Solve solve : thresholding_methods()) {
    Quadratic f = separable();
    SilentObserver silent;
    Options options = options_of(2, 1.0, 0);
    options.x0 = {{0, 1, 2}, {1.0, 2.0, -3.0}};
    const Result result = solve(f, options, silent);
    CHECK(result.x == SparseVector{{1, 2}, {2.0, -3.0}});
    CHECK(result.iterations == 0);
    CHECK(result.status == Status::completed);
  }
}

TEST_CASE("a tolerance ends the run early") {
  for (const Solve solve : thresholding_methods()) {
    Quadratic f = separable();
    SilentObserver silent;
    Options options = options_of(2, 0.5, 10'000);
    options.tol = 1e-6;
    options.weight_step = 0.1;
    const Result result = solve(f, options, silent);
    CHECK(result.status == Status::converged);
    CHECK(result.iterations < 1000);
  }
}

TEST_CASE("bad options are refused before anything is done") {
  for (const Solve solve : thresholding_methods()) {
    Quadratic f = separable();
    SilentObserver silent;
    CHECK_THROWS_AS(solve(f, options_of(6, 1.0, 10), silent), std::invalid_argument);
    CHECK_THROWS_AS(solve(f, options_of(2, -1.0, 10), silent), std::invalid_argument);
  }
}

TEST_CASE_TEMPLATE("a planted model is found without tuning, the same with and without screening",
                   Storage, REGIHT_EVERY_STORAGE) {
  Random random(50);
  const Matrix A = random.matrix(120, 80, 0.7);
  const Vector target = 2.0 * A.col(7) - 3.0 * A.col(31) + A.col(60);
  const Storage storage(A);
  for (const Solve solve : thresholding_methods()) {
    SilentObserver silent;
    LinearModel screened(*storage.design(), *make_loss("squared"), target,
                         model_settings(0.0, nullptr, true));
    LinearModel plain(*storage.design(), *make_loss("squared"), target,
                      model_settings(0.0, nullptr, false, 2));
    const Result result = solve(screened, options_of(3, std::nullopt, 800), silent);
    CHECK(result.x.indices == Support{7, 31, 60});
    CHECK(result.value < 1e-8);
    CHECK(describe(result.status).success);
    const Result again = solve(plain, options_of(3, std::nullopt, 800), silent);
    CHECK(again.x == result.x);
    CHECK(again.value == result.value);
    CHECK(again.iterations == result.iterations);
    CHECK(again.weights == result.weights);
  }
}

TEST_CASE("kept columns are in every iterate") {
  Random random(51);
  const Matrix A = random.matrix(60, 30, 1.0);
  const Vector target = A.col(4) + A.col(9);
  const ColumnMajorStorage<double> storage(A);
  for (const Solve solve : thresholding_methods()) {
    for (const Support& keep : {Support{0}, Support{0, 20}, Support{0, 1, 2}}) {
      LinearModel model(*storage.design(), *make_loss("squared"), target, {});
      Recorder recorder;
      Options options = options_of(3, std::nullopt, 50);
      options.keep = keep;
      const Result result = solve(model, options, recorder);
      for (const SparseVector& x : recorder.points) {
        CHECK(x.size() <= 3);
        for (const Index j : keep)
          REQUIRE(std::binary_search(x.indices.begin(), x.indices.end(), j));
      }
      if (keep.size() == 3) CHECK(result.x.indices == keep);
    }
  }
}
