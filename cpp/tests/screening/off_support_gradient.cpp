#include "regiht/screening/off_support_gradient.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "hard_matrix.hpp"
#include "products.hpp"
#include "regiht/design/standardized.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Asks for entries at derivative vectors that jump about, where only quantized products can help,
/// at magnitudes that are those of entries. Returns how many full products that took.
int read_along_jumps(const std::shared_ptr<const Design>& base, Random& random, int jumps,
                     Index slots) {
  const Design& design = *base;
  VectorProducts products(design);
  OffSupportGradient outside(products, true);
  Vector full(design.cols());
  Vector derivative = random.vector(design.rows());
  SparseVector entries;
  for (int t = 0; t < jumps; ++t) {
    const Vector last = derivative;
    derivative = 0.5 * (last + random.vector(design.rows()));
    const SparseVector x = random.sparse_vector(design.cols(), 3);
    products.move_to(derivative, x);
    outside.move_to(1.0);
    base->apply_transpose(derivative, full, 1);
    Vector sorted = full.cwiseAbs();
    std::sort(sorted.data(), sorted.data() + sorted.size(), std::greater<double>());
    const double magnitude = sorted[slots - 1];
    outside.read(magnitude, {slots, {}}, entries);
    for (std::size_t k = 0; k < entries.indices.size(); ++k)
      REQUIRE(entries.values[k] == full[entries.indices[k]]);
    // All that are larger than the place-th largest outside, and those that tie with it.
    std::vector<double> competing;
    for (Index j = 0; j < design.cols(); ++j)
      if (!x.lists(j)) competing.push_back(std::abs(full[j]));
    std::sort(competing.begin(), competing.end(), std::greater<double>());
    const double least = std::max(magnitude, competing[static_cast<std::size_t>(slots - 1)]);
    for (Index j = 0; j < design.cols(); ++j)
      if (!x.lists(j) && std::abs(full[j]) >= least) REQUIRE(entries.lists(j));
  }
  return products.full_products();
}

}  // namespace

TEST_CASE_TEMPLATE("entries found by quantized products are those of the full gradient", Storage,
                   ColumnMajorStorage<double>, ColumnMajorStorage<float>, RowMajorStorage<double>) {
  Random random(63);
  const int jumps = 30;
  for (int kind = 0; kind < hard_kinds; ++kind) {
    const Storage storage(hard_matrix(random, kind, 60, 700));
    const int products = read_along_jumps(storage.design(), random, jumps, 8);
    if (kind == 0) CHECK(products <= 12);  // otherwise quantized products were not used
    const auto standardized = standardize(storage.design(), true, true);
    read_along_jumps(standardized, random, jumps, 8);
    read_along_jumps(standardized, random, jumps, 1);
  }
}

TEST_CASE("incumbents inside take slots from entries outside") {
  Random random(64);
  const ColumnMajorStorage<double> storage(random.matrix(50, 900, 1.0));
  const Design& design = *storage.design();
  VectorProducts products(design);
  OffSupportGradient outside(products, true);
  Vector full(900);
  SparseVector entries;
  for (int t = 0; t < 20; ++t) {
    const Vector derivative = random.vector(50);
    const SparseVector x = random.sparse_vector(900, 4);
    design.apply_transpose(derivative, full, 1);
    Vector sorted = full.cwiseAbs();
    for (const Index j : x.indices) sorted[j] = 0.0;
    std::sort(sorted.data(), sorted.data() + 900, std::greater<double>());
    // Four slots, and three incumbents that are larger than all but two.
    const double high = 0.5 * (sorted[1] + sorted[2]);
    products.move_to(derivative, x);
    outside.move_to(1.0);
    outside.read(0.5 * sorted[2], {4, {high, high, high, 0.5 * sorted[2]}}, entries);
    for (Index j = 0; j < 900; ++j)
      if (!x.lists(j) && std::abs(full[j]) >= high) CHECK(entries.lists(j));
    if (t > 9) CHECK(entries.size() < 20);  // of hundreds that reach the magnitude
  }
}
