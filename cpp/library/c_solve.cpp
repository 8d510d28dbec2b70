#include <string>

#include "compiled.hpp"
#include "errors.hpp"
#include "handles.hpp"
#include "regiht/observer.hpp"

namespace regiht::library { namespace {

/// Calls the caller's function, and ends a solve when that or the time limit asks for it.
class CallingObserver final : public Observer {
 public:
  CallingObserver(double time_limit, regiht_observer function, void* context)
      : limit_(time_limit), function_(function), context_(context) {}

  std::optional<Status> observe(const Iteration& iteration) override {
    number_ = iteration.number;
    value_ = iteration.value;
    if (const auto status = limit_.observe(iteration)) return status;
    return ask();
  }

  std::optional<Status> interruption() override {
    if (const auto status = limit_.interruption()) return status;
    return ask();
  }

 private:
  std::optional<Status> ask() {
    // Once asked to stop, keep saying so.
    if (!stopped_ && function_) stopped_ = function_(number_, value_, context_) != 0;
    if (stopped_) return Status::stopped;
    return std::nullopt;
  }

  TimeLimit limit_;
  regiht_observer function_;
  void* context_;
  Index number_ = 0;
  double value_ = std::numeric_limits<double>::quiet_NaN();
  bool stopped_ = false;
};

/// A start in the scale of the standardized columns; a column without variance has no coefficient.
SparseVector rescaled(const SparseVector& start, const StandardizedDesign& design) {
  SparseVector scaled;
  for (std::size_t k = 0; k < start.indices.size(); ++k) {
    const double factor = design.factors()[start.indices[k]];
    if (factor != 0.0) scaled.append(start.indices[k], start.values[k] / factor);
  }
  return scaled;
}

/// Converts the model to the scale of the original matrix.
void unscale(const StandardizedDesign* design, regiht_result& result) {
  result.intercept = result.found.intercept;
  result.columns.assign(result.found.x.indices.begin(), result.found.x.indices.end());
  result.coefficients = result.found.x.values;
  if (!design) return;
  for (std::size_t k = 0; k < result.columns.size(); ++k) {
    const Index column = result.found.x.indices[k];
    result.coefficients[k] *= design->factors()[column];
    result.intercept -= design->means()[column] * result.coefficients[k];
  }
}

std::unique_ptr<Objective> linear_objective(const LinearProblem& problem) {
  ModelSettings settings = problem.settings;
  if (!problem.sample_weights.empty()) settings.sample_weights = problem.sample_weights.data();
  return objective_factory(problem.design.design(), *problem.loss, problem.targets,
                           *problem.design.cache, settings)();
}

regiht_result* solve_problem(const regiht_problem& problem, const char* method, std::int64_t s,
                             regiht_observer function, void* context) {
  Options options = problem.options;
  options.sparsity = static_cast<Index>(s);
  const StandardizedDesign* standardized =
      problem.linear ? problem.linear->design.standardized.get() : nullptr;
  if (standardized) options.x0 = rescaled(options.x0, *standardized);
  const auto objective = problem.linear ? linear_objective(*problem.linear) : problem.own();
  CallingObserver observer(problem.time_limit, function, context);
  auto result = std::make_unique<regiht_result>();
  result->found = solve_with(method_named(method), *objective, options, observer);
  unscale(standardized, *result);
  return result.release();
}

}}  // namespace regiht::library

using namespace regiht::library;

regiht_result* regiht_solve(const regiht_problem* problem, const char* method, int64_t s,
                            regiht_observer observer, void* context) {
  return guarded<>(static_cast<regiht_result*>(nullptr), [&] {
    require(problem && method, "problem and method must not be NULL");
    return solve_problem(*problem, method, s, observer, context);
  });
}

int64_t regiht_result_count(const regiht_result* result) {
  return static_cast<int64_t>(result->columns.size());
}

const int64_t* regiht_result_columns(const regiht_result* result) { return result->columns.data(); }

const double* regiht_result_coefficients(const regiht_result* result) {
  return result->coefficients.data();
}

double regiht_result_intercept(const regiht_result* result) { return result->intercept; }

double regiht_result_value(const regiht_result* result) { return result->found.value; }

int64_t regiht_result_iterations(const regiht_result* result) { return result->found.iterations; }

const char* regiht_result_status(const regiht_result* result) {
  return regiht::describe(result->found.status).name.data();
}

const char* regiht_result_message(const regiht_result* result) {
  return regiht::describe(result->found.status).message.data();
}

int regiht_result_success(const regiht_result* result) {
  return regiht::describe(result->found.status).success ? 1 : 0;
}

int regiht_result_swap_optimal(const regiht_result* result) {
  return result->found.swap_optimal ? static_cast<int>(*result->found.swap_optimal) : -1;
}

int regiht_predict(const regiht_result* result, const regiht_design* design, double* predictions) {
  return guarded([&] {
    require(result && design && predictions, "result, design and predictions must not be NULL");
    const regiht::Index cols = design->matrix->cols();
    require(result->columns.empty() || result->columns.back() < cols,
            "the design has too few columns for this model");
    const regiht::SparseVector x{{result->columns.begin(), result->columns.end()},
                                 result->coefficients};
    Eigen::Map<regiht::Vector> out(predictions, design->matrix->rows());
    design->matrix->apply(x, result->intercept, out, 1);
  });
}

void regiht_result_free(regiht_result* result) { delete result; }
