#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "bare.hpp"
#include "models.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/solve.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

TEST_CASE("second derivatives that are not known are differences along the smaller side") {
  Random random(90);
  const Matrix A = random.matrix(60, 30, 1.0);
  const ColumnMajorStorage<double> storage(A);
  const Vector target =
      random.vector(60).unaryExpr([](double number) { return number > 0.0 ? 1.0 : 0.0; });
  const auto loss = make_loss("logistic");
  LinearModel model(*storage.design(), *loss, target, model_settings(0.3, nullptr, true));
  Bare f(model);
  const SparseVector x = random.sparse_vector(30, 4);
  const Support few = {3, 17}, many = random.support(30, 20);
  for (const bool few_rows : {true, false}) {
    const Support& rows = few_rows ? few : many;
    const Support& columns = few_rows ? many : few;
    f.move_to(x);
    f.moves = 0;
    Matrix differences, exact;
    f.second_derivatives(rows, columns, differences);
    CHECK(f.moves == 2 * 2 + 1);
    CHECK(f.point() == x);
    model.second_derivatives(rows, columns, exact);
    REQUIRE(differences.rows() == exact.rows());
    REQUIRE(differences.cols() == exact.cols());
    CHECK((differences - exact).norm() <= 1e-7 * exact.norm());
  }
}

TEST_CASE("every method gives the same on an objective that offers nothing else") {
  constexpr Index cols = 20;
  Random random(91);
  const Matrix A = random.matrix(80, cols, 1.0);
  const ColumnMajorStorage<double> storage(A);
  const Vector signal = 2.0 * A.col(4) + 1.5 * A.col(5) + A.col(12) + 0.5 * A.col(13);
  const Vector real = signal + 0.1 * random.vector(80);
  const Vector binary = (signal + random.vector(80)).unaryExpr([](double number) {
    return number > 0.0 ? 1.0 : 0.0;
  });
  std::vector<Index> pairs;
  for (Index j = 0; j < cols; ++j) pairs.push_back(j / 2);
  enum class Constraint { none, positive, groups };
  for (const char* name : {"squared", "logistic"})
    for (const Constraint constraint : {Constraint::none, Constraint::positive, Constraint::groups})
      for (const Method& method : all_methods) {
        CAPTURE(std::string(name));
        CAPTURE(std::string(method.name));
        Options options;
        options.sparsity = constraint == Constraint::groups ? 2 : 4;
        options.refit = true;
        options.positive = constraint == Constraint::positive;
        if (constraint == Constraint::groups) options.groups = std::make_shared<Groups>(pairs);
        if (options.positive && !method.knows_positive) continue;
        if (options.groups && !method.knows_groups) continue;
        for (const bool swap : {false, true}) {
          options.swap = swap;
          const auto loss = make_loss(name);
          const Vector& target = std::string(name) == "squared" ? real : binary;
          const auto settings = model_settings(0.2, nullptr, true);
          SilentObserver silent;
          LinearModel known(*storage.design(), *loss, target, settings);
          const Result expected = solve(known, method, options, silent);
          LinearModel inner(*storage.design(), *loss, target, settings);
          Bare bare(inner);
          const Result result = solve(bare, method, options, silent);
          CHECK(result.x.indices == expected.x.indices);
          CHECK(result.value == doctest::Approx(expected.value).epsilon(1e-11));
          CHECK(result.swap_optimal == expected.swap_optimal);
        }
      }
}

TEST_CASE("entries that an objective did not clear are noticed") {
  const SparseVector cleared{{0, 2, 5}, {1.0, 1.0, 1.0}};
  const SparseVector not_cleared{{0, 2, 5, 0, 2}, {1.0, 1.0, 1.0, 1.0, 1.0}};
  CHECK(are_off_support(cleared, {1, 3}));
  CHECK(are_off_support({}, {1, 3}));
  CHECK_FALSE(are_off_support(cleared, {1, 2}));
  CHECK_FALSE(are_off_support(not_cleared, {}));
  CHECK_FALSE(are_off_support({{0, 1}, {1.0}}, {}));
}
