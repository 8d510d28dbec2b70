#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "regiht/design/standardized.hpp"
#include "regiht/screening/screen.hpp"
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

/// Screens for a magnitude and checks the answer. Returns whether there was one.
bool check_complete(const Design& design, Screen& screening, const Vector& reference,
                    const Vector& derivative, const Support& inside, double magnitude) {
  Support candidates;
  if (!screening.select(magnitude, (derivative - reference).norm(), inside, candidates))
    return false;
  check_complete(design, derivative, inside, magnitude, candidates);
  return true;
}

/// Moves away from a reference in ever larger steps, asking for the roundoff_norms of its own
/// entries: ties with the threshold are what rounding could lose.
int screen_along_a_path(const Design& design, Random& random, double size) {
  Screen screening(design);
  Vector derivative = size * random.vector(design.rows()), gradient(design.cols());
  design.apply_transpose(derivative, gradient, 1);
  int answers = 0;
  for (double step = 1e-17; step < 2.0; step *= 30.0) {
    design.apply_transpose(derivative, gradient, 1);
    screening.take_reference(gradient, derivative.norm());
    const Vector moved = derivative + step * size * random.vector(design.rows());
    const Support inside = random.support(design.cols(), 3);
    design.apply_transpose(moved, gradient, 1);
    Vector sorted = gradient.cwiseAbs();
    std::sort(sorted.data(), sorted.data() + sorted.size());
    for (const Index rank : {Index{1}, Index{2}, Index{5}, design.cols() / 2})
      answers += check_complete(design, screening, derivative, moved, inside,
                                sorted[sorted.size() - rank]);
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
      case 3:  // few different entries, so that roundoff_norms tie
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
    Screen screening(design);
    References references;
    Vector gradient(cols);
    // A path that closes in on an end along one direction, with a little of another.
    const Vector end = random.vector(rows), way = random.vector(rows), other = random.vector(rows);
    const double stray = std::pow(10.0, -round % 17);
    const auto derivative_at = [&](int t) {
      return Vector(end + std::pow(0.5, t) * way + stray * std::pow(0.3, t) * other);
    };
    for (int t = 0; t < 2; ++t) {
      design.apply_transpose(derivative_at(t), gradient, 1);
      references.take(derivative_at(t));
      screening.take_reference(gradient, references.newer_norm());
    }
    const Vector derivative = derivative_at(4);
    design.apply_transpose(derivative, gradient, 1);
    const Support inside = random.support(cols, 3);
    Vector sorted = gradient.cwiseAbs();
    std::sort(sorted.data(), sorted.data() + cols);
    for (const Index rank : {1, 2, 9, 100}) {
      const double magnitude = sorted[cols - rank];
      const double distance = (derivative - references.newer()).norm();
      Support candidates;
      answers_of_one += screening.select(magnitude, distance, inside, candidates);
      if (!screening.select(magnitude, {cols, {}}, distance, inside, candidates,
                            [&] { return references.project(derivative); }))
        continue;
      ++answers;
      check_complete(design, derivative, inside, magnitude, candidates);
    }
  }
  CHECK(answers > 60);
  CHECK(answers > answers_of_one);
}

TEST_CASE("a projection measures its own distance, whatever the vectors") {
  Random random(36);
  References references;
  const Vector first = random.vector(30);
  CHECK_FALSE(references.project(first));  // none
  references.take(first);
  CHECK_FALSE(references.project(first));  // but one
  references.take(3.0 * first);
  CHECK_FALSE(references.project(first));  // parallel
  const Vector second = random.vector(30), r = random.vector(30);
  references.take(second);
  const auto found = references.project(r);
  REQUIRE(found);
  const Vector rest = r - found->newer * second - found->older * (3.0 * first);
  CHECK(found->distance >= rest.norm() * (1.0 - 1e-14));
  CHECK(found->distance <= rest.norm() * (1.0 + 1e-12));
  CHECK(std::abs(rest.dot(first)) <= 1e-12);
  CHECK(std::abs(rest.dot(second)) <= 1e-12);
  references.take(Vector::Constant(30, std::nan("")));
  CHECK_FALSE(references.project(r));
}

TEST_CASE("columns and changes whose squares underflow or overflow are not lost") {
  for (const auto& sizes : {std::pair{1e-165, 1e150}, {1e170, 1e-173}, {1.0, 1e-170}}) {
    const double entry = sizes.first, change = sizes.second;
    CAPTURE(entry);
    Matrix A = Matrix::Zero(6, 200);
    A.col(7).setConstant(entry);
    const ColumnMajorStorage<double> storage(A);
    const Design& design = *storage.design();
    Screen screening(design);
    screening.take_reference(Vector::Zero(200), 0.0);
    const Vector derivative = Vector::Constant(6, change);
    Vector gradient(200);
    design.apply_transpose(derivative, gradient, 1);
    check_complete(design, screening, Vector::Zero(6), derivative, {},
                   std::abs(gradient[7]));  // or no answer
  }
}

TEST_CASE("screening asks for the full gradient when that is better") {
  const Matrix A = Random(32).matrix(40, 300, 1.0);
  const ColumnMajorStorage<double> storage(A);
  const Design& design = *storage.design();
  Screen screening(design);
  Random random(33);
  const Vector derivative = random.vector(40);
  Support candidates;
  CHECK_FALSE(screening.select(1.0, 0.0, {}, candidates));  // no reference yet
  Vector gradient(300);
  design.apply_transpose(derivative, gradient, 1);
  screening.take_reference(gradient, derivative.norm());
  CHECK_FALSE(screening.select(0.0, 0.0, {}, candidates));  // everything reaches zero
  CHECK_FALSE(screening.select(std::nan(""), 0.0, {}, candidates));
  CHECK_FALSE(screening.select(1e-9, 0.0, {}, candidates));  // nearly all columns
  CHECK_FALSE(screening.select(1.0, HUGE_VAL, {}, candidates));
  const double largest = gradient.cwiseAbs().maxCoeff();
  CHECK(screening.select(largest, 0.0, {}, candidates));
  CHECK(candidates.size() == 1);
  CHECK(screening.select(1.1 * largest, 0.0, {}, candidates));
  CHECK(candidates.empty());
  // Columns read since the reference add up to a full pass in the end.
  int answers = 0;
  while (answers < 1000 && screening.select(largest, 0.0, {}, candidates)) ++answers;
  CHECK(answers >= 250);
  CHECK(answers < 1000);
}

TEST_CASE("screening does not pay where a column costs as much as the matrix") {
  const Matrix A = Random(34).matrix(400, 300, 0.5);
  CHECK(Screen::pays(*CscStorage<double, std::int32_t>(A).design()));
  CHECK(Screen::pays(*ColumnMajorStorage<double>(A).design()));
  CHECK_FALSE(Screen::pays(*CsrStorage<double, std::int32_t>(A).design()));
}
