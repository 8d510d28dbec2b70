#include <cmath>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "compiled.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace regiht::library { namespace {

/// Converts a number to an integer option, or throws std::invalid_argument.
template <class Integer>
Integer whole(double value, const std::string& name) {
  // Beyond 2⁵³ a double does not identify a single integer.
  if (!(std::abs(value) <= 9007199254740992.0) || value != std::floor(value) ||
      (std::is_unsigned_v<Integer> && value < 0.0))
    throw std::invalid_argument(name + " must be a whole number" +
                                (std::is_unsigned_v<Integer> ? ", not negative" : ""));
  return static_cast<Integer>(value);
}

bool truth(double value, const std::string& name) {
  if (value != 0.0 && value != 1.0) throw std::invalid_argument(name + " must be 0 or 1");
  return value != 0.0;
}

/// Sets a numeric option; false if there is none of that name.
bool set_option(Options& options, const std::string& name, double value) {
  bool found = false;
  options.visit_fields([&](const char* field, auto& target) {
    if (name != field) return;
    using Field = std::remove_reference_t<decltype(target)>;
    found = true;
    if constexpr (std::is_same_v<Field, bool>)
      target = truth(value, name);
    else if constexpr (std::is_integral_v<Field>)
      target = whole<Field>(value, name);
    else if constexpr (std::is_same_v<Field, double> ||
                       std::is_same_v<Field, std::optional<double>>)
      target = value;
    else
      throw std::invalid_argument(name +
                                  " is not a number; see the functions regiht_problem_set_*");
  });
  return found;
}

/// The part of a problem that a setting is for.
LinearProblem& linear_part(regiht_problem& problem, const std::string& name) {
  if (!problem.linear)
    throw std::invalid_argument(name + " is for linear models, not for an objective of your own");
  return *problem.linear;
}

void set(regiht_problem& problem, const std::string& name, double value) {
  if (std::isnan(value)) throw std::invalid_argument(name + " must be a number");
  if (name == "sparsity") throw std::invalid_argument("sparsity is an argument of regiht_solve");
  if (name == "history")
    throw std::invalid_argument("history cannot be read here; give regiht_solve an observer");
  if (name == "ridge")
    linear_part(problem, name).settings.ridge = value;
  else if (name == "intercept")
    linear_part(problem, name).settings.intercept = truth(value, name);
  else if (name == "screening")
    linear_part(problem, name).settings.screening = truth(value, name);
  else if (name == "threads") {
    ModelSettings& settings = linear_part(problem, name).settings;
    require(value >= 1.0 && value <= 4096.0, "threads must be between 1 and 4096");
    settings.threads = static_cast<int>(whole<std::int64_t>(value, name));
  } else if (name == "time_limit") {
    require(value > 0.0, "time_limit must be positive");
    problem.time_limit = value;
  } else if (!set_option(problem.options, name, value))
    throw std::invalid_argument("there is no setting \"" + name + "\"");
}

void require_finite(const double* values, Index count, const char* text) {
  for (Index i = 0; i < count; ++i) require(std::isfinite(values[i]), text);
}

Support listed(const int64_t* columns, std::int64_t count, Index cols) {
  require(count >= 0 && (columns != nullptr || count == 0), "columns must not be NULL");
  Support support;
  for (std::int64_t k = 0; k < count; ++k) {
    require(columns[k] >= 0 && columns[k] < cols && (k == 0 || columns[k] > columns[k - 1]),
            "columns must ascend, each below the number of columns");
    support.push_back(static_cast<Index>(columns[k]));
  }
  return support;
}

/// Groups from arbitrary numbers, renumbered in the order of their first columns.
std::shared_ptr<const Groups> numbered(const int64_t* group_of_column, Index cols) {
  std::map<std::int64_t, Index> numbers;
  std::vector<Index> of;
  for (Index j = 0; j < cols; ++j)
    of.push_back(
        numbers.emplace(group_of_column[j], static_cast<Index>(numbers.size())).first->second);
  return std::make_shared<const Groups>(std::move(of));
}

}}  // namespace regiht::library

using namespace regiht::library;

regiht_problem* regiht_problem_new(const regiht_design* design, const char* loss,
                                   const double* targets) {
  return guarded<>(static_cast<regiht_problem*>(nullptr), [&] {
    require(design && loss && targets, "design, loss and targets must not be NULL");
    const regiht::Index rows = design->matrix->rows();
    require_finite(targets, rows, "targets must be finite");
    LinearProblem linear{
        *design, loss_named(loss), Eigen::Map<const regiht::Vector>(targets, rows), {}, {}};
    regiht::check_samples(*design->matrix, linear.loss->targets(), linear.targets, nullptr, 0.0);
    auto problem = std::make_unique<regiht_problem>();
    problem->dimension = design->matrix->cols();
    problem->linear = std::move(linear);
    return problem.release();
  });
}

int regiht_problem_set(regiht_problem* problem, const char* name, double value) {
  return guarded([&] {
    require(problem && name, "problem and name must not be NULL");
    set(*problem, name, value);
  });
}

int regiht_problem_set_sample_weights(regiht_problem* problem, const double* weights) {
  return guarded([&] {
    require(problem != nullptr, "problem must not be NULL");
    LinearProblem& linear = linear_part(*problem, "sample_weights");
    const regiht::Index rows = linear.targets.size();
    if (weights) require_finite(weights, rows, "sample weights must be finite");
    regiht::check_samples(*linear.design.matrix, linear.loss->targets(), linear.targets, weights,
                          0.0);
    if (weights)
      linear.sample_weights.assign(weights, weights + rows);
    else
      linear.sample_weights.clear();
  });
}

int regiht_problem_set_keep(regiht_problem* problem, const int64_t* columns, int64_t count) {
  return guarded([&] {
    require(problem != nullptr, "problem must not be NULL");
    problem->options.keep = listed(columns, count, problem->dimension);
  });
}

int regiht_problem_set_start(regiht_problem* problem, const int64_t* columns, const double* values,
                             int64_t count) {
  return guarded([&] {
    require(problem != nullptr, "problem must not be NULL");
    regiht::SparseVector start;
    start.indices = listed(columns, count, problem->dimension);
    require(values != nullptr || count == 0, "values must not be NULL");
    require_finite(values, static_cast<regiht::Index>(count), "values must be finite");
    start.values.assign(values, values + count);
    problem->options.x0 = std::move(start);
  });
}

int regiht_problem_set_groups(regiht_problem* problem, const int64_t* group_of_column) {
  return guarded([&] {
    require(problem != nullptr, "problem must not be NULL");
    problem->options.groups =
        group_of_column ? numbered(group_of_column, problem->dimension) : nullptr;
  });
}

void regiht_problem_free(regiht_problem* problem) { delete problem; }
