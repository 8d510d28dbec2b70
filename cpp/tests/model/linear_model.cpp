#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "models.hpp"
#include "products.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/projection/largest_entries.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

Vector targets_of(const Loss& loss, Random& random, Index rows) {
  return Vector::NullaryExpr(rows, [&](Index) {
    const double number = random.number();
    if (loss.targets() == Targets::binary) return number > 0.0 ? 1.0 : 0.0;
    return loss.targets() == Targets::nonnegative ? 3.0 * std::abs(number) : 3.0 * number;
  });
}

/// All entries of the gradient at the point of the last move_to.
Vector whole_gradient(LinearModel& model, const SparseVector& x) {
  Vector inside(x.size());
  model.gradient_on_support(inside);
  SparseVector outside;
  model.gradient_off_support(0.0, outside);
  Vector gradient = outside.dense(model.dimension());
  for (Index k = 0; k < x.size(); ++k) gradient[x.indices[static_cast<std::size_t>(k)]] = inside[k];
  CHECK(outside.size() + x.size() == model.dimension());
  return gradient;
}

}  // namespace

TEST_CASE_TEMPLATE("the gradient is the slope of the value", Storage, REGIHT_EVERY_STORAGE) {
  constexpr Index rows = 30, cols = 12;
  for (const auto& loss : all_losses()) {
    for (const bool standardized : {false, true}) {
      CAPTURE(std::string(loss->name()));
      CAPTURE(standardized);
      Random random(40);
      const Storage storage(random.matrix(rows, cols, 0.5));
      const std::shared_ptr<const Design> design =
          standardized ? standardize(storage.design(), true, true) : storage.design();
      const Vector target = targets_of(*loss, random, rows);
      const Vector weights = random.vector(rows).cwiseAbs();
      LinearModel model(*design, *loss, target, model_settings(0.3, weights.data(), true));
      const SparseVector x = random.sparse_vector(cols, 5);
      const double value = model.move_to(x);
      const Vector gradient = whole_gradient(model, x);
      constexpr double h = 1e-5;
      for (Index j = 0; j < cols; ++j) {
        const auto value_at = [&](double shift) {
          const Vector moved = x.dense(cols) + shift * Vector::Unit(cols, j);
          return model.move_to(hard_threshold(moved, cols));
        };
        const double slope = (value_at(h) - value_at(-h)) / (2.0 * h);
        CHECK(gradient[j] == doctest::Approx(slope).epsilon(1e-4));
      }
      CHECK(model.move_to(x) == value);
    }
  }
}

TEST_CASE_TEMPLATE("screening changes which entries are computed and none of those returned",
                   Storage, REGIHT_EVERY_STORAGE) {
  constexpr Index rows = 80, cols = 600;
  for (const auto& loss : all_losses()) {
    CAPTURE(std::string(loss->name()));
    Random random(41);
    const Storage storage(random.matrix(rows, cols, 0.3));
    const auto design = standardize(storage.design(), true, true);
    const Vector target = targets_of(*loss, random, rows);
    LinearModel screened(*design, *loss, target, model_settings(0.0, nullptr, true));
    LinearModel plain(*design, *loss, target, model_settings(0.0, nullptr, false));
    SparseVector x = random.sparse_vector(cols, 4), entries, expected;
    for (int round = 0; round < 60; ++round) {
      for (double& value : x.values) value += 0.02 * random.number();
      if (round % 20 == 19) x = random.sparse_vector(cols, 4);
      CHECK(screened.move_to(x) == plain.move_to(x));
      Vector inside(4), expected_inside(4);
      screened.gradient_on_support(inside);
      plain.gradient_on_support(expected_inside);
      CHECK(inside == expected_inside);
      plain.gradient_off_support(0.0, expected);
      double largest = 0.0;
      for (const double entry : expected.values) largest = std::max(largest, std::abs(entry));
      for (const double magnitude : {largest, 0.8 * largest, 2.0 * largest}) {
        screened.gradient_off_support(magnitude, entries);
        plain.gradient_off_support(magnitude, expected);
        CHECK(entries == expected);
      }
    }
    if (ScreeningPolicy::pays(VectorProducts(*design)))
      CHECK(screened.gradients_spent() < plain.gradients_spent());
    CHECK(plain.gradients_spent() == 60.0);
  }
}

