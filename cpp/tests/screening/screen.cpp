#include "regiht/screening/screen.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "products.hpp"
#include "regiht/design/standardized.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Checks that no column that reaches the magnitude was left out.
void check_complete(const Design& design, const Vector& derivative, const Support& inside,
                    double magnitude, const Support& candidates) {
  CHECK(std::is_sorted(candidates.begin(), candidates.end()));
  Vector gradient(design.cols());
  design.apply_transpose(derivative, gradient, 1);
  for (Index j = 0; j < design.cols(); ++j) {
    const bool is_inside = std::binary_search(inside.begin(), inside.end(), j);
    const bool listed = std::binary_search(candidates.begin(), candidates.end(), j);
    if (is_inside) REQUIRE_FALSE(listed);
    if (!is_inside && std::abs(gradient[j]) >= magnitude) REQUIRE(listed);
  }
}

/// A screen that begins at a derivative vector.
struct Screened {
  VectorProducts products;
  ScreeningPolicy policy;
  std::optional<Screen> screen;

  Screened(const Design& design, const Vector& derivative) : products(design), policy(products) {
    const auto [gradient, norm] = take(derivative);
    screen.emplace(products, policy, gradient, norm);
  }

  void take_reference(const Vector& derivative) {
    const auto [gradient, norm] = take(derivative);
    screen->take_reference(gradient, norm);
  }

  /// Whether there was an answer at this derivative vector.
  bool select(const Vector& derivative, double magnitude, const Support& inside,
              Support& candidates) {
    products.move_to(derivative);
    return screen->select({magnitude, {products.cols(), {}}, inside}, candidates).has_value();
  }

 private:
  std::pair<Vector, double> take(const Vector& derivative) {
    products.move_to(derivative);
    Vector gradient(products.cols());
    products.all(gradient);
    return {gradient, products.take_reference()};
  }
};

/// Screens for a magnitude and checks the answer. Returns whether there was one.
bool check_complete(const Design& design, Screened& screened, const Vector& derivative,
                    const Support& inside, double magnitude) {
  Support candidates;
  if (!screened.select(derivative, magnitude, inside, candidates)) return false;
  check_complete(design, derivative, inside, magnitude, candidates);
  return true;
}

Vector sorted_magnitudes(const Design& design, const Vector& derivative) {
  Vector sorted(design.cols());
  design.apply_transpose(derivative, sorted, 1);
  sorted = sorted.cwiseAbs();
  std::sort(sorted.data(), sorted.data() + sorted.size());
  return sorted;
}

/// Moves away from a reference in ever larger steps, asking for the magnitudes of its own entries:
/// ties with the threshold are what rounding could lose.
int screen_along_a_path(const Design& design, Random& random, double size) {
  Vector derivative = size * random.vector(design.rows());
  Screened screened(design, derivative);
  int answers = 0;
  for (double step = 1e-17; step < 2.0; step *= 30.0) {
    screened.take_reference(derivative);
    const Vector moved = derivative + step * size * random.vector(design.rows());
    const Support inside = random.support(design.cols(), 3);
    const Vector sorted = sorted_magnitudes(design, moved);
    for (const Index rank : {Index{1}, Index{2}, Index{5}, design.cols() / 2})
      answers += check_complete(design, screened, moved, inside, sorted[sorted.size() - rank]);
    derivative = moved;
  }
  return answers;
}

}  // namespace

TEST_CASE_TEMPLATE("every column that reaches the magnitude is found", Storage,
                   ColumnMajorStorage<double>, ColumnMajorStorage<float>,
                   CscStorage<double, std::int32_t>, CscStorage<float, std::int64_t>) {
  Random random(30);
  int answers = 0;
  for (int round = 0; round < 20; ++round) {
    const Index rows = 1 + random.below(80), cols = 70 + random.below(300);
    Matrix A = random.matrix(rows, cols, round % 2 == 0 ? 0.2 : 1.0);
    switch (round % 5) {
      case 1:  // the same column many times, up to its sign
        for (Index j = 1; j < cols; ++j) A.col(j) = (j % 2 == 0 ? 1.0 : -1.0) * A.col(0);
        break;
      case 2:  // very different norms
        for (Index j = 0; j < cols; ++j) A.col(j) *= std::ldexp(1.0, static_cast<int>(j % 60) - 30);
        break;
      case 3:  // few different entries, so that magnitudes tie
        A = (2.0 * A.array()).round();
        break;
      case 4:  // columns without entries
        for (Index j = 0; j < cols; j += 2) A.col(j).setZero();
        break;
      default:
        break;
    }
    const Storage storage(A);
    answers += screen_along_a_path(*storage.design(), random, round % 3 == 0 ? 1e6 : 1.0);
    A.col(0).array() += 1000.0;  // a mean far above the deviation
    const Storage shifted(A);
    const auto standardized = standardize(shifted.design(), true, true);
    answers += screen_along_a_path(*standardized, random, 1.0);
  }
  CHECK(answers > 200);  // otherwise this test has tested nothing
}

