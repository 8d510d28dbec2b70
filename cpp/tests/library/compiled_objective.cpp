#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "bare.hpp"
#include "own_problem.hpp"
#include "quadratic.hpp"

using namespace regiht::testing;
namespace compiled = regiht::compiled;

namespace {

void check_same(const compiled::Fit& fit, const regiht::Result& expected) {
  CHECK(fit.columns ==
        std::vector<std::int64_t>(expected.x.indices.begin(), expected.x.indices.end()));
  CHECK(fit.coefficients == expected.x.values);
  CHECK(fit.value == expected.value);
  CHECK(fit.iterations == expected.iterations);
  CHECK(fit.status == regiht::describe(expected.status).name);
}

struct Trouble {
  int number;
};

/// Throws at a given call.
class Throwing final : public compiled::Objective {
 public:
  explicit Throwing(compiled::Objective& f) : f_(f) {}

  std::int64_t dimension() const override { return f_.dimension(); }
  double move_to(const compiled::Point& x) override {
    count();
    return f_.move_to(x);
  }
  void gradient_on_support(compiled::Span<double> out) override {
    count();
    f_.gradient_on_support(out);
  }
  void gradient_off_support(double magnitude, compiled::Entries& entries) override {
    count();
    f_.gradient_off_support(magnitude, entries);
  }
  bool second_derivatives(compiled::Indices rows, compiled::Indices columns,
                          compiled::Block out) override {
    count();
    return f_.second_derivatives(rows, columns, out);
  }
  std::optional<double> gradients_spent() const override {
    count();
    return f_.gradients_spent();
  }

  mutable int calls = 0;
  int throws_at = -1;

 private:
  void count() const {
    if (++calls == throws_at) throw Trouble{calls};
  }

  compiled::Objective& f_;
};

}  // namespace

TEST_CASE("an objective of one's own has the same bits with the compiled library as with headers") {
  enum class Constraint { none, positive, groups };
  std::vector<regiht::Index> pairs;
  for (regiht::Index j = 0; j < 14; ++j) pairs.push_back(j / 2);
  for (const char* loss : {"squared", "logistic"})
    for (const bool offers : {false, true})
      for (const Constraint constraint :
           {Constraint::none, Constraint::positive, Constraint::groups})
        for (const regiht::Method& method : regiht::all_methods)
          for (const char* ending : {"", "refit", "swap"}) {
            const bool positive = constraint == Constraint::positive;
            const bool groups = constraint == Constraint::groups;
            if (constraint != Constraint::none && *ending) continue;
            if ((positive && !method.knows_positive) || (groups && !method.knows_groups)) continue;
            CAPTURE(std::string(method.name));
            CAPTURE(offers);
            const PlantedModel planted(loss);
            regiht::Options options;
            options.sparsity = groups ? 2 : 4;
            options.max_iter = 30;
            options.effort = 0.1;
            options.positive = positive;
            options.refit = std::string(ending) == "refit";
            options.swap = std::string(ending) == "swap";
            options.target_value = 0.0;
            if (groups) options.groups = std::make_shared<regiht::Groups>(pairs);
            regiht::LinearModel one = planted.model();
            Bare bare(one, offers);
            const auto expected = regiht::solve(bare, method, options, regiht::no_observer());

            regiht::LinearModel other = planted.model();
            Passed passed(other, offers);
            compiled::Problem problem(passed);
            problem.set("max_iter", 30)
                .set("effort", 0.1)
                .set("positive", positive)
                .set("target_value", 0.0);
            if (*ending) problem.set(ending, 1);
            if (groups) problem.groups({pairs.begin(), pairs.end()});
            check_same(problem.solve(options.sparsity, std::string(method.name)), expected);
          }
}

TEST_CASE("values and gradients alone have the bits of an objective that computes all gradients") {
  Random random(21);
  const regiht::Vector center = random.vector(30);
  const regiht::Vector curvature = random.vector(30).array().square() + 0.5;
  for (const regiht::Method& method : regiht::all_methods)
    for (const char* ending : {"", "refit", "swap"}) {
      // `best` spends a budget of gradients, which Quadratic counts in another way.
      if (method.name == "best") continue;
      CAPTURE(std::string(method.name));
      regiht::Options options;
      options.sparsity = 5;
      options.refit = std::string(ending) == "refit";
      options.swap = std::string(ending) == "swap";
      options.target_value = 0.0;
      Quadratic quadratic(center, curvature);
      const auto expected = regiht::solve(quadratic, method, options, regiht::no_observer());
      DenseQuadratic dense(center, curvature);
      compiled::Problem problem(dense);
      problem.set("target_value", 0.0);
      if (*ending) problem.set(ending, 1);
      check_same(problem.solve(5, std::string(method.name)), expected);
    }
}

