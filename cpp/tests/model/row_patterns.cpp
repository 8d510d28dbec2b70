#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "models.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/model/packed/row_patterns.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Entries 0, 1 and 2, so that many rows agree in a few columns.
Matrix table_of_few_values(Random& random, Index rows, Index cols) {
  return Matrix::NullaryExpr(rows, cols, [&](Index, Index) {
    const double number = random.number();
    return number < -0.5 ? 0.0 : number < 0.7 ? 1.0 : 2.0;
  });
}

Vector few_targets(Random& random, Index rows) {
  return Vector::NullaryExpr(rows, [&](Index) { return random.number() > 0.3 ? 1.0 : 0.0; });
}

}  // namespace

TEST_CASE("codes give back the column, and there are none of a column with many values") {
  const Vector few = (Vector(6) << 2.0, -0.0, 0.0, 2.0, -1.5, 0.0).finished();
  const auto codes = ColumnCodes::of(few);
  REQUIRE(codes);
  CHECK(codes->count() == 3);
  for (Index i = 0; i < few.size(); ++i) {
    const std::size_t code = codes->codes[static_cast<std::size_t>(i)];
    CHECK(codes->values[code] == few[i]);
  }
  CHECK(ColumnCodes::of(Vector::LinSpaced(64, 0.0, 1.0)));
  CHECK_FALSE(ColumnCodes::of(Vector::LinSpaced(65, 0.0, 1.0)));
  CHECK_FALSE(ColumnCodes::of(Vector::Constant(3, std::nan(""))));
}

TEST_CASE("rows are of one pattern if and only if they agree") {
  Random random(70);
  constexpr Index rows = 500, cols = 3;
  const Matrix A = table_of_few_values(random, rows, cols);
  CodesOfColumns columns;
  for (Index j = 0; j < cols; ++j) columns.push_back(ColumnCodes::of(A.col(j)));
  const auto patterns = RowPatterns::of(columns, rows);
  REQUIRE(patterns);
  CHECK(patterns->count() <= 27);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < i; ++k)
      CHECK((patterns->number[i] == patterns->number[k]) ==
            (A.row(static_cast<Index>(i)) == A.row(static_cast<Index>(k))));
}

TEST_CASE("rows that seldom agree have no patterns") {
  Random random(71);
  constexpr Index rows = 60;
  const Matrix A = table_of_few_values(random, rows, 5);
  CodesOfColumns columns;
  for (Index j = 0; j < A.cols(); ++j) columns.push_back(ColumnCodes::of(A.col(j)));
  CHECK_FALSE(RowPatterns::of(columns, rows));
}

TEST_CASE("a model that takes rows that agree as one is the model of all rows") {
  constexpr Index rows = 900, cols = 10;
  for (const auto& loss : all_losses()) {
    for (const bool intercept : {false, true}) {
      for (const bool weighted : {false, true}) {
        CAPTURE(std::string(loss->name()));
        CAPTURE(intercept);
        CAPTURE(weighted);
        Random random(72);
        const ColumnMajorStorage<double> storage(table_of_few_values(random, rows, cols));
        const Vector target = few_targets(random, rows);
        const Vector weights = random.vector(rows).cwiseAbs();
        DesignCache cache;
        LinearModel::Settings settings =
            model_settings(0.1, weighted ? weights.data() : nullptr, true);
        settings.intercept = intercept;
        LinearModel plain(*storage.design(), *loss, target, settings);
        settings.cache = &cache;
        LinearModel patterned(*storage.design(), *loss, target, settings);
        const Support support = {1, 4, 6};
        patterned.expect(support);
        for (int round = 0; round < 3; ++round) {
          SparseVector x{support, {0.3 * random.number(), random.number(), -random.number()}};
          const double value = plain.move_to(x);
          CHECK(patterned.move_to(x) == doctest::Approx(value).epsilon(1e-12));
          CHECK(patterned.intercept() == doctest::Approx(plain.intercept()).epsilon(1e-9));
          Vector slopes(3), expected(3);
          patterned.gradient_on_support(slopes);
          plain.gradient_on_support(expected);
          CHECK((slopes - expected).norm() <= 1e-9 * (1.0 + expected.norm()));
          Matrix curvatures, expected_curvatures;
          curvatures.resize(3, 3);
          expected_curvatures.resize(3, 3);
          patterned.second_derivatives(support, support, curvatures);
          plain.second_derivatives(support, support, expected_curvatures);
          CHECK((curvatures - expected_curvatures).norm() <= 1e-9 * expected_curvatures.norm());
          SparseVector outside, expected_outside;
          patterned.gradient_off_support(0.0, outside);
          plain.gradient_off_support(0.0, expected_outside);
          REQUIRE(outside.indices == expected_outside.indices);
          for (std::size_t k = 0; k < outside.values.size(); ++k)
            CHECK(outside.values[k] == doctest::Approx(expected_outside.values[k]).epsilon(1e-8));
        }
        CHECK(patterned.work() < plain.work());
      }
    }
  }
}

TEST_CASE("a sparse support that stays is packed with an intercept too, and is the same model") {
  constexpr Index rows = 400, cols = 60;
  for (const auto& loss : all_losses()) {
    CAPTURE(std::string(loss->name()));
    Random random(73);
    const CscStorage<double, std::int32_t> storage(random.matrix(rows, cols, 0.05));
    const Vector target = few_targets(random, rows);
    LinearModel::Settings settings = model_settings(0.05, nullptr, true);
    settings.intercept = true;
    LinearModel packed(*storage.design(), *loss, target, settings);
    SparseVector x = random.sparse_vector(cols, 4);
    for (Index round = 0; round < LinearModel::packing_patience + 6; ++round) {
      for (double& value : x.values) value += 0.1 * random.number();
      LinearModel fresh(*storage.design(), *loss, target, settings);  // packs nothing so soon
      CHECK(packed.move_to(x) == doctest::Approx(fresh.move_to(x)).epsilon(1e-12));
      CHECK(packed.intercept() == doctest::Approx(fresh.intercept()).epsilon(1e-9));
      Vector slopes(4), expected(4);
      packed.gradient_on_support(slopes);
      fresh.gradient_on_support(expected);
      CHECK((slopes - expected).norm() <= 1e-9 * (1.0 + expected.norm()));
    }
  }
}