TEST_CASE("two references: nothing is left out, and less is looked at than with one") {
  Random random(35);
  int answers = 0, answers_of_one = 0;
  for (int round = 0; round < 30; ++round) {
    const Index rows = 40, cols = 4000;
    Matrix A = random.matrix(rows, cols, 1.0);
    if (round % 3 == 1) A.col(0).array() += 1000.0;
    if (round % 3 == 2)
      for (Index j = 1; j < cols; j += 2) A.col(j) = -A.col(j - 1);
    const ColumnMajorStorage<double> storage(A);
    const auto standardized = standardize(storage.design(), true, true);
    const Design& design = round % 2 == 0 ? *storage.design() : *standardized;
    // A path that closes in on an end along one direction, with a little of another.
    const Vector end = random.vector(rows), way = random.vector(rows), other = random.vector(rows);
    const double stray = std::pow(10.0, -round % 17);
    const auto derivative_at = [&](int t) {
      return Vector(end + std::pow(0.5, t) * way + stray * std::pow(0.3, t) * other);
    };
    Screened two(design, derivative_at(0)), one(design, derivative_at(1));
    two.take_reference(derivative_at(1));
    const Vector derivative = derivative_at(4);
    const Support inside = random.support(cols, 3);
    const Vector sorted = sorted_magnitudes(design, derivative);
    for (const Index rank : {1, 2, 9, 100}) {
      Support candidates;
      answers_of_one += one.select(derivative, sorted[cols - rank], inside, candidates);
      answers += check_complete(design, two, derivative, inside, sorted[cols - rank]);
    }
  }
  CHECK(answers > 60);
  CHECK(answers > answers_of_one);
}

TEST_CASE("columns and changes whose squares underflow or overflow are not lost") {
  for (const auto& sizes : {std::pair{1e-165, 1e150}, {1e170, 1e-173}, {1.0, 1e-170}}) {
    const double entry = sizes.first, change = sizes.second;
    CAPTURE(entry);
    Matrix A = Matrix::Zero(6, 200);
    A.col(7).setConstant(entry);
    const ColumnMajorStorage<double> storage(A);
    const Design& design = *storage.design();
    Screened screened(design, Vector::Zero(6));
    const Vector derivative = Vector::Constant(6, change);
    Vector gradient(200);
    design.apply_transpose(derivative, gradient, 1);
    check_complete(design, screened, derivative, {}, std::abs(gradient[7]));  // or no answer
  }
}

TEST_CASE("screening asks for the full gradient when that is better") {
  const Matrix A = Random(32).matrix(40, 300, 1.0);
  const ColumnMajorStorage<double> storage(A);
  const Design& design = *storage.design();
  const Vector derivative = Random(33).vector(40);
  Screened screened(design, derivative);
  Support candidates;
  const auto selects = [&](double magnitude) {
    return screened.select(derivative, magnitude, {}, candidates);
  };
  CHECK_FALSE(selects(0.0));  // everything reaches zero
  CHECK_FALSE(selects(std::nan("")));
  CHECK_FALSE(selects(1e-9));  // nearly all columns
  CHECK_FALSE(screened.select(Vector::Constant(40, HUGE_VAL), 1.0, {}, candidates));
  Vector gradient(300);
  design.apply_transpose(derivative, gradient, 1);
  const double largest = gradient.cwiseAbs().maxCoeff();
  CHECK(selects(largest));
  CHECK(candidates.size() == 1);
  CHECK(selects(1.1 * largest));
  CHECK(candidates.empty());
  // Columns read since the reference add up to a full pass in the end.
  int answers = 0;
  while (answers < 1000 && selects(largest)) ++answers;
  CHECK(answers >= 250);
  CHECK(answers < 1000);
}

TEST_CASE("screening does not pay where a column costs as much as the matrix") {
  const Matrix A = Random(34).matrix(400, 300, 0.5);
  const CscStorage<double, std::int32_t> csc(A);
  const ColumnMajorStorage<double> dense(A);
  const CsrStorage<double, std::int32_t> csr(A);
  CHECK(ScreeningPolicy::pays(VectorProducts(*csc.design())));
  CHECK(ScreeningPolicy::pays(VectorProducts(*dense.design())));
  CHECK_FALSE(ScreeningPolicy::pays(VectorProducts(*csr.design())));
}
