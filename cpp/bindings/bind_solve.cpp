#include <limits>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "gil.hpp"
#include "library/compiled.hpp"
#include "python_objective.hpp"
#include "python_observer.hpp"
#include "regiht/solver/run/jobs.hpp"
#include "solve_result.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

double limit_of(std::optional<double> time_limit) {
  return time_limit.value_or(std::numeric_limits<double>::infinity());
}

/// Whether a solve is too short to release the GIL for: handing it over and waiting for it again
/// takes some 50 µs, so threads with such solves would slow each other down.
bool is_brief(const Design& design, const Loss& loss, const Method& method,
              const Options& options) {
  constexpr double brief = 2e5;  // multiplications
  if (options.swap) return false;
  const double cols = static_cast<double>(design.cols()), full = design.full_cost();
  // A pass over the matrix for every iteration if nothing is screened, and for every column whose
  // inner products are needed.
  if (method.makes_all_iterations)
    return (static_cast<double>(options.max_iter) + cols) * full <= brief;
  // Entries join one by one, each with a gradient and a refit of a few steps.
  if (method.is_nested) {
    const double s = static_cast<double>(options.sparsity);
    const double steps = loss.is_quadratic() ? 1.0 : 20.0;
    return (s + cols) * full + s * steps * static_cast<double>(design.rows()) * s * s <= brief;
  }
  return false;
}

/// The arguments that describe the model; arrays are borrowed.
struct LinearProblem {
  const DesignHandle& handle;
  std::shared_ptr<const Loss> loss;
  ModelSettings settings;

  LinearProblem(const DesignHandle& design, const std::string& loss_name, double ridge,
                const std::optional<DoubleArray>& sample_weight, bool screening, int threads,
                bool intercept)
      : handle(design),
        loss(library::loss_named(loss_name)),
        settings{ridge, sample_weight ? sample_weight->data() : nullptr, screening, threads,
                 intercept} {
    if (sample_weight) check_rows(sample_weight->size());
  }

  void check_rows(py::ssize_t size) const {
    if (size != handle.design->rows())
      throw std::invalid_argument("targets and sample weights need one entry for every row");
  }

  library::MakeObjective factory(ConstVectorView target) const {
    return library::objective_factory(*handle.design, *loss, target, *handle.cache, settings);
  }
};

SolveResult solve_linear(const DesignHandle& design, const std::string& loss,
                         const DoubleArray& target, const std::string& method,
                         const Options& options, double ridge,
                         const std::optional<DoubleArray>& sample_weight, bool intercept,
                         bool screening, int threads, const py::object& callback,
                         const py::object& progress, std::optional<double> time_limit) {
  const LinearProblem problem(design, loss, ridge, sample_weight, screening, threads, intercept);
  problem.check_rows(target.size());
  const Method& chosen = library::method_named(method);
  PythonObserver observer(callback, progress, limit_of(time_limit));
  std::optional<ReleaseGil> release;
  if (!is_brief(*design.design, *problem.loss, chosen, options)) release.emplace();
  const auto objective = problem.factory(as_vector(target))();
  return {library::solve_with(chosen, *objective, options, observer), objective->dimension(),
          options.history};
}

SolveResult solve_objective(const py::object& objective, Index dimension, const std::string& method,
                            const Options& options, const py::object& callback,
                            const py::object& progress, std::optional<double> time_limit) {
  const Method& chosen = library::method_named(method);
  PythonObjective function(objective, dimension);
  PythonObserver observer(callback, progress, limit_of(time_limit));
  const ReleaseGil release;
  return {library::solve_with(chosen, function, options, observer), dimension, options.history};
}

/// Solves for every target (a row of `targets`) with every set of options, one thread per solve.
std::vector<SolveResult> solve_many(const DesignHandle& design, const std::string& loss,
                                    const DoubleArray& targets, const std::string& method,
                                    const std::vector<Options>& options, double ridge,
                                    const std::optional<DoubleArray>& sample_weight, bool intercept,
                                    bool screening, int threads, const py::object& progress,
                                    std::optional<double> time_limit) {
  const Method& chosen = library::method_named(method);
  if (targets.ndim() != 2) throw std::invalid_argument("targets must have two dimensions");
  const LinearProblem problem(design, loss, ridge, sample_weight, screening, threads, intercept);
  problem.check_rows(targets.shape(1));
  const Index rows = design.design->rows();
  const Index per_target = static_cast<Index>(options.size());
  const Index target_count = targets.shape(0), count = target_count * per_target;

  using Clock = StopFlag::Clock;
  constexpr double forever = 1e9;  // seconds; more would overflow the clock
  auto deadline = Clock::time_point::max();
  if (time_limit && *time_limit < forever)
    deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(*time_limit));
  std::vector<SolveResult> results(static_cast<std::size_t>(count));
  std::atomic<bool> stop{false};
  const bool in_main_thread = is_main_thread();
  const auto watch = [&](Index done) {
    if (!in_main_thread && progress.is_none()) return;
    const AcquireGil acquire;
    if (in_main_thread && PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none())
      call(progress, py::int_(done), py::float_(std::numeric_limits<double>::quiet_NaN()));
  };
  const ReleaseGil release;
  // All threads first compute the Gram matrix and the norms; then each solve has one thread.
  std::vector<library::MakeObjective> factories;
  LinearProblem single = problem;
  for (Index t = 0; t < target_count; ++t) {
    const Eigen::Map<const Vector> target(targets.data() + t * rows, rows);
    if (t == 0) problem.factory(target);
    single.settings.threads = 1;
    factories.push_back(single.factory(target));
  }
  FairDeadlines deadlines(deadline, count, threads);
  run_jobs(
      count, threads, stop,
      [&](Index job) {
        const Options& each = options[static_cast<std::size_t>(job % per_target)];
        StopFlag observer(stop, deadlines.next());
        const auto objective = factories[static_cast<std::size_t>(job / per_target)]();
        SolveResult& result = results[static_cast<std::size_t>(job)];
        result = {library::solve_with(chosen, *objective, each, observer), objective->dimension(),
                  each.history};
        result.result.weights.resize(0);  // a vector per solve would outgrow all the rest
      },
      watch);
  return results;
}

}  // namespace

void bind_solve(py::module_& module) {
  module.def("solve_linear", &solve_linear, py::arg("design"), py::arg("loss"),
             py::arg("target").noconvert(), py::arg("method"), py::arg("options"), py::arg("ridge"),
             py::arg("sample_weight"), py::arg("intercept"), py::arg("screening"),
             py::arg("n_threads"), py::arg("callback"), py::arg("progress"), py::arg("time_limit"));
  module.def("solve_many", &solve_many, py::kw_only(), py::arg("design"), py::arg("loss"),
             py::arg("targets").noconvert(), py::arg("method"), py::arg("options"),
             py::arg("ridge"), py::arg("sample_weight"), py::arg("intercept"), py::arg("screening"),
             py::arg("n_threads"), py::arg("progress"), py::arg("time_limit"));
  module.def("solve_objective", &solve_objective, py::kw_only(), py::arg("objective"),
             py::arg("dimension"), py::arg("method"), py::arg("options"), py::arg("callback"),
             py::arg("progress"), py::arg("time_limit"));
}

}  // namespace regiht::bindings
