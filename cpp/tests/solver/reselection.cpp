#include "regiht/solver/portfolio/reselection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "models.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Columns that are alike: bumps of a common width, one beside the other.
struct Bumps {
  static constexpr Index rows = 24, cols = 12;

  explicit Bumps(std::uint64_t seed) : random(seed), A(rows, cols) {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) {
        const double apart = static_cast<double>(i) / rows - static_cast<double>(j) / cols;
        A(i, j) = std::exp(-30.0 * apart * apart);
      }
    A += 1e-3 * random.matrix(rows, cols, 1.0);
    target = A * random.vector(cols) + 0.05 * random.vector(rows);
    storage = std::make_unique<ColumnMajorStorage<double>>(A);
    f = std::make_unique<LeastSquares>(*storage->design(), target,
                                       least_squares_settings(0.0, true, nullptr));
  }

  /// Over all supports of this size.
  double minimum(Index sparsity) const {
    std::vector<bool> chosen(cols, false);
    std::fill(chosen.begin(), chosen.begin() + sparsity, true);
    double least = infinity;
    do {
      Support support;
      for (Index j = 0; j < cols; ++j)
        if (chosen[static_cast<std::size_t>(j)]) support.push_back(j);
      const Matrix selected = A(Eigen::all, support);
      const Vector rest = target - selected * selected.householderQr().solve(target);
      least = std::min(least, 0.5 * rest.squaredNorm());
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return least;
  }

  Random random;
  Matrix A;
  Vector target;
  std::unique_ptr<ColumnMajorStorage<double>> storage;
  std::unique_ptr<LeastSquares> f;
};

/// The first columns, swapped until no single swap gains, and then reselected.
struct Search {
  Search(Bumps& problem, Options given)
      : options(std::move(given)),
        phases(no_observer(), options, Bumps::cols),
        found(*problem.f, options, problem.f->move_to({}), phases) {
    Support first;
    for (Index j = 0; j < options.sparsity; ++j) first.push_back(j);
    found.add(restricted({}, united(first, options.keep)));
    found.polish(found.sorted().front(), SearchScope::everything);
    swapped = found.least();
    detail::add_reselections(*problem.f, options, phases, found);
  }

  Options options;
  PhaseObserver phases;
  CandidatePool found;
  double swapped = 0.0;
};

Options sparse(Index sparsity) {
  Options options;
  options.sparsity = sparsity;
  return options;
}

}  // namespace

TEST_CASE("reselection goes on where no single swap gains") {
  int stuck = 0, missed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Bumps problem(seed);
    const Search search(problem, sparse(5));
    const double least = problem.minimum(5) * (1.0 + 1e-6);
    CHECK(search.found.least() <= search.swapped);
    stuck += search.swapped > least ? 1 : 0;
    missed += search.found.least() > least ? 1 : 0;
  }
  CHECK(stuck >= 5);
  CHECK(missed <= stuck / 3);
}

TEST_CASE("reselection leaves kept entries in and needs no more than there are") {
  Bumps problem(3);
  Options options = sparse(4);
  options.keep = {0, 11};
  for (const Alternative& one : Search(problem, options).found.sorted()) {
    CHECK(one.x.size() == 4);
    CHECK(one.x.lists(0));
    CHECK(one.x.lists(11));
  }
  options.sparsity = 2;  // nothing may leave
  CHECK(Search(problem, options).found.sorted().size() == 1);
  CHECK(Search(problem, sparse(Bumps::cols)).found.sorted().front().x.size() == Bumps::cols);
}

TEST_CASE("reselection of positive entries comes to an end, and none is below zero") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Bumps problem(seed);
    Options options = sparse(5);
    options.positive = true;
    const Search search(problem, options);
    CHECK(search.found.least() <= search.swapped);
    for (const Alternative& one : search.found.sorted())
      for (const double value : one.x.values) CHECK(value > 0.0);
  }
}

TEST_CASE("what is spent beside f is told: more where columns depend on one another") {
  Bumps problem(1);
  problem.A.col(1) = problem.A.col(0);
  const ColumnMajorStorage<double> storage(problem.A);
  LeastSquares f(*storage.design(), problem.target, least_squares_settings(0.0, true, nullptr));
  const Options options = sparse(3);
  const auto work_of_refit = [&](const Support& support) {
    PhaseObserver phases(no_observer(), options, Bumps::cols);
    SparseVector x = restricted({}, support);
    RestrictedMinimizer{phases}(f, x);
    return phases.spent();
  };
  CHECK(work_of_refit({0, 6, 11}) >= cholesky_work(3));
  CHECK(work_of_refit({0, 1, 6}) > 10.0 * work_of_refit({0, 6, 11}));
}
