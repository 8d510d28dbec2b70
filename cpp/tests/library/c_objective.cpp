#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "handles.hpp"
#include "storage.hpp"

using namespace regiht::testing;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// ½‖x − center‖² in C, whose answers a test may change: `after` sees the name of the function.
struct Distance {
  static constexpr std::int64_t n = 10;

  double center[n] = {0.5, -3.0, 1.0, 4.0, -0.25, 2.0, 0.125, -1.5, 0.75, 3.5};
  std::vector<std::int64_t> indices;  // of the point
  std::vector<double> values;
  std::function<int(const std::string&)> code = [](const std::string&) { return 0; };
  std::function<void(std::int64_t&, std::int64_t*, double*)> change_list;
  bool writes = true;

  double at(std::int64_t j) const {
    for (std::size_t k = 0; k < indices.size(); ++k)
      if (indices[k] == j) return values[k];
    return 0.0;
  }
  bool lists(std::int64_t j) const {
    for (const std::int64_t index : indices)
      if (index == j) return true;
    return false;
  }

  static Distance& of(void* context) { return *static_cast<Distance*>(context); }

  static int move_to(std::int64_t count, const std::int64_t* indices, const double* values,
                     double* value, void* context) {
    Distance& self = of(context);
    self.indices.assign(indices, indices + count);
    self.values.assign(values, values + count);
    double total = 0.0;
    for (std::int64_t j = 0; j < n; ++j) total += 0.5 * std::pow(self.at(j) - self.center[j], 2);
    if (self.writes) *value = total;
    return self.code("move_to");
  }
  static int gradient_on_support(double* gradient, void* context) {
    Distance& self = of(context);
    for (std::size_t k = 0; self.writes && k < self.indices.size(); ++k)
      gradient[k] = self.values[k] - self.center[self.indices[k]];
    return self.code("gradient_on_support");
  }
  static int gradient_off_support(double magnitude, std::int64_t* count, std::int64_t* indices,
                                  double* derivatives, void* context) {
    Distance& self = of(context);
    *count = 0;
    for (std::int64_t j = 0; j < n; ++j)
      if (!self.lists(j) && std::abs(self.center[j]) >= magnitude) {
        indices[*count] = j;
        derivatives[(*count)++] = -self.center[j];
      }
    if (self.change_list) self.change_list(*count, indices, derivatives);
    return self.code("gradient_off_support");
  }
  static int second_derivatives(std::int64_t row_count, const std::int64_t* rows,
                                std::int64_t column_count, const std::int64_t* columns, double* out,
                                void* context) {
    for (std::int64_t k = 0; k < row_count; ++k)
      for (std::int64_t l = 0; l < column_count; ++l)
        out[k + row_count * l] = rows[k] == columns[l] ? 1.0 : 0.0;
    return of(context).code("second_derivatives");
  }
  static int gradients_spent(double* count, void* context) {
    *count = 1.0;
    return of(context).code("gradients_spent");
  }

  static int value_at(const double* x, double* value, void* context) {
    Distance& self = of(context);
    double total = 0.0;
    for (std::int64_t j = 0; j < n; ++j) total += 0.5 * std::pow(x[j] - self.center[j], 2);
    if (self.writes) *value = total;
    return self.code("value");
  }
  static int gradient_at(const double* x, double* gradient, void* context) {
    Distance& self = of(context);
    for (std::int64_t j = 0; self.writes && j < n; ++j) gradient[j] = x[j] - self.center[j];
    return self.code("gradient");
  }
  static int second_derivatives_at(const double*, std::int64_t row_count, const std::int64_t* rows,
                                   std::int64_t column_count, const std::int64_t* columns,
                                   double* out, void* context) {
    return second_derivatives(row_count, rows, column_count, columns, out, context);
  }
};

regiht_objective functions_of_distance() {
  return {Distance::n,
          &Distance::move_to,
          &Distance::gradient_on_support,
          &Distance::gradient_off_support,
          &Distance::second_derivatives,
          &Distance::gradients_spent,
          1};
}

regiht_dense_objective dense_functions() {
  return {Distance::n, &Distance::value_at, &Distance::gradient_at,
          &Distance::second_derivatives_at, 1};
}

std::shared_ptr<regiht_problem> problem_of(Distance& distance) {
  const regiht_objective functions = functions_of_distance();
  return owned(regiht_problem_new_objective(&functions, &distance), &regiht_problem_free);
}

std::shared_ptr<regiht_problem> dense_problem_of(Distance& distance) {
  const regiht_dense_objective functions = dense_functions();
  return owned(regiht_problem_new_dense_objective(&functions, &distance), &regiht_problem_free);
}

