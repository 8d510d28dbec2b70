#include <doctest/doctest.h>

#include <cmath>

#include "dense_squares.hpp"
#include "regiht/solver/refit/newton.hpp"
#include "regiht/solver/run/ridge_decorator.hpp"

using namespace regiht;
using namespace regiht::testing;

TEST_CASE("a refit ends where slopes vanish, whatever the sizes of the columns") {
  for (unsigned seed = 1; seed < 6; ++seed) {
    Matrix A = random_matrix(seed, 20, 6);
    for (Index j = 0; j < 6; ++j) A.col(j) *= std::pow(10.0, static_cast<double>(2 * j) - 5.0);
    DenseSquares f(A, Vector::Random(20));
    SparseVector x = restricted({}, {0, 1, 3, 5});
    const double least = f.minimum(x.indices);
    CHECK(RestrictedMinimizer()(f, x).value == doctest::Approx(least).epsilon(1e-12));
    CHECK(f.largest_slope(x) <= 1e-12);
  }
}

TEST_CASE("a refit that can come down to a value is not abandoned") {
  DenseSquares f = coherent_squares(7, 20, 6);
  SparseVector x = restricted({}, {0, 2, 4});
  const double least = f.minimum(x.indices);
  const RefitGoal goal{0.0, least + 1e-9, false};
  CHECK(RestrictedMinimizer()(f, x, goal).value == doctest::Approx(least).epsilon(1e-12));
}

TEST_CASE("of several minima a refit ends at the one of least norm") {
  Matrix A = random_matrix(8, 20, 4);
  A.col(1) = A.col(0);
  DenseSquares f(A, Vector::Random(20));
  SparseVector x{{0, 1, 2}, {3.0, -1.0, 0.0}};
  CHECK(RestrictedMinimizer()(f, x).rank_deficient);
  CHECK(x.values[0] == doctest::Approx(x.values[1]).epsilon(1e-9));
  CHECK(f.largest_slope(x) <= 1e-9);
}

TEST_CASE("regularization ends for the entries that are released, and for no others") {
  const Matrix A = random_matrix(3, 15, 5);
  const Vector y = Vector::Random(15);
  DenseSquares f(A, y);
  RidgeDecorator g(f, 2.0);
  g.release(1);
  SparseVector x = restricted({}, {0, 1, 4});
  const double value = RestrictedMinimizer()(g, x).value;
  const Vector full = x.dense(5);
  CHECK(value == doctest::Approx(f.move_to(x) + full[0] * full[0] + full[4] * full[4]));
  const Vector slopes = A.transpose() * (A * full - y);
  CHECK(std::abs(slopes[1]) <= 1e-12);
  for (const Index j : {0, 4}) CHECK(std::abs(slopes[j] + 2.0 * full[j]) <= 1e-12);
}
