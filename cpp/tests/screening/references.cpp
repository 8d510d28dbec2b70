#include "regiht/screening/references.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "storage.hpp"

using namespace regiht;
using testing::Random;

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