TEST_CASE("value of a model by hand") {
  const Matrix A = (Matrix(2, 2) << 1.0, 2.0, 3.0, 4.0).finished();
  const ColumnMajorStorage<double> storage(A);
  const Vector target = (Vector(2) << 1.0, 1.0).finished();
  const Vector weights = (Vector(2) << 1.0, 3.0).finished();
  LinearModel model(*storage.design(), *make_loss("squared"), target,
                    model_settings(2.0, weights.data(), true));
  // Predictions 2 and 4, residuals 1 and 3, ½(1 + 3·9) + ½·2·1.
  CHECK(model.move_to({{1}, {1.0}}) == 15.0);
  Vector inside(1);
  model.gradient_on_support(inside);
  CHECK(inside[0] == 1.0 * 2.0 + 3.0 * 3.0 * 4.0 + 2.0);
  SparseVector outside;
  model.gradient_off_support(28.0, outside);
  CHECK(outside == SparseVector{{0}, {28.0}});
  model.gradient_off_support(28.1, outside);
  CHECK(outside.size() == 0);
  CHECK(model.move_to({}) == 2.0);
}

TEST_CASE("a NaN in the gradient reaches the solver") {
  const Matrix A = Matrix::Constant(3, 4, 1e200);
  const ColumnMajorStorage<double> storage(A);
  const Vector target = (Vector(3) << 1e200, -1e200, 0.0).finished();
  LinearModel model(*storage.design(), *make_loss("squared"), target, {});
  CHECK_FALSE(std::isfinite(model.move_to({{0}, {1e200}})));
  SparseVector outside;
  model.gradient_off_support(1.0, outside);
  CHECK(outside.size() == 3);
}

TEST_CASE("a model of targets or numbers that its loss is not made for is refused") {
  Random random(48);
  const ColumnMajorStorage<double> storage(random.matrix(3, 2, 1.0));
  const Vector labels = Vector::Map(std::array{1.0, -1.0, 1.0}.data(), 3);
  const Vector good = Vector::Map(std::array{1.0, 0.0, 1.0}.data(), 3);
  const auto complaint = [&](const char* loss, const Vector& target, double ridge, double weight) {
    const Vector weights = Vector::Constant(3, weight);
    const auto kind = make_loss(loss);
    try {
      LinearModel(*storage.design(), *kind, target, model_settings(ridge, weights.data(), true));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const auto& loss : all_losses()) {
    const std::string name(loss->name());
    CHECK(complaint(name.c_str(), good, 0.0, 1.0).empty());
    CHECK(complaint(name.c_str(), good, -5.0, 1.0) == "ridge must not be negative");
    CHECK(complaint(name.c_str(), good, 0.0, -1.0) == "sample weights must not be negative");
    CHECK(complaint(name.c_str(), labels, 0.0, 1.0).empty() == (loss->targets() == Targets::real));
  }
  CHECK(complaint("logistic", labels, 0.0, 1.0) ==
        "the target must be 0 or 1 everywhere for this loss");
  CHECK(complaint("poisson", labels, 0.0, 1.0) == "the target must not be negative for this loss");
  CHECK_THROWS_AS(
      LeastSquares(*storage.design(), good, least_squares_settings(-5.0, true, nullptr)),
      std::invalid_argument);
}

TEST_CASE("a target that is an expression lives as long as the model") {
  Random random(49);
  const ColumnMajorStorage<double> storage(random.matrix(200, 3, 1.0));
  const Vector y = random.vector(200), twice = 2.0 * y;
  const auto squared = make_loss("squared");
  LinearModel of_expression(*storage.design(), *squared, 2.0 * y, {});
  LeastSquares least(*storage.design(), 2.0 * y, {});
  const Vector noise = random.vector(200);  // where a temporary may have been
  const SparseVector x{{0, 2}, {1.0, noise[0]}};
  LinearModel expected(*storage.design(), *squared, twice, {});
  CHECK(of_expression.move_to(x) == expected.move_to(x));
  CHECK(least.move_to(x) == doctest::Approx(expected.move_to(x)).epsilon(1e-12));
}
