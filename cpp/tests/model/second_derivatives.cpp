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
      Vector squares(count);
      design->weighted_squares(right, weights.data(), squares, 1);
      const Matrix full = explicit_products(expected, right, right, weights);
      CHECK((squares - full.diagonal()).norm() <= 1e-12 * (1.0 + full.norm()));
    }
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
