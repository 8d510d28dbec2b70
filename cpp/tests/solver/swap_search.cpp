#include "regiht/solver/search/swap_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models.hpp"
#include "regiht/solver/refit/newton.hpp"
#include "regiht/solver/search/splicing.hpp"
#include "regiht/solver/search/swap_search.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

struct Regression {
  explicit Regression(std::uint64_t seed, double ridge = 0.1) : random(seed) {
    A = random.matrix(40, 15, 1.0);
    A.col(4) = A.col(2) + 0.05 * random.vector(40);
    storage = std::make_unique<ColumnMajorStorage<double>>(A);
    target = random.vector(40);
    f = std::make_unique<LeastSquares>(*storage->design(), target,
                                       least_squares_settings(ridge, true, nullptr));
  }

  double minimum(const Support& support) const {
    SparseVector x = restricted({}, support);
    return RestrictedMinimizer()(*f, x).value;
  }

  Random random;
  Matrix A;
  std::unique_ptr<ColumnMajorStorage<double>> storage;
  Vector target;
  std::unique_ptr<LeastSquares> f;
};

Support swapped(Support support, Index leaving, Index entering) {
  support.erase(std::find(support.begin(), support.end(), leaving));
  return united(support, {entering});
}

}  // namespace

TEST_CASE("an swap gains what it promises, for squared loss") {
  for (std::uint64_t seed = 70; seed < 75; ++seed) {
    Regression problem(seed);
    const Support support = {1, 2, 6, 9}, keep = {6};
    SparseVector x = restricted({}, support);
    const double value = RestrictedMinimizer()(*problem.f, x).value;
    SwapModel swaps;
    REQUIRE(swaps.prepare(*problem.f, keep));
    CHECK(swaps.any());
    SparseVector gradient;
    problem.f->gradient_off_support(0.0, gradient);
    std::vector<Swap> found;
    constexpr double anything = -1e300;
    swaps.look(*problem.f, gradient, anything, found);
    CHECK(found.size() == 11);
    for (const Swap& one : found) {
      CHECK(one.leaving != 6);
      double best = anything;
      for (const Index leaving : {1, 2, 9})
        best = std::max(best, value - problem.minimum(swapped(support, leaving, one.entering)));
      const double gain = value - problem.minimum(swapped(support, one.leaving, one.entering));
      CHECK(one.gain == doctest::Approx(gain).epsilon(1e-8));
      CHECK(gain == doctest::Approx(best).epsilon(1e-8));
    }
  }
}

TEST_CASE("an entry that others make up for costs nothing to lose") {
  Random random(80);
  Matrix A = random.matrix(30, 6, 1.0);
  A.col(1) = A.col(0);
  A.col(5).setZero();
  const ColumnMajorStorage<double> storage(A);
  const Vector target = random.vector(30);
  LeastSquares f(*storage.design(), target, least_squares_settings(0.0, true, nullptr));
  SparseVector x = restricted({}, {0, 1, 2, 5});
  CHECK(RestrictedMinimizer()(f, x).rank_deficient);
  SwapModel swaps;
  REQUIRE(swaps.prepare(f, {}));
  CHECK(std::abs(swaps.losses()[0]) < 1e-3);
  CHECK(std::abs(swaps.losses()[1]) < 1e-3);
  CHECK(std::abs(swaps.losses()[2]) > 1e-2);
  CHECK(swaps.losses()[3] == 0.0);
}

TEST_CASE("what is left when the cheapest have left is the minimum on it, for squared loss") {
  for (std::uint64_t seed = 83; seed < 88; ++seed) {
    Regression problem(seed);
    const Support keep = {2, 9};
    SparseVector x = restricted({}, {0, 1, 2, 4, 6, 9, 11});
    RestrictedMinimizer()(*problem.f, x);
    SwapModel swaps;
    REQUIRE(swaps.prepare(*problem.f, keep));
    Support left = x.indices;
    for (Index count = 1; count <= 5; ++count) {
      // What leaves next, by trying all.
      double least = 1e300;
      Support best;
      for (const Index j : left) {
        Support rest = left;
        rest.erase(std::find(rest.begin(), rest.end(), j));
        const double value = problem.minimum(rest);
        if (std::find(keep.begin(), keep.end(), j) != keep.end() || !(value < least)) continue;
        least = value;
        best = rest;
      }
      left = best;
      const SparseVector rest = swaps.without_cheapest(count);
      CHECK(rest.indices == left);
      CHECK(problem.f->move_to(rest) == doctest::Approx(least).epsilon(1e-9));
    }
    CHECK(swaps.without_cheapest(6).indices == keep);
  }
}

