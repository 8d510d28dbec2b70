#include "regiht/certificate/certificate.hpp"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>

#include "regiht/loss/all.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

TEST_CASE("a relaxed step meets its optimality condition") {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Index size = 1 + random.below(9);
    const Index s = 1 + random.below(size);
    const Support kept = trial % 3 == 0 ? Support{size - 1} : Support{};
    Vector v = random.vector(size);
    if (trial % 5 == 0) v[0] = 0.0;
    if (trial % 7 == 0 && size > 2) v[1] = v[2];
    const double lambda = std::pow(10.0, static_cast<double>(random.below(7)) - 3.0);
    Vector x;
    const double envelope = RelaxedThreshold(s, kept).apply(v, lambda, x);
    // x minimises iff p = (v − x)/λ is a subgradient of h at x: h(x) + h*(p) = ⟨x, p⟩, where
    // h*(p) is half the sum of the s largest p².
    const Vector p = (v - x) / lambda;
    const double conjugate = 0.5 * hard_threshold(p, s, kept).squared_norm();
    CHECK(envelope + conjugate == doctest::Approx(x.dot(p)).epsilon(1e-9));
    CHECK(envelope >= 0.5 * x.squaredNorm() * (1.0 - 1e-12));
  }
}

TEST_CASE("a bound from any slopes stays below every sparse value") {
  Random random(6);
  const Index rows = 12, cols = 5, s = 2;
  const auto X = random.matrix(rows, cols, 1.0);
  const ColumnMajorDesign<double> design(X.data(), rows, cols, rows);
  const auto norms = std::make_shared<const ColumnNorms>(design);
  const Vector weights = random.vector(rows).cwiseAbs();
  for (const auto& loss : all_losses()) {
    CAPTURE(std::string(loss->name()));
    const Vector target =
        Vector::NullaryExpr(rows, [&](Index i) { return static_cast<double>(i % 2); });
    const ConstrainedModel model{design, *loss, target, weights.data(), 0.7, s, {}, 1};
    DualBound bound(model, norms);
    double highest = bound.at_zero(), lowest = std::numeric_limits<double>::infinity();
    Vector slope(rows), gradient;
    for (int trial = 0; trial < 50; ++trial) {
      loss->evaluate({2.0 * random.vector(rows), target}, slope, 1);
      highest = std::max(highest, bound.at(slope * 0.999, gradient));
      const SparseVector x = hard_threshold(0.3 * random.vector(cols), s);
      Vector prediction(rows), unused(rows);
      design.apply(x, 0.0, prediction, 1);
      lowest = std::min(lowest, loss->evaluate({prediction, target, weights.data()}, unused, 1) +
                                    0.35 * x.squared_norm());
    }
    CHECK(highest <= lowest);
    SilentObserver observer;
    const Certificate certificate = certify(model, norms, {}, lowest, observer);
    CHECK(certificate.lower_bound <= lowest);
    CHECK(certificate.lower_bound >= bound.at_zero());
  }
}

TEST_CASE(
    "at the slopes of the minimum a bound is the minimum, less what rounding may have added") {
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  constexpr Index rows = 12, cols = 4;
  const auto loss = make_loss("squared");
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    Random random(seed);
    const auto X = random.matrix(rows, cols, 1.0);
    const ColumnMajorDesign<double> design(X.data(), rows, cols, rows);
    const Vector target = random.vector(rows), weights = random.vector(rows).cwiseAbs();
    // With as many places as columns nothing is lost by the relaxation.
    const ConstrainedModel model{design, *loss, target, weights.data(), 0.7, cols, {}, 1};
    const Long A = X.cast<long double>(), y = target.cast<long double>();
    const Long weighted = weights.cast<long double>().asDiagonal() * A;
    const long double ridge = model.ridge;
    const Long system = weighted.transpose() * A + ridge * Long::Identity(cols, cols);
    const Long x = system.llt().solve(weighted.transpose() * y);
    const Long residual = A * x - y;
    const Long squares = residual.cwiseProduct(residual);
    const long double minimum =
        0.5L * (weights.cast<long double>().dot(squares.col(0)) + ridge * x.squaredNorm());
    Vector gradient;
    const double bound = DualBound(model, std::make_shared<const ColumnNorms>(design))
                             .at(residual.cast<double>(), gradient);
    CHECK(static_cast<long double>(bound) <= minimum);
    CHECK(static_cast<long double>(bound) >= minimum * (1.0L - 1e-11L));
  }
}
