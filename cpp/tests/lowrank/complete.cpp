#include "regiht/lowrank/complete.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "lowrank/random_block.hpp"

using namespace regiht;
using namespace regiht::lowrank;
using namespace regiht::testing;

namespace {

/// The entries of a matrix for which seen(i, j), and the same as a dense matrix of weights.
struct Seen {
  std::vector<std::int32_t> row_of, col_of;
  std::vector<double> values, weights;
  Block matrix, mask;

  template <class Rule>
  Seen(const Block& whole, Rule&& seen)
      : matrix(whole), mask(Block::Zero(whole.rows(), whole.cols())) {
    for (Index j = 0; j < whole.cols(); ++j)
      for (Index i = 0; i < whole.rows(); ++i) {
        if (!seen(i, j)) continue;
        row_of.push_back(static_cast<std::int32_t>(i));
        col_of.push_back(static_cast<std::int32_t>(j));
        values.push_back(whole(i, j));
        weights.push_back(0.5 + 0.25 * static_cast<double>((i + j) % 3));
        mask(i, j) = weights.back();
      }
  }

  EntryArrays<std::int32_t> arrays(bool weighted) const {
    return {matrix.rows(), matrix.cols(), static_cast<Index>(values.size()),  row_of.data(),
            col_of.data(), values.data(), weighted ? weights.data() : nullptr};
  }

  /// Of the weighted squares and the ridge, at a dense matrix.
  Block gradient(const Block& A, double ridge) const {
    return mask.cwiseProduct(A - matrix) + ridge * A;
  }
  double value(const Block& A, double ridge) const {
    return 0.5 * mask.cwiseProduct((A - matrix).cwiseAbs2()).sum() + 0.5 * ridge * A.squaredNorm();
  }
};

bool two_of_three(Index i, Index j) { return (i * i + 2 * j + i * j) % 3 != 0; }

Seen noisy_entries() {
  FixedRandom random;
  const Block left = random_block(30, 2, random), right = random_block(22, 2, random);
  return {left * right.transpose() + 0.1 * random_block(30, 22, random), two_of_three};
}

CompletionOptions of_rank(Index rank) {
  CompletionOptions options;
  options.rank = rank;
  return options;
}

}  // namespace

TEST_CASE("a matrix of that rank is found from part of its entries") {
  FixedRandom random;
  const Block left = random_block(30, 2, random), right = random_block(22, 2, random);
  const Seen seen(left * right.transpose(), two_of_three);
  CompletionOptions options = of_rank(2);
  options.max_sweeps = 1000;
  const CompletionResult found = complete(seen.arrays(false), options);
  CHECK(found.status == Status::converged);
  CHECK((found.left * found.right.transpose() - seen.matrix).norm() <= 1e-9 * seen.matrix.norm());
}

TEST_CASE("of all entries the best matrix is the truncated decomposition, shrunk by the ridge") {
  FixedRandom random;
  const Seen seen(random_block(12, 9, random), [](Index, Index) { return true; });
  for (const double ridge : {0.0, 0.5}) {
    CompletionOptions options = of_rank(3);
    options.ridge = ridge;
    options.max_sweeps = 2000;
    options.tol = 1e-15;
    const CompletionResult found = complete(seen.arrays(false), options);
    const SingularTriplets exact = truncate_rank(seen.matrix, 3);
    const Block best = exact.U * exact.s.asDiagonal() * exact.V.transpose() / (1.0 + ridge);
    CHECK((found.left * found.right.transpose() - best).norm() <= 1e-6 * best.norm());
    const double least =
        0.5 * (best - seen.matrix).squaredNorm() + 0.5 * ridge * best.squaredNorm();
    CHECK(found.value == doctest::Approx(least).epsilon(1e-12));
  }
}

TEST_CASE("the factor that was refitted last leaves no slope, and in the end neither does") {
  const Seen seen = noisy_entries();
  CompletionOptions options = of_rank(3);
  options.ridge = 0.05;
  for (const Index sweeps : {1, 3, 5000}) {
    options.max_sweeps = sweeps;
    options.tol = sweeps == 5000 ? 1e-15 : 0.0;
    const CompletionResult found = complete(seen.arrays(true), options);
    const Block A = found.left * found.right.transpose();
    const Block slope = seen.gradient(A, options.ridge);
    CHECK((thin_qr(found.left, 1).Q.transpose() * slope).norm() <= 1e-9);
    CHECK((found.right.transpose() * found.right - Block::Identity(3, 3)).norm() <= 1e-13);
    CHECK(found.value == doctest::Approx(seen.value(A, options.ridge)).epsilon(1e-12));
    if (sweeps == 5000) {
      CHECK(found.status == Status::converged);
      CHECK((slope * found.right).norm() <= 1e-5);
    } else {
      CHECK(found.status == Status::completed);
      CHECK(found.sweeps == sweeps);
    }
  }
}

