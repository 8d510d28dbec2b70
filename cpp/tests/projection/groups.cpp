#include "regiht/options/groups.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "models.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/largest_entries.hpp"
#include "regiht/projection/largest_groups.hpp"
#include "regiht/solver/search/group_swap_search.hpp"
#include "regiht/solver/step/adaptive_weights.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

std::shared_ptr<const Groups> grouped(std::vector<Index> of) {
  return std::make_shared<const Groups>(std::move(of));
}

std::vector<Index> singles(Index count) {
  std::vector<Index> of;
  for (Index j = 0; j < count; ++j) of.push_back(j);
  return of;
}

}  // namespace

TEST_CASE("groups know their columns") {
  const Groups groups({0, 1, 0, 2, 1, 0});
  CHECK(groups.count() == 3);
  CHECK(groups.columns() == 6);
  CHECK(groups.members(0) == Support{0, 2, 5});
  CHECK(groups.members(1) == Support{1, 4});
  CHECK(groups.size_of(2) == 1);
  CHECK(groups.of_all({2, 3, 5}) == Support{0, 2});
  CHECK(groups.members_of_all({1, 2}) == Support{1, 3, 4});
  CHECK_THROWS_AS(Groups({1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(Groups({0, -1}), std::invalid_argument);
}

TEST_CASE("the groups of largest norms stay, in full") {
  const auto groups = grouped({0, 1, 0, 2, 1});
  SparseVector x{{0, 1, 2, 3}, {2.0, 2.5, 2.0, -2.6}};
  LargestGroups(1, {}, false, groups).apply(x);
  CHECK(x == SparseVector{{0, 2}, {2.0, 2.0}});
  SparseVector kept{{0, 1, 3}, {2.0, 2.5, -2.6}};
  LargestGroups(2, {0, 2}, false, groups).apply(kept);
  CHECK(kept == SparseVector{{0, 2, 3}, {2.0, 0.0, -2.6}});
  SparseVector positive{{0, 1, 2, 3}, {2.0, 2.5, -2.0, -2.6}};
  LargestGroups(2, {}, true, groups).apply(positive);
  CHECK(positive == SparseVector{{0, 1, 2, 4}, {2.0, 2.5, 0.0, 0.0}});
  SparseVector equal{{1, 2, 3}, {-1.0, 1.0, 1.0}};
  LargestGroups(2, {}, false, groups).apply(equal);
  CHECK(equal.indices == Support{0, 1, 2, 4});
}

TEST_CASE("single columns are thresholded as without groups, to the last bit") {
  Random random(90);
  for (int round = 0; round < 300; ++round) {
    const Index size = 1 + random.below(30);
    SparseVector x = random.sparse_vector(size, random.below(size + 1));
    for (double& value : x.values) {
      if (round % 2 == 0) value = std::round(3.0 * value);
      if (random.below(50) == 0) value = std::numeric_limits<double>::infinity();
      if (round % 3 == 0) value *= 1e-200;  // squares would vanish
    }
    const Index sparsity = 1 + random.below(size);
    const Support kept = random.support(size, random.below(sparsity + 1));
    SparseVector other = x;
    LargestEntries(sparsity, kept, round % 5 == 0).apply(x);
    LargestGroups(sparsity, kept, round % 5 == 0, grouped(singles(size))).apply(other);
    CHECK(x == other);
  }
}

TEST_CASE("a NaN reaches the solver") {
  SparseVector x{{0, 1, 2}, {1e300, 1.0, std::numeric_limits<double>::quiet_NaN()}};
  LargestGroups(1, {}, true, grouped({0, 1, 1})).apply(x);
  CHECK(x.indices == Support{1, 2});
  CHECK(std::isnan(x.values[1]));
}

TEST_CASE("a group has one weight") {
  const auto groups = grouped({0, 1, 0, 1});
  const SparseVector x{{0, 1, 2, 3}, {1.0, 2.0, 3.0, 0.0}};
  AdaptiveWeights weights(Vector::Ones(4), 0.1, 0.5, AdaptiveWeights::Rounding::below,
                          groups.get());
  CHECK(weights.update(x) == doctest::Approx(0.1 * 10.0 / 14.0));
  CHECK(weights[0] == weights[2]);
  CHECK(weights[1] == weights[3]);
  CHECK(weights[0] == doctest::Approx(1.0 - 0.1 * 10.0 / 14.0));
  CHECK(weights[1] == doctest::Approx(1.0 - 0.1 * 4.0 / 14.0));
}

TEST_CASE("options refuse half a group") {
  Options options;
  options.groups = grouped({0, 1, 0});
  options.keep = {0};
  CHECK_THROWS_AS(options.check(3), std::invalid_argument);
  options.keep = {0, 2};
  options.check(3);
  CHECK_THROWS_AS(options.check(4), std::invalid_argument);
  options.sparsity = 3;
  CHECK_THROWS_AS(options.check(3), std::invalid_argument);
}

TEST_CASE("swaps of groups end where none gains") {
  Random random(91);
  const Matrix A = random.matrix(40, 12, 1.0);
  const ColumnMajorStorage<double> storage(A);
  const Vector target = random.vector(40);
  LeastSquares f(*storage.design(), target, least_squares_settings(0.1, true, nullptr));
  Options options;
  options.sparsity = 2;
  options.groups = grouped({0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 0});
  const auto least = [&](const Support& chosen) {
    SparseVector x = restricted({}, options.groups->members_of_all(chosen));
    return RestrictedMinimizer()(f, x).value;
  };
  for (const Support& start : {Support{0, 1}, Support{2, 3}, Support{1, 4}}) {
    SparseVector x = restricted({}, options.groups->members_of_all(start));
    double value = RestrictedMinimizer()(f, x).value;
    GroupSwapSearch search(f, options, 0.0, SearchScope::everything);
    CHECK(search(x, value, [](const SparseVector&, double) { return true; }));
    const Support inside = options.groups->of_all(x.indices);
    CHECK(value == doctest::Approx(least(inside)));
    for (const Index stays : inside)
      for (Index enters = 0; enters < 5; ++enters)
        if (std::find(inside.begin(), inside.end(), enters) == inside.end())
          CHECK(least({std::min(stays, enters), std::max(stays, enters)}) >= value * (1.0 - 1e-8));
  }
}