TEST_CASE("the minimum of a separable quadratic is found through the compiled library") {
  constexpr std::int64_t n = 40, s = 6;
  Random random(22);
  const regiht::Vector center = random.vector(n);
  const regiht::Vector curvature = random.vector(n).array().square() + 0.1;
  // What it gains to have a variable, its own minimum being in reach.
  const regiht::Vector gains = 0.5 * curvature.array() * center.array().square();
  const auto check_chosen = [&](const compiled::Fit& fit, std::vector<std::int64_t> expected) {
    std::sort(expected.begin(), expected.end());
    CHECK(fit.success);
    REQUIRE(fit.columns == expected);
    double value = gains.sum();
    for (std::size_t k = 0; k < expected.size(); ++k) {
      CHECK(fit.coefficients[k] == doctest::Approx(center[expected[k]]).epsilon(1e-8));
      value -= gains[expected[k]];
    }
    CHECK(fit.value == doctest::Approx(value));
    CHECK(fit.intercept == 0.0);
  };
  std::vector<std::int64_t> order(n), positive;
  for (std::int64_t j = 0; j < n; ++j) order[static_cast<std::size_t>(j)] = j;
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return gains[i] > gains[j]; });
  std::copy_if(order.begin(), order.end(), std::back_inserter(positive),
               [&](auto j) { return center[j] > 0.0; });
  for (const bool offers : {false, true}) {
    DenseQuadratic f(center, curvature);
    f.offers = offers;
    check_chosen(compiled::Problem(f).solve(s), {order.begin(), order.begin() + s});
    compiled::Problem kept(f);
    kept.keep({order.back()});
    auto expected = std::vector<std::int64_t>(order.begin(), order.begin() + s - 1);
    expected.push_back(order.back());
    check_chosen(kept.solve(s), expected);
    compiled::Problem signs(f);
    signs.set("positive", 1);
    check_chosen(signs.solve(s), {positive.begin(), positive.begin() + s});
    compiled::Problem started(f);
    started.start({3, 7}, {0.25, -0.5}).set("max_iter", 0);
    const compiled::Fit start = started.solve(2, "iht");
    CHECK(start.columns == std::vector<std::int64_t>{3, 7});
    CHECK(start.coefficients == std::vector<double>{0.25, -0.5});
  }
}

TEST_CASE("whatever an objective throws passes through the compiled library, at every call") {
  const PlantedModel planted("logistic");
  for (const regiht::Method& method : regiht::all_methods) {
    CAPTURE(std::string(method.name));
    regiht::LinearModel model = planted.model();
    Passed passed(model, true);
    Throwing f(passed);
    compiled::Problem problem(f);
    problem.set("max_iter", 20).set("refit", 1).set("target_value", 0.0);
    const compiled::Fit expected = problem.solve(3, std::string(method.name));
    const int calls = f.calls;
    for (int at = 1; at <= calls; at += 1 + calls / 12) {
      f.calls = 0;
      f.throws_at = at;
      int thrown = 0;
      try {
        problem.solve(3, std::string(method.name));
      } catch (const Trouble& trouble) {
        thrown = trouble.number;
      }
      CHECK(thrown == at);
      CHECK(f.calls == at);  // it is not asked again
    }
    f.throws_at = -1;
    const compiled::Fit again = problem.solve(3, std::string(method.name));
    CHECK(again.columns == expected.columns);
    CHECK(again.value == doctest::Approx(expected.value));
  }
}

TEST_CASE("a dense objective that throws is heard, and so is an observer") {
  class Failing final : public compiled::DenseObjective {
   public:
    std::int64_t dimension() const override { return 3; }
    double value(const double* x) override { return x[0] * x[0]; }
    void gradient(const double*, double*) override { throw Trouble{5}; }
  } f;
  CHECK_THROWS_AS(compiled::Problem(f).solve(1), Trouble);
  DenseQuadratic fine(regiht::Vector::Ones(5), regiht::Vector::Ones(5));
  const compiled::Problem problem(fine);
  CHECK_THROWS_AS(problem.solve(2, "iht", [](std::int64_t, double) -> bool { throw Trouble{1}; }),
                  Trouble);
  const compiled::Fit stopped =
      problem.solve(2, "regiht", [](std::int64_t number, double) { return number >= 3; });
  CHECK(stopped.status == "stopped");
  CHECK(stopped.iterations == 3);
}

TEST_CASE("settings that an objective of one's own does not have are refused by name") {
  DenseQuadratic f(regiht::Vector::Ones(5), regiht::Vector::Ones(5));
  compiled::Problem problem(f);
  for (const char* name : {"ridge", "intercept", "screening", "threads", "history", "sparsity",
                           "keep", "w0", "rigde"}) {
    CAPTURE(name);
    std::string text;
    try {
      problem.set(name, 1);
    } catch (const std::invalid_argument& error) {
      text = error.what();
    }
    CHECK(text.find(name) != std::string::npos);
  }
  CHECK_THROWS_WITH_AS(problem.sample_weights({1.0}), doctest::Contains("sample_weights"),
                       std::invalid_argument);
  CHECK_THROWS_AS(problem.groups({0, 1}), std::invalid_argument);
  CHECK_THROWS_AS(problem.keep({5}), std::invalid_argument);
  CHECK_THROWS_AS(problem.solve(6), std::invalid_argument);
}

TEST_CASE("entries outside a list are appended once each, and no more than there is room for") {
  const std::int64_t inside[] = {1, 3};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double full[] = {1.0, 9.0, -2.0, 9.0, nan, 1.5};
  std::int64_t indices[4];
  double values[4];
  compiled::Entries some(indices, values, 4);
  some.append_outside({inside, 2}, full, 1.5);
  CHECK(some.size() == 3);
  CHECK(indices[0] == 2);
  CHECK(values[0] == -2.0);
  CHECK(indices[1] == 4);
  CHECK(std::isnan(values[1]));
  CHECK(indices[2] == 5);
  compiled::Entries all(indices, values, 4);
  all.append_outside({inside, 2}, full, 0.0);
  CHECK(all.size() == 4);
  CHECK(indices[0] == 0);
  CHECK_THROWS_AS(all.append(1, 1.0), std::length_error);
}
