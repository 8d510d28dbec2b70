#include "regiht/loss/intercept.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "models.hpp"
#include "regiht/loss/all.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

Vector lopsided_targets(const Loss& loss, Random& random, Index rows) {
  return Vector::NullaryExpr(rows, [&](Index i) {
    const double number = random.number();
    if (loss.targets() == Targets::binary) return i % 3 == 0 ? 1.0 : 0.0;
    return loss.targets() == Targets::nonnegative ? 3.0 * std::abs(number) : 3.0 * number + 20.0;
  });
}

/// The loss of prediction + b and the sum of its derivatives.
Sample with_intercept(const Loss& loss, const Vector& prediction, const Vector& target, double b) {
  const Vector moved = prediction.array() + b;
  Vector derivative(prediction.size());
  const double value = loss.evaluate({moved, target}, derivative, 1);
  return {value, derivative.sum()};
}

}  // namespace

TEST_CASE("the intercept is the best one wherever the predictions lie") {
  Random random(5);
  for (const auto& loss : all_losses())
    for (const double spread : {0.0, 0.1, 3.0, 50.0}) {
      CAPTURE(std::string(loss->name()));
      CAPTURE(spread);
      const Vector target = lopsided_targets(*loss, random, 40);
      const Vector prediction =
          Vector::NullaryExpr(40, [&](Index) { return spread * random.number(); });
      Vector shown = prediction, derivative(40);
      Intercept intercept;
      ShiftedSamples samples(*loss, shown, target, nullptr, derivative, 1);
      const double value = intercept.settle(samples);
      const double size = derivative.cwiseAbs().sum();
      CHECK(std::abs(derivative.sum()) <= 1e-10 * size);
      if (loss->targets() == Targets::binary && spread < 10.0) CHECK(intercept.evaluations() <= 6);
      CHECK(((shown - prediction).array() - intercept.value()).abs().maxCoeff() <= 1e-9);
      const Sample here = with_intercept(*loss, prediction, target, intercept.value());
      CHECK(std::abs(here.value - value) <= 1e-9 * (1.0 + std::abs(value)));
      for (const double aside : {-0.1, 0.1}) {
        const double b = intercept.value() + aside;
        CHECK(with_intercept(*loss, prediction, target, b).value >= value - 1e-9 * std::abs(value));
      }
    }
}

TEST_CASE("a model with an intercept has the slopes of its values, and the same bits each time") {
  constexpr Index rows = 30, cols = 6;
  Random random(6);
  const ColumnMajorStorage<double> storage(random.matrix(rows, cols, 0.7));
  for (const auto& loss : all_losses()) {
    CAPTURE(std::string(loss->name()));
    const Vector target = lopsided_targets(*loss, random, rows);
    LinearModel::Settings settings = model_settings(0.2, nullptr, true);
    settings.intercept = true;
    LinearModel model(*storage.design(), *loss, target, settings);
    const SparseVector x{{0, 2, 5}, {0.3, -0.2, 0.1}};
    const double value = model.move_to(x);
    const double intercept = model.intercept();
    Vector gradient(3);
    model.gradient_on_support(gradient);
    for (std::size_t k = 0; k < 3; ++k) {
      constexpr double distance = 1e-5;
      SparseVector ahead = x, behind = x;
      ahead.values[k] += distance;
      behind.values[k] -= distance;
      const double slope = (model.move_to(ahead) - model.move_to(behind)) / (2.0 * distance);
      CHECK(gradient[static_cast<Index>(k)] == doctest::Approx(slope).epsilon(1e-5));
    }
    CHECK(model.move_to(x) == value);
    CHECK(model.intercept() == intercept);
    // Huber's and the hinge's curvature jumps where differences cannot follow.
    if (loss->name() == "huber" || loss->name() == "squared-hinge") continue;
    Matrix hessian;
    model.second_derivatives(x.indices, x.indices, hessian);
    for (std::size_t k = 0; k < 3; ++k) {
      constexpr double distance = 1e-5;
      Vector after(3), before(3);
      SparseVector ahead = x, behind = x;
      ahead.values[k] += distance;
      behind.values[k] -= distance;
      model.move_to(ahead);
      model.gradient_on_support(after);
      model.move_to(behind);
      model.gradient_on_support(before);
      const Vector slopes = (after - before) / (2.0 * distance);
      CHECK((hessian.col(static_cast<Index>(k)) - slopes).norm() <= 1e-5 * (1.0 + slopes.norm()));
    }
  }
}
