#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/solve.hpp"
#include "solver/small_problem.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Stops a run after so many iterations.
struct StopsAfter final : Observer {
  explicit StopsAfter(Index iterations) : left(iterations) {}
  std::optional<Status> observe(const Iteration&) override {
    return --left > 0 ? std::nullopt : std::optional<Status>(Status::stopped);
  }
  Index left;
};

struct Constraint {
  const char* name;
  bool positive, groups;

  bool is_known_to(const Method& method) const {
    return (method.knows_positive || !positive) && (method.knows_groups || !groups);
  }
};
constexpr Constraint constraints[] = {{"none", false, false},
                                      {"positive", true, false},
                                      {"groups", false, true},
                                      {"positive groups", true, true}};

enum class End { as_it_is, refitted, swapped };

Options make_options(const Constraint& constraint, End end) {
  static const auto scattered_groups =
      std::make_shared<const Groups>(std::vector<Index>{0, 1, 0, 2, 3, 0, 1, 4, 2, 4});
  Options options;
  options.sparsity = 3;
  options.max_iter = 30;
  options.positive = constraint.positive;
  if (constraint.groups) options.groups = scattered_groups;
  options.refit = end != End::as_it_is;
  options.swap = end == End::swapped;
  return options;
}

void check_support_is_allowed(const Options& options, const SparseVector& x) {
  REQUIRE(x.indices.size() == x.values.size());
  CHECK(options.count_units(x.indices) <= options.sparsity);
  for (std::size_t k = 0; k + 1 < x.indices.size(); ++k) CHECK(x.indices[k] < x.indices[k + 1]);
  for (std::size_t k = 0; k < x.values.size(); ++k) {
    CHECK(x.indices[k] >= 0);
    CHECK(x.indices[k] < SmallProblem::cols);
    if (options.positive) CHECK(x.values[k] >= 0.0);
  }
  // Under `positive` some of a group may be zero, and then they are not listed.
  if (options.groups && !options.positive)
    CHECK(options.groups->members_of_all(options.groups->of_all(x.indices)) == x.indices);
}

/// Of f on the entries that x lists, or on those of their groups.
void check_minimum_on_support(const SmallProblem& problem, const Options& options,
                              const SparseVector& x) {
  constexpr double tolerance = 1e-6;
  const Vector dense = x.dense(SmallProblem::cols);
  const Vector gradient = problem.gradient(dense);
  const Support entries = options.groups
                              ? options.groups->members_of_all(options.groups->of_all(x.indices))
                              : x.indices;
  for (const Index j : entries) {
    CHECK(gradient[j] >= -tolerance);
    if (!options.positive || dense[j] > 0.0) CHECK(gradient[j] <= tolerance);
  }
}

/// Solves, checks what must hold, and returns the value.
double solve_and_check(SmallProblem& problem, const Method& method, const Constraint& constraint,
                       End end) {
  const Options options = make_options(constraint, end);
  const auto f = problem.make_objective();
  SilentObserver silent;
  const Result result = solve(*f, method, options, silent);
  CHECK(describe(result.status).success);
  check_support_is_allowed(options, result.x);
  const double value = problem.value(result.x.dense(SmallProblem::cols));
  CHECK(result.value == doctest::Approx(value).epsilon(1e-12));
  if (options.refit) check_minimum_on_support(problem, options, result.x);
  return result.value;
}

}  // namespace

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

// Every method on every loss under every constraint that it knows, with every end: what must hold
// whatever the answer. Whether answers are the right ones is a matter of the other tests.
TEST_CASE("every method keeps its promises for every loss under every constraint it knows") {
  const Method& best = find_method("best");
  std::size_t storage = 0;
  for (const auto& loss : all_losses()) {
    ++storage;  // so that every constraint meets several storages
    for (const Constraint& constraint : constraints) {
      SmallProblem problem(*loss, storage++);
      const double least = solve_and_check(problem, best, constraint, End::swapped);
      const double slack = 1e-9 * std::abs(least);
      for (const Method& method : all_methods) {
        CAPTURE(std::string(loss->name()));
        CAPTURE(constraint.name);
        CAPTURE(std::string(method.name));
        if (!constraint.is_known_to(method)) {
          const auto f = problem.make_objective();
          SilentObserver silent;
          CHECK_THROWS_AS(solve(*f, method, make_options(constraint, End::refitted), silent),
                          std::invalid_argument);
          continue;
        }
        const double found = solve_and_check(problem, method, constraint, End::as_it_is);
        CHECK(least <= found + slack);
        if (&method == &best) continue;  // which refits and swaps by itself
        const double refitted = solve_and_check(problem, method, constraint, End::refitted);
        const double swapped = solve_and_check(problem, method, constraint, End::swapped);
        CHECK(refitted <= found + slack);
        CHECK(swapped <= refitted + slack);
        CHECK(least <= swapped + slack);
      }
    }
  }
}

TEST_CASE("a result has the intercept of its x, also after an early stop") {
  Random random(91);
  const ColumnMajorStorage<double> storage(random.matrix(40, 12, 1.0));
  const auto loss = make_loss("logistic");
  const Vector target =
      Vector::NullaryExpr(40, [&](Index) { return random.number() > 0.5 ? 1.0 : 0.0; });
  LinearModel::Settings settings = model_settings(0.1, nullptr, true);
  settings.intercept = true;
  for (const Method& method : all_methods) {
    for (const Index iterations : {Index{1}, Index{3}, Index{10'000}}) {
      CAPTURE(std::string(method.name));
      CAPTURE(iterations);
      LinearModel model(*storage.design(), *loss, target, settings);
      Options options;
      options.sparsity = 3;
      options.max_iter = 100;
      StopsAfter observer(iterations);
      const Result result = solve(model, method, options, observer);
      LinearModel fresh(*storage.design(), *loss, target, settings);
      CHECK(fresh.move_to(result.x) == doctest::Approx(result.value).epsilon(1e-12));
      CHECK(fresh.intercept() == doctest::Approx(result.intercept).epsilon(1e-9));
    }
  }
}
