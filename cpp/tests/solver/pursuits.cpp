#include <doctest/doctest.h>

#include <vector>

#include "dense_squares.hpp"
#include "quadratic.hpp"
#include "regiht/projection/largest_entries.hpp"
#include "regiht/solver/methods/arht.hpp"
#include "regiht/solver/methods/cosamp.hpp"
#include "regiht/solver/methods/htp.hpp"
#include "regiht/solver/methods/omp.hpp"
#include "regiht/solver/methods/ompr.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

using Solve = Result (*)(Objective&, const Options&, Observer&);
const std::vector<Solve> pursuits = {&omp, &ompr, &cosamp, &htp};

Matrix orthonormal(unsigned seed, Index rows, Index cols) {
  return random_matrix(seed, rows, cols).householderQr().householderQ() *
         Matrix::Identity(rows, cols);
}

}  // namespace

TEST_CASE("of orthonormal columns every pursuit finds the largest products") {
  for (unsigned seed = 1; seed < 9; ++seed) {
    const Matrix A = orthonormal(seed, 16, 10);
    const Vector y = Vector::Random(16), products = A.transpose() * y;
    for (const bool positive : {false, true})
      for (const Support& keep : {Support{}, Support{3}})
        for (const Solve solve : pursuits) {
          DenseSquares f(A, y);
          Options options;
          options.sparsity = 3;
          options.positive = positive;
          options.keep = keep;
          // Which are right by chance only; omp takes nothing back.
          if (solve != &omp) options.x0 = {{0, 9}, {0.1, 0.1}};
          SilentObserver silent;
          const Result result = solve(f, options, silent);
          SparseVector expected;
          for (Index j = 0; j < 10; ++j) expected.append(j, products[j]);
          LargestEntries(3, keep, positive).apply(expected);
          CHECK(result.x.indices == expected.indices);
          CHECK((result.x.dense(10) - expected.dense(10)).norm() <= 1e-12);
        }
  }
}

TEST_CASE("every pursuit ends at the minimum on its support, and values fall on the way") {
  for (unsigned seed = 1; seed < 13; ++seed)
    for (const Solve solve : pursuits) {
      DenseSquares f = coherent_squares(seed, 24, 14);
      Options options;
      options.sparsity = 4;
      options.keep = {5};
      Recorder recorder;
      const Result result = solve(f, options, recorder);
      CHECK(result.x.size() == 4);
      CHECK(result.x.lists(5));
      CHECK(f.largest_slope(result.x) <= 1e-10);
      for (std::size_t t = 1; t < recorder.values.size(); ++t)
        CHECK(recorder.values[t] < recorder.values[t - 1]);
    }
}

TEST_CASE("arht comes down to a value that can be reached, and answers with its best") {
  for (unsigned seed = 1; seed < 9; ++seed) {
    const Matrix A = orthonormal(seed, 24, 14);
    DenseSquares planted(A, A.col(2) - 2.0 * A.col(7) + 3.0 * A.col(11));
    Options options;
    options.sparsity = 3;
    options.target_value = 0.0;
    options.x0 = {{0, 1, 2}, {1.0, 1.0, 1.0}};
    SilentObserver silent;
    CHECK(arht(planted, options, silent).x.indices == Support{2, 7, 11});
    options.x0 = {};

    DenseSquares f = coherent_squares(seed, 24, 14);
    Recorder recorder;
    const Result result = arht(f, options, recorder);
    CHECK(result.x.size() == 3);
    CHECK(f.largest_slope(result.x) <= 1e-10);
    // The last iterate is not looked at any more.
    for (std::size_t t = 0; t + 1 < recorder.values.size(); ++t)
      CHECK(result.value <= recorder.values[t] * (1.0 + 1e-12));
  }
}
