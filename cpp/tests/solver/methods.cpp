#include <doctest/doctest.h>

#include <stdexcept>

#include "models.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/squared.hpp"
#include "regiht/solver/methods.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

TEST_CASE("methods are found by name") {
  for (const Method& method : all_methods) CHECK(&find_method(method.name) == &method);
  CHECK_THROWS_WITH_AS(find_method("newton"), "unknown method \"newton\"", std::invalid_argument);
}

TEST_CASE("solvers find the same on every objective") {
  Random random(76);
  const Matrix A = random.matrix(200, 40, 0.8);
  const Vector target = A.col(5) - 2.0 * A.col(17) + 0.1 * random.vector(200);
  const ColumnMajorStorage<double> storage(A);
  const auto design = standardize(storage.design(), true, true);
  const PointwiseLoss<Squared> squared;
  for (const Method& method : all_methods) {
    Options options;
    options.sparsity = 4;
    options.step = 0.8;
    options.max_iter = 150;
    SilentObserver silent;
    LinearModel plain(*design, squared, target, model_settings(0.1, nullptr, true));
    const Result expected = method.run(plain, options, silent);
    for (const Known known : every_kind) {
      LeastSquares least(*design, target, settings_with(known, 0.1, *design));
      const Result result = method.run(least, options, silent);
      CHECK(result.x.indices == expected.x.indices);
      CHECK(distance(result.x.dense(40), expected.x.dense(40)) <= 1e-11);
      CHECK(result.value == doctest::Approx(expected.value).epsilon(1e-12));
      CHECK(distance(result.weights, expected.weights) <= 1e-11);
    }
  }
}

TEST_CASE("what an objective throws passes through") {
  struct Failing final : Objective {
    Index dimension() const override { return 3; }
    double move_to(const SparseVector& x) override {
      if (x.size() > 0) throw std::runtime_error("no");
      return 1.0;
    }
    const SparseVector& point() const override { return nowhere; }
    void gradient_on_support(VectorView) override {}
    void gradient_off_support(double, SparseVector& entries) override { entries = {{0}, {1.0}}; }
    double gradients_spent() const override { return 0.0; }
    SparseVector nowhere;
  };
  for (const Method& method : all_methods) {
    Failing f;
    SilentObserver silent;
    Options options;
    options.sparsity = 1;
    options.step = 0.1;
    options.max_iter = 5;
    CHECK_THROWS_WITH_AS(method.run(f, options, silent), "no", std::runtime_error);
  }
}