std::shared_ptr<regiht_result> solve(const std::shared_ptr<regiht_problem>& problem,
                                     const char* method, std::int64_t s = 3) {
  return owned(regiht_solve(problem.get(), method, s, nullptr, nullptr), &regiht_result_free);
}

std::vector<const char*> methods() {
  std::vector<const char*> names;
  while (const char* name = regiht_method_name(static_cast<std::int64_t>(names.size())))
    names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("an objective written in C is minimised by every method") {
  for (const bool dense : {false, true})
    for (const char* method : methods()) {
      CAPTURE(method);
      Distance distance;
      const auto problem = dense ? dense_problem_of(distance) : problem_of(distance);
      REQUIRE(regiht_problem_set(problem.get(), "refit", 1.0) == REGIHT_OK);
      REQUIRE(regiht_problem_set(problem.get(), "target_value", 0.0) == REGIHT_OK);
      const auto fit = solve(problem, method);
      REQUIRE(fit != nullptr);
      CHECK(regiht_result_success(fit.get()) == 1);
      REQUIRE(regiht_result_count(fit.get()) == 3);
      // The largest of the centre, with its entries.
      const std::int64_t expected[] = {1, 3, 9};
      double value = 0.0;
      for (const double entry : distance.center) value += 0.5 * entry * entry;
      for (int k = 0; k < 3; ++k) {
        const double entry = distance.center[expected[k]];
        CHECK(regiht_result_columns(fit.get())[k] == expected[k]);
        CHECK(regiht_result_coefficients(fit.get())[k] == doctest::Approx(entry));
        value -= 0.5 * entry * entry;
      }
      CHECK(regiht_result_value(fit.get()) == doctest::Approx(value));
      CHECK(regiht_result_intercept(fit.get()) == 0.0);
    }
}

TEST_CASE("a function that fails ends the solve with its name and what it returned") {
  for (const char* failing : {"move_to", "gradient_on_support", "gradient_off_support",
                              "second_derivatives", "gradients_spent", "value", "gradient"}) {
    CAPTURE(failing);
    const bool dense = std::string(failing) == "value" || std::string(failing) == "gradient";
    Distance distance;
    const auto problem = dense ? dense_problem_of(distance) : problem_of(distance);
    distance.code = [&](const std::string& function) { return function == failing ? 7 : 0; };
    CHECK(solve(problem, "best") == nullptr);
    CHECK(says(REGIHT_OBJECTIVE_FAILED, std::string(failing) + " of the objective returned 7"));
    // Only those that may be left out may be unsupported.
    distance.code = [&](const std::string& function) {
      return function == failing ? REGIHT_UNSUPPORTED : 0;
    };
    const bool optional =
        std::string(failing) == "second_derivatives" || std::string(failing) == "gradients_spent";
    CHECK((solve(problem, "best") != nullptr) == optional);
    distance.code = [](const std::string&) { return 0; };
    CHECK(solve(problem, "best") != nullptr);
  }
}

TEST_CASE("functions that may be left out are left out") {
  Distance distance;
  regiht_objective functions = functions_of_distance();
  functions.second_derivatives = nullptr;
  functions.gradients_spent = nullptr;
  const auto problem =
      owned(regiht_problem_new_objective(&functions, &distance), &regiht_problem_free);
  regiht_dense_objective dense = dense_functions();
  dense.second_derivatives = nullptr;
  const auto dense_problem =
      owned(regiht_problem_new_dense_objective(&dense, &distance), &regiht_problem_free);
  for (const auto& each : {problem, dense_problem}) {
    const auto fit = solve(each, "best");
    REQUIRE(fit != nullptr);
    CHECK(regiht_result_columns(fit.get())[0] == 1);
    CHECK(regiht_result_coefficients(fit.get())[0] == doctest::Approx(-3.0));
  }
}

TEST_CASE("functions that write nothing end in diverged, whatever the method") {
  for (const bool dense : {false, true})
    for (const char* method : methods()) {
      CAPTURE(method);
      CAPTURE(dense);
      Distance distance;
      distance.writes = false;
      if (!dense)
        distance.change_list = [](std::int64_t& count, std::int64_t*, double* derivatives) {
          std::fill(derivatives, derivatives + count, not_a_number);
        };
      const auto problem = dense ? dense_problem_of(distance) : problem_of(distance);
      const auto fit = solve(problem, method);
      REQUIRE(fit != nullptr);
      CHECK(std::string(regiht_result_status(fit.get())) == "diverged");
      CHECK(regiht_result_success(fit.get()) == 0);
    }
}

TEST_CASE("lists that no gradient can have are refused") {
  using Change = std::function<void(std::int64_t&, std::int64_t*, double*)>;
  Distance distance;
  const auto problem = problem_of(distance);
  const std::pair<const char*, Change> wrong[] = {
      {"how many", [](auto& count, auto*, auto*) { count = -1; }},
      {"how many", [](auto& count, auto*, auto*) { count = Distance::n + 1; }},
      {"ascending",
       [](auto& count, auto* indices, auto*) {
         if (count > 1) indices[1] = indices[0];
       }},
      {"ascending",
       [](auto& count, auto* indices, auto*) {
         if (count > 0) indices[0] = -1;
       }},
      {"ascending",
       [](auto& count, auto* indices, auto*) {
         if (count > 0) indices[count - 1] = Distance::n;
       }},
      {"ascending", [](auto& count, auto* indices, auto*) {
         for (std::int64_t k = 0; k < count; ++k) indices[k] = k;
       }}};
  for (const auto& [text, change] : wrong) {
    distance.change_list = change;
    CHECK(solve(problem, "omp") == nullptr);
    CHECK(says(REGIHT_INVALID_ARGUMENT, "gradient_off_support"));
    CHECK(says(REGIHT_INVALID_ARGUMENT, text));
  }
}

TEST_CASE("an objective in C without what it must have is refused") {
  Distance distance;
  CHECK(regiht_problem_new_objective(nullptr, &distance) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "objective"));
  CHECK(regiht_problem_new_dense_objective(nullptr, &distance) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "objective"));
  regiht_objective functions = functions_of_distance();
  functions.dimension = 0;
  CHECK(regiht_problem_new_objective(&functions, &distance) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "dimension"));
  functions = functions_of_distance();
  functions.gradient_off_support = nullptr;
  CHECK(regiht_problem_new_objective(&functions, &distance) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "gradient_off_support"));
  regiht_dense_objective dense = dense_functions();
  dense.dimension = -1;
  CHECK(regiht_problem_new_dense_objective(&dense, &distance) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "dimension"));
  dense = dense_functions();
  dense.gradient = nullptr;
  CHECK(regiht_problem_new_dense_objective(&dense, &distance) == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "gradient"));
}

