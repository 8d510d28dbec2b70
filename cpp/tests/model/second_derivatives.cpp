#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "models.hpp"
#include "quadratic.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/run/ridge_decorator.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

Matrix explicit_products(const Matrix& A, const Support& left, const Support& right,
                         const Vector& weights) {
  Matrix out(static_cast<Index>(left.size()), static_cast<Index>(right.size()));
  for (Index k = 0; k < out.rows(); ++k)
    for (Index l = 0; l < out.cols(); ++l)
      out(k, l) = (A.col(left[std::size_t(k)]).array() * weights.array() *
                   A.col(right[std::size_t(l)]).array())
                      .sum();
  return out;
}

Matrix explicit_covariances(const Matrix& A, const Support& left, const Support& right,
                            const Vector& weights) {
  Matrix centered = A;
  for (Index j = 0; j < A.cols(); ++j)
    centered.col(j).array() -= weights.dot(A.col(j)) / weights.sum();
  return explicit_products(centered, left, right, weights);
}

Matrix standardized_copy(Matrix A) {
  for (Index j = 0; j < A.cols(); ++j) {
    A.col(j).array() -= A.col(j).mean();
    if (A.col(j).norm() > 0.0) A.col(j).normalize();
  }
  return A;
}

}  // namespace

TEST_CASE_TEMPLATE("weighted products are those of the dense matrix", Storage,
                   REGIHT_EVERY_STORAGE) {
  for (const bool standardized : {false, true}) {
    Random random(60);
    const Matrix A = random.matrix(57, 23, 0.3);
    const Storage storage(A);
    const std::shared_ptr<const Design> design =
        standardized ? standardize(storage.design(), true, true) : storage.design();
    const Matrix expected = standardized ? standardized_copy(A) : A;
    const Vector weights = random.vector(A.rows()).cwiseAbs(), ones = Vector::Ones(A.rows());
    for (const Index count : {Index{0}, Index{1}, Index{7}, A.cols()}) {
      const Support left = random.support(A.cols(), 5), right = random.support(A.cols(), count);
      Matrix out = Matrix::Constant(2, 2, 9.0);
      design->weighted_products(left, right, weights.data(), out, 1);
      const Matrix weighted = explicit_products(expected, left, right, weights);
      REQUIRE(out.rows() == weighted.rows());
      REQUIRE(out.cols() == weighted.cols());
      CHECK((out - weighted).norm() <= 1e-12 * (1.0 + weighted.norm()));
      design->weighted_products(left, right, nullptr, out, 1);
      CHECK((out - explicit_products(expected, left, right, ones)).norm() <= 1e-11);
      for (const int threads : {2, 3}) {
        Matrix again;
        design->weighted_products(left, right, nullptr, again, threads);
        CHECK(again == out);
      }
      const double total = weights.sum();
      const Matrix covariances = explicit_covariances(expected, left, right, weights);
      design->weighted_covariances(left, right, weights.data(), total, out, 1);
      CHECK((out - covariances).norm() <= 1e-12 * (1.0 + weighted.norm()));
      design->weighted_covariances(left, right, weights.data(), 0.0, out, 1);
      CHECK((out - weighted).norm() <= 1e-12 * (1.0 + weighted.norm()));
      Vector squares(count);
      design->weighted_squares(right, weights.data(), squares, 1);
      const Matrix full = explicit_products(expected, right, right, weights);
      CHECK((squares - full.diagonal()).norm() <= 1e-12 * (1.0 + full.norm()));
    }
  }
}

TEST_CASE_TEMPLATE("columns are copied some rows at a time", Storage, REGIHT_EVERY_STORAGE) {
  Random random(68);
  const Matrix A = random.matrix(31, 9, 0.4);
  const Storage storage(A);
  const Support columns = {1, 4, 8};
  for (const bool standardized : {false, true}) {
    const std::shared_ptr<const Design> design =
        standardized ? standardize(storage.design(), true, true) : storage.design();
    const Matrix expected = standardized ? standardized_copy(A) : A;
    Matrix block = Matrix::Constant(12, 3, 7.0);
    design->copy_columns(columns, 5, 10, block.data(), block.rows());
    for (Index k = 0; k < 3; ++k) {
      const auto column = expected.col(columns[static_cast<std::size_t>(k)]);
      CHECK((block.col(k).head(10) - column.segment(5, 10)).norm() <= 1e-6);
      CHECK(block(10, k) == 7.0);
    }
  }
}

TEST_CASE_TEMPLATE("more rows and columns than fit in a block have the same products", Storage,
                   ColumnMajorStorage<double>, RowMajorStorage<float>, CscStorage<double, int>) {
  Random random(67);
  const Matrix A = random.matrix(1100, 150, 0.5).template cast<float>().template cast<double>();
  const Storage storage(A);
  const auto design = standardize(storage.design(), true, true);
  const Matrix expected = standardized_copy(A);
  const Vector weights = random.vector(A.rows()).cwiseAbs();
  for (const Index count : {1, 2, 63, 65, 131, 150}) {
    const Support left = random.support(A.cols(), 7), right = random.support(A.cols(), count);
    Matrix out, square;
    Vector squares(count);
    design->weighted_products(left, right, weights.data(), out, 2);
    design->weighted_products(right, right, weights.data(), square, 2);
    design->weighted_squares(right, weights.data(), squares, 2);
    const Matrix full = explicit_products(expected, right, right, weights);
    CHECK((out - explicit_products(expected, left, right, weights)).norm() <= 1e-12 * out.norm());
    CHECK((square - full).norm() <= 1e-12 * full.norm());
    if (!design->is_sparse()) CHECK((square - square.transpose()).isZero(0.0));
    CHECK((squares - full.diagonal()).norm() <= 1e-12 * full.norm());
    Matrix alone;
    design->weighted_products(right, right, weights.data(), alone, 1);
    CHECK(alone == square);
  }
}

