#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "regiht/loss/all.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Calls visit with a value of each type in the list of losses.
template <class Visit, class... Losses>
void visit_each(const std::tuple<Losses...>*, Visit&& visit) {
  (visit(Losses{}), ...);
}

template <class Visit>
void for_each_loss(Visit&& visit) {
  visit_each(static_cast<const AllLosses*>(nullptr), visit);
}

double some_target(Targets targets, int k) {
  if (targets == Targets::real) return -1.5 + k;
  return static_cast<double>(targets == Targets::binary ? k % 2 : k);
}

Vector some_targets(const Loss& loss, Index rows) {
  return Vector::NullaryExpr(
      rows, [&](Index i) { return some_target(loss.targets(), static_cast<int>(i % 5)); });
}

void check_slopes(const Slopes& found, const Vector& derivative, const Vector& curvature) {
  CHECK(std::isfinite(found.slope) == derivative.allFinite());
  if (!derivative.allFinite()) return;
  const double magnitude = derivative.cwiseAbs().sum();
  CHECK(std::abs(found.slope - derivative.sum()) <= 1e-12 * magnitude);
  CHECK(found.magnitude == doctest::Approx(magnitude).epsilon(1e-12));
  CHECK(std::abs(found.curvature - curvature.sum()) <= 1e-12 * (curvature.sum() + magnitude));
}

}  // namespace

TEST_CASE("derivative and curvature of every loss are slopes") {
  constexpr double h = 1e-5;
  for_each_loss([](auto loss) {
    using Loss = decltype(loss);
    CAPTURE(std::string(Loss::name));
    for (int k = 0; k < 4; ++k) {
      const double b = some_target(Loss::targets, k);
      for (double z = -5.0; z <= 5.0; z += 0.0713) {
        const Sample here = Loss::at(z, b), left = Loss::at(z - h, b), right = Loss::at(z + h, b);
        CHECK(here.derivative ==
              doctest::Approx((right.value - left.value) / (2 * h)).epsilon(1e-6));
        const double curvature = Loss::curvature(z, b);
        CHECK(curvature >= 0.0);
        CHECK(curvature <= Loss::max_curvature);
        if (Loss::curvature(z - 2 * h, b) - Loss::curvature(z + 2 * h, b) > 0.1) continue;  // kink
        if (Loss::curvature(z + 2 * h, b) - Loss::curvature(z - 2 * h, b) > 0.1) continue;
        CHECK(curvature ==
              doctest::Approx((right.derivative - left.derivative) / (2 * h)).epsilon(1e-6));
      }
    }
  });
}

TEST_CASE("a loss and its conjugate add up to the product, at a slope, and to more elsewhere") {
  for_each_loss([](auto loss) {
    using Loss = decltype(loss);
    CAPTURE(std::string(Loss::name));
    for (int k = 0; k < 4; ++k) {
      const double b = some_target(Loss::targets, k);
      for (double z = -4.0; z <= 4.0; z += 0.37) {
        const Sample here = Loss::at(z, b);
        const Conjugate conjugate = Loss::conjugate(here.derivative, b);
        CHECK(here.value + conjugate.value ==
              doctest::Approx(z * here.derivative).epsilon(1e-12).scale(1.0 + conjugate.magnitude));
        CHECK(conjugate.magnitude >= std::abs(conjugate.value) * (1.0 - 1e-15));
        for (double other = -4.0; other <= 4.0; other += 0.53)
          CHECK(Loss::at(other, b).value + conjugate.value >= other * here.derivative - 1e-12);
      }
    }
  });
}

TEST_CASE("conjugates are added up with their weights") {
  for (const auto& loss : all_losses()) {
    CAPTURE(std::string(loss->name()));
    const Index rows = 9;
    Random random(13);
    const Vector b = some_targets(*loss, rows), weights = random.vector(rows).cwiseAbs();
    Vector slope(rows);
    loss->evaluate({random.vector(rows), b}, slope, 1);
    double total = 0.0;
    for (Index i = 0; i < rows; ++i)
      total += weights[i] * loss->conjugate(slope.segment(i, 1), b.segment(i, 1), nullptr, 1).value;
    CHECK(loss->conjugate(slope, b, weights.data(), 1).value ==
          doctest::Approx(total).epsilon(1e-13));
  }
}

