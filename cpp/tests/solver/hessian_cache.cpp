#include "regiht/solver/refit/hessian_cache.hpp"

#include <doctest/doctest.h>

#include "models.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/refit/newton.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Logistic regression on standardized sparse columns.
struct Classification {
  explicit Classification(std::uint64_t seed)
      : random(seed), storage(random.matrix(80, 12, 0.4)), loss(make_loss("logistic")) {
    target = Vector::NullaryExpr(80, [&](Index) { return random.number() > 0.0 ? 1.0 : 0.0; });
    design = standardize(storage.design(), true, true);
    f = std::make_unique<LinearModel>(*design, *loss, target, model_settings(0.1, nullptr, true));
  }

  Random random;
  CscStorage<double, std::int32_t> storage;
  std::shared_ptr<const Loss> loss;
  Vector target;
  std::shared_ptr<const Design> design;
  std::unique_ptr<LinearModel> f;
};

}  // namespace

TEST_CASE("what is adapted at one point is what is evaluated there") {
  Classification problem(90);
  problem.f->move_to(problem.random.sparse_vector(12, 6));
  HessianCache adapted, evaluated;
  adapted.evaluate(*problem.f, {1, 3, 4, 8});
  for (const Support& support : {Support{1, 3, 4, 6, 8}, Support{3, 6}, Support{0, 3, 5, 6},
                                 Support{0, 3, 5, 6}, Support{0, 3, 5, 7, 11}}) {
    REQUIRE(adapted.adapt(*problem.f, support));
    evaluated.evaluate(*problem.f, support);
    CHECK((adapted.values() - evaluated.values()).cwiseAbs().maxCoeff() <= 1e-13);
  }
}

TEST_CASE("a support that is mostly new is not adapted to") {
  Classification problem(91);
  problem.f->move_to({});
  HessianCache hessian;
  CHECK_FALSE(hessian.adapt(*problem.f, {0, 1}));
  hessian.evaluate(*problem.f, {0, 1});
  CHECK_FALSE(hessian.adapt(*problem.f, {0, 2, 3}));
  CHECK(hessian.values().rows() == 2);
}

TEST_CASE("a refit with second derivatives of other points ends at the same minimum") {
  Classification problem(92);
  RestrictedMinimizer minimize;
  for (const Support& support :
       {Support{2}, Support{2, 5}, Support{2, 5, 7}, Support{2, 7, 9}, Support{2, 7, 9, 10}}) {
    SparseVector reused = restricted({}, support), fresh = reused;
    const double value =
        minimize(*problem.f, reused, {1e-14, std::numeric_limits<double>::infinity(), true}).value;
    CHECK(value == doctest::Approx(RestrictedMinimizer()(*problem.f, fresh).value).epsilon(1e-13));
  }
}

TEST_CASE("points that list different zeros are one, and have one value") {
  const SparseVector few{{1, 4}, {0.5, -1.0}}, more{{0, 1, 4, 7}, {0.0, 0.5, -1.0, 0.0}};
  CHECK(same_but_for_zeros(few, more));
  CHECK(same_but_for_zeros(more, few));
  CHECK(same_but_for_zeros({}, {}));
  CHECK_FALSE(same_but_for_zeros(few, {{1, 4}, {0.5, 1.0}}));
  CHECK_FALSE(same_but_for_zeros(few, {{1, 5}, {0.5, -1.0}}));
  CHECK_FALSE(same_but_for_zeros(few, {{1}, {0.5}}));
  Classification problem(93), other(93);
  const double value = problem.f->move_to(few);
  CHECK(problem.f->move_to(more) == value);
  Vector gradient(4), expected(4);
  problem.f->gradient_on_support(gradient);
  other.f->move_to(more);
  other.f->gradient_on_support(expected);
  CHECK((gradient - expected).cwiseAbs().maxCoeff() <= 1e-14);
}
