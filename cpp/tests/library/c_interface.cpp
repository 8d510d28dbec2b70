#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>

#include "handles.hpp"
#include "models.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/solve.hpp"
#include "storage.hpp"

using namespace regiht::testing;

namespace {

/// 60 × 12 with classes that the first columns tell apart, mostly.
struct CallFromC {
  CallFromC() : random(3), A(random.matrix(60, 12, 1.0)) {
    A.col(2).array() += 5.0;
    target = (A.leftCols(2).rowwise().sum() + random.vector(60)).unaryExpr([](double z) {
      return z > 0.0 ? 1.0 : 0.0;
    });
    design = owned(regiht_design_new_dense_columns(A.data(), REGIHT_FLOAT64, 60, 12, 60),
                   &regiht_design_free);
    problem =
        owned(regiht_problem_new(design.get(), "logistic", target.data()), &regiht_problem_free);
  }

  std::shared_ptr<regiht_result> solve(const char* method, std::int64_t s) const {
    return owned(regiht_solve(problem.get(), method, s, nullptr, nullptr), &regiht_result_free);
  }

  Random random;
  regiht::Matrix A;
  regiht::Vector target;
  std::shared_ptr<regiht_design> design;
  std::shared_ptr<regiht_problem> problem;
};

}  // namespace

TEST_CASE("a solve from C is the solve of C++, for every method and loss") {
  const CallFromC call;
  const ColumnMajorStorage<double> storage(call.A);
  for (std::int64_t l = 0; const char* loss_name = regiht_loss_name(l); ++l) {
    const auto loss = regiht::make_loss(loss_name);
    regiht::LinearModel::Settings settings = model_settings(0.1, nullptr, true);
    settings.intercept = true;
    const auto problem = owned(regiht_problem_new(call.design.get(), loss_name, call.target.data()),
                               &regiht_problem_free);
    REQUIRE(regiht_problem_set(problem.get(), "ridge", 0.1) == REGIHT_OK);
    REQUIRE(regiht_problem_set(problem.get(), "intercept", 1.0) == REGIHT_OK);
    REQUIRE(regiht_problem_set(problem.get(), "max_iter", 50.0) == REGIHT_OK);
    REQUIRE(regiht_problem_set(problem.get(), "target_value", 0.0) == REGIHT_OK);
    for (std::int64_t m = 0; const char* method = regiht_method_name(m); ++m) {
      CAPTURE(loss_name);
      CAPTURE(method);
      const auto ours =
          owned(regiht_solve(problem.get(), method, 3, nullptr, nullptr), &regiht_result_free);
      REQUIRE(ours != nullptr);
      regiht::LinearModel model(*storage.design(), *loss, call.target, settings);
      regiht::Options options;
      options.sparsity = 3;
      options.max_iter = 50;
      options.target_value = 0.0;
      const regiht::Result expected =
          regiht::solve(model, regiht::find_method(method), options, regiht::no_observer());
      // The library may take another objective, such as one of inner products.
      CHECK(regiht_result_value(ours.get()) == doctest::Approx(expected.value).epsilon(1e-8));
      REQUIRE(regiht_result_count(ours.get()) == expected.x.size());
      for (regiht::Index k = 0; k < expected.x.size(); ++k)
        CHECK(regiht_result_columns(ours.get())[k] ==
              expected.x.indices[static_cast<std::size_t>(k)]);
    }
  }
}

TEST_CASE("coefficients of a standardized design predict from the matrix as it was given") {
  const CallFromC call;
  const auto standardized =
      owned(regiht_design_new_standardized(call.design.get(), 1, 1), &regiht_design_free);
  const regiht::Vector y = call.A.col(2) - 2.0 * call.A.col(7) + regiht::Vector::Constant(60, 4.0);
  const auto problem =
      owned(regiht_problem_new(standardized.get(), "squared", y.data()), &regiht_problem_free);
  REQUIRE(regiht_problem_set(problem.get(), "intercept", 1.0) == REGIHT_OK);
  const auto fit =
      owned(regiht_solve(problem.get(), "best", 2, nullptr, nullptr), &regiht_result_free);
  REQUIRE(fit != nullptr);
  CHECK(regiht_result_columns(fit.get())[0] == 2);
  CHECK(regiht_result_columns(fit.get())[1] == 7);
  CHECK(regiht_result_coefficients(fit.get())[0] == doctest::Approx(1.0));
  CHECK(regiht_result_coefficients(fit.get())[1] == doctest::Approx(-2.0));
  CHECK(regiht_result_intercept(fit.get()) == doctest::Approx(4.0));
  regiht::Vector predictions(60);
  REQUIRE(regiht_predict(fit.get(), standardized.get(), predictions.data()) == REGIHT_OK);
  CHECK((predictions - y).norm() < 1e-8 * y.norm());
}

