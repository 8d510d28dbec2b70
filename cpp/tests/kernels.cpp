#include "regiht/kernels.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace regiht;

TEST_CASE("entries that reach a magnitude are counted, those at it and NaN included") {
  for (Index n = 0; n <= 20; ++n) {
    Vector v = Vector::Zero(n);
    CHECK(kernels::count_reaching(n, v.data(), 1.0) == 0.0);
    CHECK(kernels::count_reaching(n, v.data(), 0.0) == static_cast<double>(n));
    for (Index j = 0; j < n; ++j) {
      for (const double large : {1.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
        for (const double small : {0.0, -std::nextafter(1.0, 0.0)}) {
          v.setConstant(small);
          v[j] = large;
          CHECK(kernels::count_reaching(n, v.data(), 1.0) == 1.0);
        }
    }
  }
}