TEST_CASE("a count of gradients that is no count is refused") {
  Distance distance;
  regiht_objective functions = functions_of_distance();
  functions.gradients_spent = [](double* count, void*) {
    *count = not_a_number;
    return 0;
  };
  const auto problem =
      owned(regiht_problem_new_objective(&functions, &distance), &regiht_problem_free);
  CHECK(solve(problem, "best") == nullptr);
  CHECK(says(REGIHT_INVALID_ARGUMENT, "gradients_spent"));
}

TEST_CASE("a time limit ends the solve of an objective in C") {
  Distance distance;
  const auto problem = problem_of(distance);
  REQUIRE(regiht_problem_set(problem.get(), "time_limit", 1e-9) == REGIHT_OK);
  const auto fit = solve(problem, "regiht");
  REQUIRE(fit != nullptr);
  CHECK(std::string(regiht_result_status(fit.get())) == "time_limit");
}

TEST_CASE("functions that answer at random end in a result or in an error") {
  Random random(31);
  const auto pick = [&](double chance) { return std::abs(random.number()) < chance; };
  for (int round = 0; round < 300; ++round)
    for (const char* method : methods()) {
      Distance distance;
      const double inf = std::numeric_limits<double>::infinity();
      const double strange[] = {not_a_number, inf, -inf, 1e300, -1e300, 5e-324, 0.0};
      for (double& entry : distance.center)
        if (pick(0.2)) entry = strange[std::abs(static_cast<int>(random.number() * 7.0)) % 7];
      distance.code = [&](const std::string&) { return pick(0.002) ? 1 : 0; };
      if (pick(0.5))
        distance.change_list = [&](std::int64_t& count, std::int64_t* indices, double* values) {
          if (count == 0) return;
          if (pick(0.01)) count = static_cast<std::int64_t>(20.0 * random.number());
          if (pick(0.01)) indices[0] = static_cast<std::int64_t>(20.0 * random.number());
          if (pick(0.1)) values[0] = not_a_number;
        };
      const auto problem = pick(0.5) ? problem_of(distance) : dense_problem_of(distance);
      regiht_problem_set(problem.get(), "max_iter", 30.0);
      regiht_problem_set(problem.get(), "target_value", 0.0);
      regiht_problem_set(problem.get(), "time_limit", 1.0);
      regiht_problem_set(problem.get(), pick(0.5) ? "refit" : "swap", 1.0);
      const auto fit = solve(problem, method);
      if (!fit) {
        CHECK((regiht_last_error_code() == REGIHT_OBJECTIVE_FAILED ||
               regiht_last_error_code() == REGIHT_INVALID_ARGUMENT));
        continue;
      }
      CHECK(regiht_result_count(fit.get()) <= 3);
      if (regiht_result_success(fit.get())) CHECK(std::isfinite(regiht_result_value(fit.get())));
    }
}