TEST_CASE("a majorizing parabola touches its loss and lies above it") {
  for (const auto& loss : all_losses()) {
    CAPTURE(std::string(loss->name()));
    for (int k = 0; k < 4; ++k)
      for (double z = -5.0; z <= 5.0; z += 0.31) {
        const Vector b = Vector::Constant(1, some_target(loss->targets(), k));
        const Vector at = Vector::Constant(1, z);
        Vector slope(1), unused(1), curvature(1);
        const double value = loss->evaluate({at, b}, slope, 1);
        if (!loss->majorizing_curvature({at, b}, curvature)) continue;
        for (double t = -6.0; t <= 6.0; t += 0.43) {
          const double parabola =
              value + (t - z) * slope[0] + 0.5 * (t - z) * (t - z) * curvature[0];
          CHECK(loss->evaluate({Vector::Constant(1, t), b}, unused, 1) <= parabola + 1e-12);
        }
      }
  }
}

TEST_CASE("no loss turns into NaN far out") {
  for_each_loss([](auto loss) {
    using Loss = decltype(loss);
    CAPTURE(std::string(Loss::name));
    for (const double z : {-1e100, -1e4, -710.0, -40.0, 40.0, 710.0, 1e4, 1e100}) {
      for (int k = 0; k < 4; ++k) {
        const double b = some_target(Loss::targets, k);
        const Sample sample = Loss::at(z, b);
        CHECK_FALSE(std::isnan(sample.value));
        CHECK_FALSE(std::isnan(sample.derivative));
        CHECK_FALSE(std::isnan(Loss::curvature(z, b)));
      }
    }
  });
}

TEST_CASE("names find losses and are unique") {
  CHECK(all_losses().size() == std::tuple_size_v<AllLosses>);
  for (const auto& loss : all_losses()) {
    CHECK(make_loss(loss->name()) == loss);
    CHECK(loss->max_curvature() > 0.0);
  }
  CHECK_THROWS_WITH_AS(make_loss("hinge"), "unknown loss \"hinge\"", std::invalid_argument);
}

TEST_CASE("a loss adds up its samples, whatever the number of threads") {
  for (const auto& loss : all_losses()) {
    for (const Index rows : {1, 7, 255, 256, 4096, 13000}) {
      CAPTURE(std::string(loss->name()));
      CAPTURE(rows);
      Random random(10);
      const Vector z = random.vector(rows), ones = Vector::Ones(rows);
      Vector weights = random.vector(rows).cwiseAbs();
      weights[rows / 2] = 0.0;
      const Vector b = some_targets(*loss, rows);
      Vector derivative(rows), again(rows), weighted(rows), curvature(rows), single(1);
      const double value = loss->evaluate({z, b}, derivative, 1);
      for (const int threads : {2, 3, 7}) {
        CHECK(loss->evaluate({z, b}, again, threads) == value);
        CHECK(again == derivative);
      }
      CHECK(loss->evaluate({z, b, ones.data()}, again, 1) == doctest::Approx(value).epsilon(1e-14));
      CHECK(distance(again, derivative) <= 4e-16 * derivative.cwiseAbs().maxCoeff());
      double total = 0.0, weighted_total = 0.0;
      for (Index i = 0; i < rows; ++i) {
        const double at_i = loss->evaluate({z.segment(i, 1), b.segment(i, 1)}, single, 1);
        REQUIRE(single[0] == doctest::Approx(derivative[i]).epsilon(1e-14));
        total += at_i;
        weighted_total += weights[i] * at_i;
      }
      CHECK(value == doctest::Approx(total).epsilon(1e-12));
      CHECK(loss->evaluate({z, b, weights.data()}, weighted, 2) ==
            doctest::Approx(weighted_total).epsilon(1e-12));
      CHECK(distance(weighted, derivative.cwiseProduct(weights)) <= 1e-14);
      loss->curvature({z, b, weights.data()}, curvature);
      CHECK(curvature[rows / 2] == 0.0);
      for (Index i = 0; i < rows; ++i)
        REQUIRE((weights[i] == 0.0 || curvature[i] <= weights[i] * loss->max_curvature()));
    }
  }
}