TEST_CASE("what C hands over wrongly is refused with a sentence and nothing is read") {
  const CallFromC call;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double values[] = {1.0, nan, 2.0};
  CHECK(regiht_design_new_dense_columns(values, REGIHT_FLOAT64, 3, 1, 3) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "not finite"));
  CHECK(regiht_design_new_dense_columns(nullptr, REGIHT_FLOAT64, 3, 1, 3) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "NULL"));
  CHECK(regiht_design_new_dense_columns(values, 7, 1, 1, 1) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "value_type"));
  CHECK(regiht_design_new_dense_columns(values, REGIHT_FLOAT64, 3, 1, 2) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "stride"));
  const std::int32_t indices[] = {0, 9, 1}, offsets[] = {0, 3};
  const float ones[] = {1.0f, 1.0f, 1.0f};
  CHECK(regiht_design_new_sparse_columns(ones, REGIHT_FLOAT32, indices, offsets, REGIHT_INT32, 4,
                                         1) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "beyond the matrix"));
  CHECK(regiht_problem_new(call.design.get(), "hinge", call.target.data()) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "unknown loss"));
  const regiht::Vector halves = 0.5 * call.target;
  CHECK(regiht_problem_new(call.design.get(), "logistic", halves.data()) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "0 or 1"));

  regiht_problem* problem = call.problem.get();
  CHECK(regiht_problem_set(problem, "rigde", 1.0) == REGIHT_INVALID_ARGUMENT);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "rigde"));
  CHECK(regiht_problem_set(problem, "max_iter", 1.5) == REGIHT_INVALID_ARGUMENT);
  CHECK(regiht_problem_set(problem, "refit", 2.0) == REGIHT_INVALID_ARGUMENT);
  CHECK(regiht_problem_set(problem, "ridge", nan) == REGIHT_INVALID_ARGUMENT);
  CHECK(regiht_problem_set(problem, "keep", 1.0) == REGIHT_INVALID_ARGUMENT);
  CHECK(regiht_problem_set(problem, "seed", -1.0) == REGIHT_INVALID_ARGUMENT);
  CHECK(regiht_problem_set(problem, "history", 1.0) == REGIHT_INVALID_ARGUMENT);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "history"));
  const std::int64_t beyond[] = {12}, falling[] = {3, 1};
  CHECK(regiht_problem_set_keep(problem, beyond, 1) == REGIHT_INVALID_ARGUMENT);
  CHECK(regiht_problem_set_keep(problem, falling, 2) == REGIHT_INVALID_ARGUMENT);
  const regiht::Vector negative = -call.target;
  CHECK(regiht_problem_set_sample_weights(problem, negative.data()) == REGIHT_INVALID_ARGUMENT);
  CHECK(call.solve("bset", 3) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "bset"));
  CHECK(call.solve("best", 0) == nullptr);
  CHECK(call.solve("best", 13) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "sparsity"));
}

TEST_CASE("numbers of threads that C cannot have are refused by name") {
  const CallFromC call;
  const auto before = call.solve("omp", 2);
  for (const double threads : {0.0, -1.0, 5000.0, 1e18, 1.5}) {
    CHECK(regiht_problem_set(call.problem.get(), "threads", threads) == REGIHT_INVALID_ARGUMENT);
    CHECK(says(REGIHT_INVALID_ARGUMENT, "threads"));
  }
  CHECK(regiht_problem_set(call.problem.get(), "threads", 2.0) == REGIHT_OK);
  const auto after = call.solve("omp", 2);
  CHECK(regiht_result_value(after.get()) == regiht_result_value(before.get()));
}

TEST_CASE("C can ask for the version, the size of a design and why a solve ended") {
  const CallFromC call;
  CHECK(std::string(regiht_version()) == REGIHT_VERSION);
  CHECK(regiht_design_rows(call.design.get()) == 60);
  CHECK(regiht_design_cols(call.design.get()) == 12);
  CHECK(regiht_design_rows(nullptr) == 0);
  CHECK(regiht_design_cols(nullptr) == 0);
  const auto found = call.solve("omp", 2);
  CHECK(std::string(regiht_result_message(found.get())) ==
        regiht::describe(regiht::Status::finished).message);
}

