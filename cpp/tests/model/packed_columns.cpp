#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "models.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/model/packed/columns.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

using Storage = CscStorage<double, std::int32_t>;

/// Columns of all sorts: full, empty, frequent, rare, and two that are alike.
Matrix columns_of_all_sorts(Random& random, Index rows, Index cols) {
  Matrix A(rows, cols);
  for (Index j = 0; j < cols; ++j) {
    const double densities[] = {1.0, 0.0, 0.6, 0.3, 0.05, 0.01};
    A.col(j) = random.matrix(rows, 1, densities[j % 6]);
  }
  if (cols > 8) A.col(8) = A.col(2);
  return A;
}

PackedColumns pack(const Design& design) {
  Support all(static_cast<std::size_t>(design.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  ColumnEntries entries;
  REQUIRE(design.list_entries(all, entries));
  return {std::move(entries), design.rows()};
}

}  // namespace

TEST_CASE("packed columns make the products of the matrix they come from") {
  for (const Index rows : {1, 5, 1024, 1025, 5000}) {
    for (const Index cols : {1, 2, 9, 15, 16, 40, 100}) {
      for (const bool standardized : {false, true}) {
        CAPTURE(rows);
        CAPTURE(cols);
        Random random(50);
        const Storage storage(columns_of_all_sorts(random, rows, cols));
        const std::shared_ptr<const Design> design =
            standardized ? standardize(storage.design(), true, false) : storage.design();
        const PackedColumns packed = pack(*design);
        const SparseVector x = random.sparse_vector(cols, cols);
        const Vector v = random.vector(rows);
        Vector expected(rows), products(cols);
        Vector prediction(packed.padded_rows()), sorted = Vector::Zero(packed.padded_rows());
        design->apply(x, 0.0, expected, 1);
        design->apply_transpose(v, products, 1);
        for (Index p = 0; p < rows; ++p) sorted[p] = v[packed.order()[static_cast<std::size_t>(p)]];

        Vector sums = Vector::Zero(cols), part(cols);
        double total = 0.0;
        for (Index chunk = 0; chunk < packed.chunks(); ++chunk) {
          packed.apply(chunk, packed.factors(x.values), packed.zero_row_prediction(x.values),
                       prediction.data());
          total += packed.dot(chunk, sorted.data(), part.data());
          sums += part;
        }
        // Columns may be added in another order.
        const double bound = 1e-15 * static_cast<double>(cols) *
                             Eigen::Map<const Vector>(x.values.data(), cols).lpNorm<1>() * 10.0;
        for (Index p = packed.zero_rows(); p < rows; ++p) {
          const double off = prediction[p] - expected[packed.order()[static_cast<std::size_t>(p)]];
          REQUIRE(std::abs(off) <= bound);
        }
        for (Index p = 0; p < packed.zero_rows(); ++p)
          REQUIRE(expected[packed.order()[static_cast<std::size_t>(p)]] ==
                  packed.zero_row_prediction(x.values));
        CHECK(std::abs(total - v.sum()) <= 1e-13 * v.lpNorm<1>());
        for (Index k = 0; k < cols; ++k)
          CHECK(std::abs(packed.standardized(k, sums[k], v.sum()) - products[k]) <=
                1e-12 * static_cast<double>(rows));
      }
    }
  }
}

TEST_CASE("the rows of no column come first, and every row comes once") {
  for (const Index cols : {1, 10, 15, 16, 30}) {
    Random random(51);
    const Matrix A = random.matrix(3000, cols, 1.0 / static_cast<double>(cols));
    const PackedColumns packed = pack(*Storage(A).design());
    Index zero_rows = 0;
    for (Index i = 0; i < A.rows(); ++i) zero_rows += (A.row(i).array() == 0.0).all();
    CHECK(packed.zero_rows() == zero_rows);
    for (Index p = 0; p < zero_rows; ++p)
      REQUIRE((A.row(packed.order()[static_cast<std::size_t>(p)]).array() == 0.0).all());
    auto rows = packed.order();
    std::sort(rows.begin(), rows.end());
    for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(rows[i] == static_cast<Index>(i));
  }
}

TEST_CASE("a model answers alike before and after the columns of its support are packed") {
  constexpr Index rows = 2500, cols = 60;
  for (const auto& loss : all_losses()) {
    for (const bool weighted : {false, true}) {
      CAPTURE(std::string(loss->name()));
      CAPTURE(weighted);
      Random random(52);
      const Storage storage(random.matrix(rows, cols, 0.1));
      const auto design = standardize(storage.design(), true, true);
      const Vector target =
          Vector::NullaryExpr(rows, [&](Index) { return static_cast<double>(random.below(2)); });
      const Vector weights = random.vector(rows).cwiseAbs();
      const auto settings = [&](bool screening, int threads) {
        return model_settings(0.2, weighted ? weights.data() : nullptr, screening, threads);
      };
      LinearModel model(*design, *loss, target, settings(true, 1));
      LinearModel threaded(*design, *loss, target, settings(true, 3));
      LinearModel unscreened(*design, *loss, target, settings(false, 1));
      SparseVector x = random.sparse_vector(cols, 7), seen, expected;
      constexpr Index stay = LinearModel::packing_patience + 8;
      for (Index move = 0; move < 2 * stay; ++move) {
        if (move == stay) x = random.sparse_vector(cols, 9);
        for (double& value : x.values) value += 0.1 * random.number();
        LinearModel fresh(*design, *loss, target, settings(false, 1));
        const double value = model.move_to(x);
        CHECK(value == doctest::Approx(fresh.move_to(x)).epsilon(1e-13));
        CHECK(threaded.move_to(x) == value);
        CHECK(unscreened.move_to(x) == value);

        Vector inside(x.size()), other(x.size());
        model.gradient_on_support(inside);
        fresh.gradient_on_support(other);
        CHECK(distance(inside, other) <= 1e-12 * std::max(1.0, other.cwiseAbs().maxCoeff()));
        threaded.gradient_on_support(other);
        CHECK(other == inside);
        unscreened.gradient_on_support(other);
        CHECK(other == inside);

        Matrix second, others;
        Vector approximate(cols), other_approximate(cols);
        fresh.second_derivatives(x.indices, x.indices, others);
        fresh.approximate_curvatures(other_approximate);
        for (LinearModel* each : {&model, &threaded, &unscreened}) {
          each->second_derivatives(x.indices, x.indices, second);
          CHECK(second.isApprox(others, 1e-13));
          each->approximate_curvatures(approximate);
          CHECK(approximate.isApprox(other_approximate, 1e-13));
        }

        unscreened.gradient_off_support(0.0, expected);
        const double least = 0.9 * Eigen::Map<const Vector>(expected.values.data(), expected.size())
                                       .lpNorm<Eigen::Infinity>();
        unscreened.gradient_off_support(least, expected);
        model.gradient_off_support(least, seen);
        for (std::size_t k = 0; k < expected.indices.size(); ++k) {
          const auto place =
              std::lower_bound(seen.indices.begin(), seen.indices.end(), expected.indices[k]);
          REQUIRE(place != seen.indices.end());
          REQUIRE(*place == expected.indices[k]);
          CHECK(seen.values[static_cast<std::size_t>(place - seen.indices.begin())] ==
                expected.values[k]);
        }
      }
    }
  }
}