TEST_CASE("slopes are the sums of derivatives, wherever the predictions are shifted") {
  for (const auto& loss : all_losses())
    for (const Index rows : {0, 1, 7, 8, 300, 9000})
      for (const double spread : {1.0, 200.0, 2000.0})
        for (const double shift : {0.0, -0.37, 2.5, 30.0}) {
          CAPTURE(std::string(loss->name()));
          CAPTURE(rows);
          CAPTURE(spread);
          CAPTURE(shift);
          Random random(12);
          const Vector z = spread * random.vector(rows), b = some_targets(*loss, rows);
          const Vector shifted = z.array() + shift;
          Vector weights = random.vector(rows).cwiseAbs();
          if (rows > 1) weights[1] = 0.0;
          for (const double* weight :
               {static_cast<const double*>(nullptr), std::as_const(weights).data()}) {
            Vector derivative(rows), curvature(rows);
            loss->evaluate({shifted, b, weight}, derivative, 1);
            loss->curvature({shifted, b, weight}, curvature);
            const Slopes found = loss->slopes({z, b, weight}, shift, 1);
            check_slopes(found, derivative, curvature);
            CHECK(loss->slopes({z, b, weight}, shift, 3).magnitude == found.magnitude);
          }
        }
}

TEST_CASE("samples that share one prediction need not be evaluated one by one") {
  for (const auto& loss : all_losses()) {
    for (const Index rows : {0, 1, 300, 9000}) {
      for (const double prediction : {0.0, -0.37, 2.5}) {
        CAPTURE(std::string(loss->name()));
        Random random(11);
        Vector weights = random.vector(rows).cwiseAbs();
        if (rows > 1) weights[1] = 0.0;
        const Vector b = some_targets(*loss, rows), z = Vector::Constant(rows, prediction);
        for (const double* weight :
             {static_cast<const double*>(nullptr), std::as_const(weights).data()}) {
          Vector each(rows), shared(rows);
          const double value = loss->evaluate({z, b, weight}, each, 1);
          CHECK(loss->evaluate_shared(prediction, b, weight, shared) ==
                doctest::Approx(value).epsilon(1e-13));
          CHECK(shared == each);
          Vector curvature(rows);
          loss->curvature({z, b, weight}, curvature);
          check_slopes(loss->slopes_shared(prediction, b, weight), each, curvature);
        }
      }
    }
  }
}

TEST_CASE("the logistic value keeps its digits where all samples are far on the right side") {
  const auto logistic = make_loss("logistic");
  for (const Index rows : {1, 7, 256, 257, 5000}) {
    for (const double margin : {0.0, 1.0, 20.0, 40.0, 300.0}) {
      const Vector b = some_targets(*logistic, rows);
      const Vector z = margin * (2.0 * b.array() - 1.0);
      Vector derivative(rows);
      const double expected = static_cast<double>(rows) * std::log1p(std::exp(-margin));
      CHECK(std::abs(logistic->evaluate({z, b}, derivative, 1) - expected) <= 1e-14 * expected);
    }
  }
}

TEST_CASE("the logistic loss keeps 14 digits, near and far, whatever stands beside it") {
  const auto logistic = make_loss("logistic");
  constexpr long double least = 4e-308L;  // numbers below about that become zero, or that
  for (const double scale : {1e-300, 1e-8, 1.0, 6.0, 30.0, 700.0, 708.9, 709.6, 745.0, 1e4, 1e300})
    for (const Index rows : {1, 7, 8, 9, 255, 256, 257, 1000}) {
      CAPTURE(scale);
      CAPTURE(rows);
      Random random(12);
      Vector z = random.vector(rows), derivative(rows);
      z *= scale / z.cwiseAbs().maxCoeff();
      z.tail(rows / 2) /= scale;  // moderate ones beside those
      const Vector b = some_targets(*logistic, rows);
      const double value = logistic->evaluate({z, b}, derivative, 1);
      long double expected = 0.0L;
      for (Index i = 0; i < rows; ++i) {
        const long double margin = b[i] == 0.0 ? z[i] : -z[i];
        expected += std::max(margin, 0.0L) + std::log1p(std::exp(-std::abs(margin)));
        const long double slope = (b[i] == 0.0 ? 1.0L : -1.0L) * std::exp(std::min(margin, 0.0L)) /
                                  (1.0L + std::exp(-std::abs(margin)));
        REQUIRE(std::abs(derivative[i] - slope) <= 1e-14L * std::abs(slope) + least);
      }
      CHECK(std::abs(value - expected) <= 1e-14L * expected + least);
    }
}

TEST_CASE("a sample of weight zero takes no part, not even with an infinite loss") {
  const auto poisson = make_loss("poisson");
  const Vector z = (Vector(2) << 1e4, 0.0).finished();
  const Vector b = Vector::Ones(2);
  const Vector weights = (Vector(2) << 0.0, 2.0).finished();
  Vector derivative(2);
  CHECK(poisson->evaluate({z, b, weights.data()}, derivative, 1) == 2.0);
  CHECK(derivative == Vector::Zero(2));
}
