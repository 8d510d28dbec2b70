#include "regiht/kernels/vector.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "regiht/kernels/list_large.hpp"

using namespace regiht;

TEST_CASE("the largest magnitude is found wherever it stands") {
  CHECK(kernels::largest_magnitude(0, nullptr) == 0.0);
  for (Index n = 1; n <= 20; ++n)
    for (Index j = 0; j < n; ++j) {
      Vector v = Vector::LinSpaced(n, -0.5, 0.5);
      v[j] = j % 2 == 0 ? -3.0 : 2.0;
      CHECK(kernels::largest_magnitude(n, v.data()) == std::abs(v[j]));
    }
}

TEST_CASE("sums and products of whole numbers are exact, whatever the length") {
  for (Index n = 0; n <= 40; ++n) {
    // Neither the numbers nor their sums need more than 53 bits, so that no order matters.
    const Vector a = Vector::NullaryExpr(n, [](Index i) { return static_cast<double>(i + 1); });
    const Vector v = Vector::NullaryExpr(n, [](Index i) { return static_cast<double>(i * i - 7); });
    const Eigen::VectorXf narrow = a.cast<float>();
    double sum = 0.0, product = 0.0, squares = 0.0;
    for (Index i = 0; i < n; ++i) {
      sum += v[i];
      product += a[i] * v[i];
      squares += v[i] * v[i];
    }
    CHECK(kernels::sum(n, v.data()) == sum);
    CHECK(kernels::dot(n, a.data(), v.data()) == product);
    CHECK(kernels::dot(n, narrow.data(), v.data()) == product);
    CHECK(kernels::squared_norm(n, v.data()) == squares);
  }
}

TEST_CASE("entries are gathered from their rows and scattered to them") {
  for (Index n = 0; n <= 13; ++n) {
    std::vector<int> rows;
    for (Index i = 0; i < n; ++i) rows.push_back(static_cast<int>(3 * i + i % 2));
    const Vector values = Vector::LinSpaced(n, 1.0, static_cast<double>(n));
    const Vector v = Vector::NullaryExpr(40, [](Index i) { return static_cast<double>(i * i); });
    Vector out = v, expected = v;
    double product = 0.0;
    for (Index i = 0; i < n; ++i) {
      const Index row = rows[static_cast<std::size_t>(i)];
      product += values[i] * v[row];
      expected[row] += 2.0 * values[i];
    }
    CHECK(kernels::gathered_dot(n, values.data(), rows.data(), v.data()) == product);
    kernels::scatter_scaled(n, 2.0, values.data(), rows.data(), out.data());
    CHECK(out == expected);
  }
}

TEST_CASE("scaled columns are added one after the other") {
  for (Index columns = 0; columns <= 9; ++columns) {
    const Matrix a = Matrix::Random(13, columns);
    const Vector factors = Vector::Random(columns);
    Vector out = Vector::Random(13), expected = out;
    std::vector<const double*> starts;
    for (Index k = 0; k < columns; ++k) {
      starts.push_back(a.col(k).data());
      for (Index i = 0; i < 13; ++i) expected[i] += factors[k] * a(i, k);
    }
    kernels::add_scaled_columns(columns, 13, factors.data(), starts.data(), out.data());
    CHECK(out == expected);
  }
}

TEST_CASE("entries that reach a magnitude are listed, those at it and NaN included") {
  for (Index n = 0; n <= 40; ++n) {
    Vector v = Vector::Zero(n);
    Support listed(static_cast<std::size_t>(n));
    CHECK(list_large(n, v.data(), 1.0, listed.data()) == 0);
    CHECK(list_large(n, v.data(), 0.0, listed.data()) == n);
    for (Index j = 0; j < n; ++j) {
      for (const double large : {1.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
        for (const double small : {0.0, -std::nextafter(1.0, 0.0)}) {
          v.setConstant(small);
          v[j] = large;
          CHECK(list_large(n, v.data(), 1.0, listed.data()) == 1);
          CHECK(listed[0] == j);
        }
    }
  }
}