TEST_CASE("where all entries must stay nothing can be swapped") {
  Regression problem(81);
  const Support support = {0, 3};
  SparseVector x = restricted({}, support);
  double value = RestrictedMinimizer()(*problem.f, x).value;
  SwapModel swaps;
  REQUIRE(swaps.prepare(*problem.f, support));
  CHECK_FALSE(swaps.any());
  Options options;
  options.keep = support;
  SwapSearch search(*problem.f, options, 0.0, SearchScope::everything);
  CHECK(search(x, value, [](const SparseVector&, double) { return true; }));
  CHECK(x.indices == support);
}

TEST_CASE("a search that is stopped says that it does not know") {
  Regression problem(82);
  SparseVector x = restricted({}, {0, 3, 5});
  double value = RestrictedMinimizer()(*problem.f, x).value;
  const double before = value;
  const Options options;
  SwapSearch search(*problem.f, options, 0.0, SearchScope::everything);
  CHECK_FALSE(search(x, value, [](const SparseVector&, double) { return false; }));
  CHECK(value < before);
  CHECK(value == doctest::Approx(problem.minimum(x.indices)).epsilon(1e-10));
}

TEST_CASE("single swaps end where none gains, and blocks go on from there") {
  const auto proceed = [](const SparseVector&, double) { return true; };
  for (std::uint64_t seed = 90; seed < 100; ++seed) {
    Regression problem(seed);
    const Options options;
    SparseVector x = restricted({}, {0, 3, 5, 7});
    double value = RestrictedMinimizer()(*problem.f, x).value;
    SwapSearch(*problem.f, options, 0.0, SearchScope::singles)(x, value, proceed);
    CHECK(value == doctest::Approx(problem.minimum(x.indices)).epsilon(1e-10));
    for (const Index leaving : x.indices)
      for (Index entering = 0; entering < 15; ++entering)
        if (!x.lists(entering))
          CHECK(problem.minimum(swapped(x.indices, leaving, entering)) >=
                value - 1e-8 * std::abs(value));
    const double before = value;
    SwapSearch(*problem.f, options, 0.0, SearchScope::blocks)(x, value, proceed);
    CHECK(value <= before);
  }
}

TEST_CASE("splicing keeps the number of entries and ends at a lower minimum") {
  const auto proceed = [](const SparseVector&, double) { return true; };
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    Regression problem(seed);
    const Options options;
    for (const Index joining : {Index(1), Splicing::some(4), Splicing::many(4), Index(1000)}) {
      SparseVector x = restricted({}, {0, 3, 5, 7});
      const double before = RestrictedMinimizer()(*problem.f, x).value;
      double value = before;
      Splicing(*problem.f, options)(x, value, joining, proceed);
      CHECK(x.size() == 4);
      CHECK(value <= before);
      CHECK(value == doctest::Approx(problem.minimum(x.indices)).epsilon(1e-10));
    }
  }
}

TEST_CASE("positive swaps gain no more than they predicted_decrease") {
  for (std::uint64_t seed = 83; seed < 88; ++seed) {
    Regression problem(seed);
    Options options;
    options.positive = true;
    ConstrainedMinimizer minimize(options);
    SparseVector x = restricted({}, {0, 1, 2, 3, 5, 8});
    const double value = minimize(*problem.f, x).value;
    CHECK(std::all_of(x.values.begin(), x.values.end(), [](double v) { return v > 0.0; }));
    SwapModel swaps(true);
    REQUIRE(swaps.prepare(*problem.f, {}));
    SparseVector gradient;
    problem.f->gradient_off_support(0.0, gradient);
    std::vector<Swap> found;
    swaps.look(*problem.f, gradient, 0.0, found);
    for (const Index leaving : x.indices)
      for (const Index entering : gradient.indices) {
        SparseVector other = restricted({}, swapped(x.indices, leaving, entering));
        const double gain = value - minimize(*problem.f, other).value;
        const auto promised = std::find_if(found.begin(), found.end(), [&](const Swap& e) {
          return e.leaving == leaving && e.entering == entering;
        });
        CHECK(gain <= (promised == found.end() ? 0.0 : promised->gain) + 1e-9 * value);
      }
  }
}
