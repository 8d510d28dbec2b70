#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "models.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/solve.hpp"
#include "storage.hpp"

using namespace regiht;
using namespace regiht::testing;

namespace {

/// Lets so many questions pass, and then wants no more.
class Countdown final : public Observer {
 public:
  explicit Countdown(Index questions) : left_(questions) {}

  std::optional<Status> observe(const Iteration&) override {
    return is_over() ? std::optional(Status::time_limit) : std::nullopt;
  }
  std::optional<Status> interruption() override {
    if (left_ > 0) --left_;
    return is_over() ? std::optional(Status::time_limit) : std::nullopt;
  }

  bool is_over() const { return left_ == 0; }

 private:
  Index left_;
};

/// A model that counts what is asked of it when it should be over.
class Watched final : public Objective {
 public:
  Watched(Objective& f, const Countdown& countdown) : f_(f), countdown_(countdown) {}

  Index late_hessians = 0, late_moves = 0;

  Index dimension() const override { return f_.dimension(); }
  // As if of very many rows, so that second derivatives are evaluated in blocks.
  double size() const override { return 1e9; }
  double move_to(const SparseVector& x) override {
    if (countdown_.is_over()) ++late_moves;
    return f_.move_to(x);
  }
  const SparseVector& point() const override { return f_.point(); }
  void gradient_on_support(VectorView out) override { f_.gradient_on_support(out); }
  void gradient_off_support(double magnitude, SparseVector& entries) override {
    f_.gradient_off_support(magnitude, entries);
  }
  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    if (countdown_.is_over()) ++late_hessians;
    f_.second_derivatives(rows, columns, out);
  }
  void curvatures(const Support& columns, VectorView out) override { f_.curvatures(columns, out); }
  void approximate_curvatures(VectorView out) override { f_.approximate_curvatures(out); }
  double gradients_spent() const override { return f_.gradients_spent(); }

 private:
  Objective& f_;
  const Countdown& countdown_;
};

struct DenseClassification {
  DenseClassification() : random(7), A(random.matrix(120, 90, 1.0)), storage(A) {
    target = (A.leftCols(6).rowwise().sum() + random.vector(120)).unaryExpr([](double z) {
      return z > 0.0 ? 1.0 : 0.0;
    });
    loss = make_loss("logistic");
    f = std::make_unique<LinearModel>(*storage.design(), *loss, target,
                                      model_settings(0.1, nullptr, true));
  }

  Random random;
  Matrix A;
  ColumnMajorStorage<double> storage;
  Vector target;
  std::shared_ptr<const Loss> loss;
  std::unique_ptr<LinearModel> f;
};

/// Whether a swap gains something.
bool can_swap(DenseClassification& problem, const Result& result) {
  SparseVector x = result.x;
  double value = result.value;
  Options options;
  options.sparsity = x.size();
  SwapSearch search(*problem.f, options, 0.0, SearchScope::singles);
  search(x, value, [](const SparseVector&, double) { return false; });
  return x.indices != result.x.indices;
}

}  // namespace

TEST_CASE("second derivatives in blocks are second derivatives") {
  DenseClassification problem;
  Countdown endless(-1);
  Watched f(*problem.f, endless);
  f.move_to(problem.random.sparse_vector(90, 4));
  Support many;
  for (Index j = 0; j < 90; j += 1) many.push_back(j);
  const Support few(many.begin(), many.begin() + 7);
  Matrix expected, blocks;
  for (const Support& rows : {many, few}) {
    problem.f->second_derivatives(rows, many, expected);
    REQUIRE(columns_at_once(f, 90) < 90);
    REQUIRE(evaluate_blocks(f, rows, many, blocks, endless));
    CHECK((blocks - expected).cwiseAbs().maxCoeff() <= 1e-12);
  }
}

TEST_CASE("whatever a solve is about when its time is over, it ends there with what it has") {
  DenseClassification problem;
  for (const Method& method : all_methods)
    for (const bool after : {false, true})
      for (const Index questions : {1, 2, 3, 5, 8, 21, 55, 144}) {
        CAPTURE(std::string(method.name));
        CAPTURE(questions);
        Countdown countdown(questions);
        Watched f(*problem.f, countdown);
        Options options;
        options.sparsity = 40;
        options.max_iter = 30;
        options.refit = options.swap = after;
        const Result result = solve(f, method, options, countdown);
        CHECK(result.x.size() <= 40);
        CHECK(std::count(result.x.values.begin(), result.x.values.end(), 0.0) == 0);
        CHECK(result.value == doctest::Approx(problem.f->move_to(result.x)).epsilon(1e-12));
        CHECK(result.value <= problem.f->move_to({}) * (1.0 + 1e-12));
        if (!countdown.is_over()) continue;
        CHECK(result.status == Status::time_limit);
        if (result.swap_optimal.value_or(false)) CHECK_FALSE(can_swap(problem, result));
        CHECK(f.late_hessians == 0);
        CHECK(f.late_moves <= 100);
      }
}