TEST_CASE("second derivatives are the slopes of the gradient") {
  constexpr Index rows = 40, cols = 9;
  for (const auto& loss : all_losses()) {
    CAPTURE(std::string(loss->name()));
    Random random(61);
    const ColumnMajorStorage<double> storage(random.matrix(rows, cols, 0.7));
    const Vector target =
        random.vector(rows).unaryExpr([](double number) { return number > 0.0 ? 1.0 : 0.0; });
    const Vector weights = random.vector(rows).cwiseAbs();
    LinearModel model(*storage.design(), *loss, target, model_settings(0.3, weights.data(), true));
    RidgeDecorator ridged(model, 2.0);
    ridged.release(3);
    const SparseVector x = random.sparse_vector(cols, 5);
    for (Objective* f : {static_cast<Objective*>(&model), static_cast<Objective*>(&ridged)}) {
      f->move_to(x);
      const Support left = random.support(cols, 4), right = random.support(cols, 6);
      Matrix exact, differences;
      f->second_derivatives(left, right, exact);
      f->Objective::second_derivatives(left, right, differences);
      CHECK((exact - differences).norm() <= 1e-6 * (1.0 + exact.norm()));
      CHECK(f->point() == x);
      Matrix own;
      f->second_derivatives(right, right, own);
      Vector curvatures(6);
      f->curvatures(right, curvatures);
      CHECK((curvatures - own.diagonal()).norm() <= 1e-12 * (1.0 + own.norm()));
    }
  }
}

TEST_CASE("least squares knows its second derivatives with and without inner products") {
  Random random(62);
  const Matrix A = random.matrix(50, 12, 1.0);
  const ColumnMajorStorage<double> storage(A);
  const Vector target = random.vector(50);
  const auto gram = std::make_shared<const Gram>(*storage.design(), 1);
  for (const auto& known : {std::shared_ptr<const Gram>(), gram}) {
    LeastSquares f(*storage.design(), target, least_squares_settings(0.5, true, known));
    f.move_to(random.sparse_vector(12, 4));
    const Support left = {0, 3, 7}, right = {1, 3, 11};
    Matrix out;
    f.second_derivatives(left, right, out);
    Matrix expected = explicit_products(A, left, right, Vector::Ones(50));
    expected(1, 1) += 0.5;
    CHECK((out - expected).norm() <= 1e-12);
    Vector curvatures(3);
    f.curvatures(left, curvatures);
    for (Index k = 0; k < 3; ++k)
      CHECK(curvatures[k] ==
            doctest::Approx(A.col(left[std::size_t(k)]).squaredNorm() + 0.5).epsilon(1e-12));
  }
}

namespace {

/// A model of 0/1 targets, with all that a model may have, or the ridge decorator around one.
template <class Check>
void with_each_model(Check&& check) {
  Random random(64);
  const ColumnMajorStorage<double> storage(random.matrix(40, 8, 1.0));
  const Vector target = random.vector(40).unaryExpr([](double z) { return z > 0.0 ? 1.0 : 0.0; });
  const Vector weights = random.vector(40).cwiseAbs();
  for (const auto& loss : all_losses())
    for (const bool intercept : {false, true})
      for (const bool decorated : {false, true}) {
        auto settings = model_settings(0.3, weights.data(), true);
        settings.intercept = intercept;
        LinearModel model(*storage.design(), *loss, target, settings);
        RidgeDecorator ridged(model, 0.7);
        CAPTURE(std::string(loss->name()));
        CAPTURE(intercept);
        CAPTURE(decorated);
        check(decorated ? static_cast<Objective&>(ridged) : model, random);
      }
  LeastSquares least(*storage.design(), target, least_squares_settings(0.3, true, nullptr));
  check(least, random);
}

}  // namespace

TEST_CASE("second derivatives along directions are sums of squares of the same matrix") {
  with_each_model([](Objective& f, Random& random) {
    const SparseVector x = random.sparse_vector(8, 4);
    f.move_to(x);
    Matrix hessian, along;
    f.second_derivatives(x.indices, x.indices, hessian);
    const Matrix directions = random.matrix(x.size(), 3, 1.0);
    REQUIRE(f.second_derivatives_along(x.indices, directions, along));
    const Matrix expected = directions.transpose() * hessian * directions;
    CHECK((along - expected).norm() <= 1e-12 * (1.0 + expected.norm()));
  });
}

TEST_CASE("a quadratic that touches the Huber loss lies above it everywhere") {
  int known = 0;
  with_each_model([&](Objective& f, Random& random) {
    SparseVector x = random.sparse_vector(8, 4);
    const double value = f.move_to(x);
    Vector gradient(x.size());
    f.gradient_on_support(gradient);
    Matrix above;
    if (!f.majorizing_derivatives(x.indices, above)) return;
    ++known;
    for (const double length : {1e-3, 0.1, 1.0, 10.0, 1e3}) {
      const Vector step = length * random.vector(x.size());
      SparseVector trial = x;
      Eigen::Map<Vector>(trial.values.data(), trial.size()) += step;
      const double bound = value + gradient.dot(step) + 0.5 * step.dot(above * step);
      CHECK(f.move_to(trial) <= bound * (1.0 + 1e-12));
    }
  });
  CHECK(known == 4);
}
