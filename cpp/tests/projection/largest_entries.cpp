#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "regiht/projection/largest_entries.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// What H_s should give, by a stable sort.
SparseVector by_sorting(const Vector& x, Index sparsity, const Support& kept) {
  Support order;
  for (Index j = 0; j < x.size(); ++j)
    if (x[j] != 0.0 && !std::binary_search(kept.begin(), kept.end(), j)) order.push_back(j);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(x[a]) > std::abs(x[b]); });
  const std::size_t slots = static_cast<std::size_t>(sparsity) - kept.size();
  order.resize(std::min(order.size(), slots));
  order.insert(order.end(), kept.begin(), kept.end());
  std::sort(order.begin(), order.end());
  SparseVector chosen;
  for (const Index j : order) chosen.append(j, x[j]);
  return chosen;
}

}  // namespace

TEST_CASE("hard thresholding keeps what a stable sort would keep") {
  Random random(20);
  for (int round = 0; round < 500; ++round) {
    const Index size = 1 + random.below(30);
    Vector x = random.vector(size);
    if (round % 2 == 0) x = (3.0 * x).array().round();  // ties and zeros
    const Index sparsity = 1 + random.below(size);
    const Support kept = random.support(size, random.below(sparsity + 1));
    CHECK(hard_threshold(x, sparsity, kept) == by_sorting(x, sparsity, kept));
  }
}

TEST_CASE("the lowest index wins among equals") {
  const Vector x = (Vector(5) << -2.0, 1.0, 2.0, 2.0, -1.0).finished();
  CHECK(hard_threshold(x, 1).indices == Support{0});
  CHECK(hard_threshold(x, 2).indices == Support{0, 2});
  CHECK(hard_threshold(x, 4).indices == Support{0, 1, 2, 3});
  CHECK(hard_threshold(Vector::Ones(5), 3).indices == Support{0, 1, 2});
}

TEST_CASE("kept entries stay, zero or not, and count") {
  const Vector x = (Vector(4) << 0.0, 5.0, 1.0, 4.0).finished();
  CHECK(hard_threshold(x, 2, {0}) == SparseVector{{0, 1}, {0.0, 5.0}});
  CHECK(hard_threshold(x, 2, {0, 2}) == SparseVector{{0, 2}, {0.0, 1.0}});
  SparseVector listed{{3}, {4.0}};
  LargestEntries(2, {1}).apply(listed);
  CHECK(listed == SparseVector{{1, 3}, {0.0, 4.0}});
}

TEST_CASE("a NaN counts as infinite and reaches the solver") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const SparseVector chosen = hard_threshold((Vector(3) << 1.0, nan, 1e300).finished(), 1);
  CHECK(chosen.indices == Support{1});
  CHECK(std::isnan(chosen.values[0]));
}

TEST_CASE("the entry magnitude separates what can be selected from what cannot") {
  Random random(21);
  for (int round = 0; round < 300; ++round) {
    const Index size = 6 + random.below(10);
    const Index sparsity = 1 + random.below(5);
    const Support kept = random.support(size, random.below(sparsity));
    LargestEntries projection(sparsity, kept);
    SparseVector inside = random.sparse_vector(size, sparsity);
    for (double& value : inside.values)
      if (random.below(4) == 0) value = 0.0;
    projection.apply(inside);
    const double magnitude = projection.entry_magnitude(inside);
    for (Index j = 0; j < size; ++j) {
      if (std::binary_search(inside.indices.begin(), inside.indices.end(), j)) continue;
      for (const double entry : {0.999 * magnitude, 1.001 * magnitude + 1e-9}) {
        Vector full = inside.dense(size);
        full[j] = entry;
        const SparseVector chosen = hard_threshold(full, sparsity, kept);
        const bool selected =
            entry != 0.0 && std::binary_search(chosen.indices.begin(), chosen.indices.end(), j);
        CHECK(selected == (entry > magnitude && entry != 0.0));
      }
    }
  }
}

TEST_CASE("with a free place every entry can be selected") {
  CHECK(LargestEntries(3, {}).entry_magnitude(SparseVector{{0, 4}, {1.0, 2.0}}) == 0.0);
  CHECK(LargestEntries(2, {}).entry_magnitude(SparseVector{{0, 4}, {1.0, -2.0}}) == 1.0);
  CHECK(LargestEntries(2, {}).entry_magnitude(SparseVector{{0, 4}, {0.0, -2.0}}) == 0.0);
  CHECK(LargestEntries(2, {0}).entry_magnitude(SparseVector{{0, 4}, {0.5, -2.0}}) == 2.0);
}

TEST_CASE("entries compete for the places that kept ones leave, with those that may leave") {
  EntryQuery query;
  REQUIRE(LargestEntries(4, {1, 6}).describe_contest({{1, 3, 6}, {5.0, -2.0, 0.5}}, query));
  CHECK(query.slots == 2);
  CHECK(query.incumbents == std::vector<double>{2.0});
  CHECK_FALSE(LargestEntries(4, {}, true).describe_contest({{1}, {1.0}}, query));
}

TEST_CASE("positive entries only, and kept ones not below zero") {
  SparseVector x{{0, 1, 2, 3, 4}, {-5.0, 1.0, 3.0, -0.5, 2.0}};
  LargestEntries(2, {}, true).apply(x);
  CHECK(x == SparseVector{{2, 4}, {3.0, 2.0}});
  SparseVector kept{{0, 1, 2}, {-5.0, 1.0, 3.0}};
  LargestEntries(2, {0}, true).apply(kept);
  CHECK(kept == SparseVector{{0, 2}, {0.0, 3.0}});
  CHECK(LargestEntries(2, {}, true).entry_magnitude(SparseVector{{0, 4}, {1.0, -2.0}}) == 0.0);
  CHECK(LargestEntries(1, {}, true).entry_magnitude(SparseVector{{0, 4}, {1.0, -2.0}}) == 1.0);
}
