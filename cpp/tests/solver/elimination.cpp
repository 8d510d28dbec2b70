#include "regiht/solver/search/elimination.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "dense_squares.hpp"
#include "regiht/solver/search/swap_search.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Support without(Support support, Index j) {
  support.erase(std::find(support.begin(), support.end(), j));
  return support;
}

}  // namespace

TEST_CASE("elimination leaves what is left when the cheapest goes, one by one") {
  for (unsigned seed = 1; seed < 9; ++seed) {
    DenseSquares f = coherent_squares(seed, 24, 10);
    const Support keep = {4};
    Support left = {0, 1, 2, 4, 5, 7, 8};
    SparseVector x = restricted({}, left);
    const Options options;
    ConstrainedMinimizer minimize(options);
    double value = minimize(f, x).value;
    const auto proceed = [](const SparseVector&, double) { return true; };
    for (const std::size_t count : {6U, 3U}) {
      REQUIRE(eliminate(f, keep, static_cast<Index>(count), x, value, minimize, no_observer(),
                        proceed));
      while (left.size() > count) {
        Index cheapest = -1;
        double least = infinite;
        for (const Index j : left)
          if (j != 4 && f.minimum(without(left, j)) < least) {
            cheapest = j;
            least = f.minimum(without(left, j));
          }
        left = without(left, cheapest);
      }
      CHECK(x.indices == left);
      CHECK(value == doctest::Approx(f.minimum(left)).epsilon(1e-9));
    }
  }
}

TEST_CASE("a swap gains what the model of a quadratic promises") {
  for (unsigned seed = 1; seed < 6; ++seed) {
    DenseSquares f = coherent_squares(seed, 24, 9);
    const Support support = {0, 3, 6};
    SparseVector x = restricted({}, support), gradient;
    const double value = RestrictedMinimizer()(f, x).value;
    SwapModel swaps;
    REQUIRE(swaps.prepare(f, {3}));
    f.gradient_off_support(0.0, gradient);
    std::vector<Swap> found;
    swaps.look(f, gradient, -infinite, found);
    REQUIRE(found.size() == 6);
    for (const Swap& one : found) {
      CHECK(one.leaving != 3);
      const Support after = united(without(support, one.leaving), {one.entering});
      CHECK(one.gain == doctest::Approx(value - f.minimum(after)).epsilon(1e-8));
    }
  }
}

TEST_CASE("a column that the support nearly spans is found, though its slope is small") {
  Matrix A = random_matrix(5, 200, 120);
  const Vector y = A.col(1);
  A.col(0) = A.col(1) + 0.01 * A.col(0);
  DenseSquares f(A, y);
  const Options options;
  SparseVector x = restricted({}, {0});
  double value = RestrictedMinimizer()(f, x).value;
  SwapSearch search(f, options, 1e-20, SearchScope::everything);
  CHECK(search(x, value, [](const SparseVector&, double) { return true; }));
  CHECK(x.indices == Support{1});
}