TEST_CASE("keep, groups, a start and weights reach the solver from C") {
  const CallFromC call;
  regiht_problem* problem = call.problem.get();
  const std::int64_t kept[] = {11};
  REQUIRE(regiht_problem_set_keep(problem, kept, 1) == REGIHT_OK);
  auto fit = call.solve("best", 3);
  REQUIRE(fit != nullptr);
  CHECK(regiht_result_columns(fit.get())[regiht_result_count(fit.get()) - 1] == 11);
  REQUIRE(regiht_problem_set_keep(problem, nullptr, 0) == REGIHT_OK);

  // Pairs of columns, by numbers in no order.
  std::int64_t groups[12];
  for (int j = 0; j < 12; ++j) groups[j] = 100 - 7 * (j / 2);
  REQUIRE(regiht_problem_set_groups(problem, groups) == REGIHT_OK);
  fit = call.solve("best", 1);
  REQUIRE(regiht_result_count(fit.get()) == 2);
  CHECK(regiht_result_columns(fit.get())[0] == 0);
  CHECK(regiht_result_columns(fit.get())[1] == 1);
  REQUIRE(regiht_problem_set_groups(problem, nullptr) == REGIHT_OK);

  const std::int64_t columns[] = {4, 5};
  const double values[] = {0.25, -0.5};
  REQUIRE(regiht_problem_set_start(problem, columns, values, 2) == REGIHT_OK);
  REQUIRE(regiht_problem_set(problem, "max_iter", 0.0) == REGIHT_OK);
  fit = call.solve("iht", 2);
  REQUIRE(fit != nullptr);
  CHECK(regiht_result_columns(fit.get())[0] == 4);
  CHECK(regiht_result_coefficients(fit.get())[1] == -0.5);

  const regiht::Vector zeros = regiht::Vector::Zero(60);
  REQUIRE(regiht_problem_set_sample_weights(problem, zeros.data()) == REGIHT_OK);
  fit = call.solve("iht", 2);
  CHECK(regiht_result_value(fit.get()) == 0.0);
}

TEST_CASE("whether a swap improves is told from C once swaps were tried") {
  const CallFromC call;
  CHECK(regiht_result_swap_optimal(call.solve("omp", 3).get()) == -1);
  REQUIRE(regiht_problem_set(call.problem.get(), "swap", 1.0) == REGIHT_OK);
  CHECK(regiht_result_swap_optimal(call.solve("omp", 3).get()) == 1);
}

TEST_CASE("an observer in C sees the iterations and stops the solve") {
  const CallFromC call;
  struct Seen {
    std::int64_t calls = 0;
    double last = 0.0;
  } seen;
  const auto stop_soon = [](std::int64_t iteration, double value, void* context) {
    auto& mine = *static_cast<Seen*>(context);
    ++mine.calls;
    mine.last = value;
    return static_cast<int>(iteration >= 5);
  };
  const auto fit =
      owned(regiht_solve(call.problem.get(), "regiht", 3, stop_soon, &seen), &regiht_result_free);
  REQUIRE(fit != nullptr);
  CHECK(std::strcmp(regiht_result_status(fit.get()), "stopped") == 0);
  CHECK(regiht_result_success(fit.get()) == 0);
  CHECK(regiht_result_iterations(fit.get()) == 5);
  CHECK(seen.calls >= 5);
  CHECK(seen.last > 0.0);
}

TEST_CASE("an observer in C that asks once to stop is not asked again, by any method") {
  const CallFromC call;
  const auto stop = [](std::int64_t, double, void* context) {
    return static_cast<int>(++*static_cast<int*>(context) == 1);
  };
  for (std::int64_t m = 0; const char* method = regiht_method_name(m); ++m) {
    CAPTURE(method);
    int calls = 0;
    const auto fit =
        owned(regiht_solve(call.problem.get(), method, 3, stop, &calls), &regiht_result_free);
    REQUIRE(fit != nullptr);
    CHECK(calls == 1);
    CHECK(std::strcmp(regiht_result_status(fit.get()), "stopped") == 0);
  }
}

TEST_CASE("a time limit that is set from C ends a solve") {
  const CallFromC call;
  REQUIRE(regiht_problem_set(call.problem.get(), "time_limit", 1e-9) == REGIHT_OK);
  const auto fit = call.solve("regiht", 3);
  REQUIRE(fit != nullptr);
  CHECK(std::strcmp(regiht_result_status(fit.get()), "time_limit") == 0);
}

TEST_CASE("the last error in C is that of the thread that asks") {
  const CallFromC call;
  CHECK(regiht_problem_new(call.design.get(), "hinge", call.target.data()) == nullptr);
  std::thread([] {
    CHECK(regiht_problem_new(nullptr, "squared", nullptr) == nullptr);
    CHECK(says(REGIHT_INVALID_ARGUMENT, "NULL"));
  }).join();
  CHECK(says(REGIHT_INVALID_ARGUMENT, "unknown loss"));
}