TEST_CASE("more sweeps never make a completion worse, and threads change no bit of it") {
  const Seen seen = noisy_entries();
  CompletionOptions options = of_rank(4);
  options.tol = 0.0;
  double before = std::numeric_limits<double>::infinity();
  for (Index sweeps = 1; sweeps <= 8; ++sweeps) {
    options.max_sweeps = sweeps;
    options.threads = 1;
    const CompletionResult one = complete(seen.arrays(true), options);
    CHECK(one.value <= before);
    before = one.value;
    options.threads = 3;
    const CompletionResult three = complete(seen.arrays(true), options);
    CHECK(one.left == three.left);
    CHECK(one.right == three.right);
    CHECK(one.value == three.value);
  }
}

TEST_CASE("rows and columns that were not seen are zero, and so is a matrix of zeros") {
  const Seen seen(Block::Ones(6, 5), [](Index i, Index j) { return i != 2 && j != 4; });
  const CompletionResult found = complete(seen.arrays(false), of_rank(2));
  const Block A = found.left * found.right.transpose();
  CHECK(A.row(2).norm() <= 1e-12);
  CHECK(A.col(4).norm() <= 1e-12);
  CHECK(A(0, 0) == doctest::Approx(1.0));
  const Seen zeros(Block::Zero(4, 3), two_of_three);
  CHECK(complete(zeros.arrays(false), of_rank(1)).value == 0.0);
}

TEST_CASE("values whose squares leave the finite numbers are called diverged") {
  const Seen seen(1e200 * Block::Ones(4, 3) + 1e199 * Block::Identity(4, 3), two_of_three);
  CHECK(complete(seen.arrays(false), of_rank(1)).status == Status::diverged);
}

TEST_CASE("what a completion cannot be made of is refused by name") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [](auto&& change) {
    Seen seen = noisy_entries();
    EntryArrays<std::int32_t> arrays = seen.arrays(true);
    CompletionOptions options;
    change(seen, arrays, options);
    try {
      complete(arrays, options);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refused([](Seen& s, auto&, auto&) { s.row_of[7] = 30; }) ==
        "row_of[7] is not a row of the matrix");
  CHECK(refused([](Seen& s, auto&, auto&) { s.col_of[3] = -1; }) ==
        "col_of[3] is not a column of the matrix");
  CHECK(refused([&](Seen& s, auto&, auto&) { s.values[0] = nan; }) == "values[0] is not finite");
  CHECK(refused([](Seen& s, auto&, auto&) { s.weights[1] = -1.0; }) ==
        "weights[1] is negative or not finite");
  CHECK(refused([](Seen&, auto& a, auto&) { a.count = 0; }) == "at least one entry is needed");
  CHECK(refused([](Seen&, auto& a, auto&) { a.rows = 0; }) == "rows and cols must be at least 1");
  CHECK(refused([](Seen&, auto&, auto& o) { o.rank = 23; }) ==
        "rank must be at least 1 and at most rows and cols");
  CHECK(refused([&](Seen&, auto&, auto& o) { o.ridge = nan; }) ==
        "ridge must be finite and not negative");
  CHECK(refused([](Seen&, auto&, auto& o) { o.max_sweeps = 0; }) ==
        "max_sweeps must be at least 1");
  CHECK(refused([&](Seen&, auto&, auto& o) { o.tol = nan; }) == "tol must not be negative");
  CHECK(refused([](Seen&, auto&, auto& o) { o.threads = 0; }) == "threads must be at least 1");
}

TEST_CASE("what poll throws ends a completion") {
  const Seen seen = noisy_entries();
  CompletionOptions options = of_rank(2);
  int calls = 0;
  options.tol = 0.0;
  options.poll = [&calls] {
    if (++calls == 20) throw std::runtime_error("enough");
  };
  CHECK_THROWS_WITH(complete(seen.arrays(false), options), "enough");
}
