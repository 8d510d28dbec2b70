#include <limits>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "python_objective.hpp"
#include "python_observer.hpp"
#include "regiht/jobs.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/objective_factory.hpp"
#include "regiht/solver/solve.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

template <class T>
py::array_t<T> to_array(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

Options make_options(Index sparsity, std::optional<double> step, std::optional<double> weight_step,
                     bool adaptive_weight_step, Index max_iter, double tol, double round_threshold,
                     bool safeguard, bool refit, bool swap, std::optional<double> target,
                     std::uint64_t seed, bool history, const std::optional<IndexArray>& keep,
                     const std::optional<DoubleArray>& x0, const std::optional<DoubleArray>& w0) {
  Options options;
  options.sparsity = sparsity;
  options.step = step;
  options.weight_step = weight_step;
  options.adaptive_weight_step = adaptive_weight_step;
  options.max_iter = max_iter;
  options.tol = tol;
  options.round_threshold = round_threshold;
  options.safeguard = safeguard;
  options.refit = refit;
  options.swap = swap;
  options.target = target;
  options.seed = seed;
  options.history = history;
  if (keep) options.keep.assign(keep->data(), keep->data() + keep->size());
  if (x0)
    for (Index j = 0; j < static_cast<Index>(x0->size()); ++j)
      if (x0->data()[j] != 0.0) options.x0.append(j, x0->data()[j]);
  if (w0) options.w0 = as_vector(*w0);
  return options;
}

/// A Result and the dimension it lives in.
struct SolveResult {
  Result result;
  Index dimension = 0;
  bool recorded = false;
  double intercept = 0.0;

  void take_intercept(Objective& objective) {
    objective.move_to(result.x);
    intercept = objective.intercept();
  }
};

SolveResult run(Objective& objective, const std::string& method, const Options& options,
                const py::object& callback, const py::object& progress,
                std::optional<double> time_limit) {
  PythonObserver observer(callback, progress,
                          time_limit.value_or(std::numeric_limits<double>::infinity()));
  const Method& solver = find_method(method);
  const py::gil_scoped_release release;
  return {solve(objective, solver, options, observer), objective.dimension(), options.history};
}

/// The part of a call that describes the model; arrays are borrowed.
struct LinearProblem {
  const DesignHandle& handle;
  std::shared_ptr<const Loss> loss;
  ModelSettings settings;

  LinearProblem(const DesignHandle& design, const std::string& loss_name, double ridge,
                const std::optional<DoubleArray>& sample_weight, bool screening, int threads,
                bool intercept)
      : handle(design),
        loss(make_loss(loss_name)),
        settings{ridge, sample_weight ? sample_weight->data() : nullptr, screening, threads,
                 intercept} {
    if (sample_weight) check_rows(sample_weight->size());
  }

  void check_rows(py::ssize_t size) const {
    if (size != handle.design->rows())
      throw std::invalid_argument("targets and sample weights need one entry for every row");
  }

  ObjectiveFactory factory(ConstVectorView target) const {
    return {*handle.design, *loss, target, *handle.facts, settings};
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
  std::unique_ptr<Objective> objective;
  {
    const py::gil_scoped_release release;
    objective = problem.factory(as_vector(target)).make();
  }
  SolveResult result = run(*objective, method, options, callback, progress, time_limit);
  if (intercept) {
    const py::gil_scoped_release release;
    result.take_intercept(*objective);
  }
  return result;
}

SolveResult solve_objective(const py::object& objective, Index dimension, const std::string& method,
                            const Options& options, const py::object& callback,
                            const py::object& progress, std::optional<double> time_limit) {
  PythonObjective function(objective, dimension);
  return run(function, method, options, callback, progress, time_limit);
}

/// Solves for every target (a row of `targets`) with every set of options, one solve a thread.
std::vector<SolveResult> solve_many(const DesignHandle& design, const std::string& loss,
                                    const DoubleArray& targets, const std::string& method,
                                    const std::vector<Options>& options, double ridge,
                                    const std::optional<DoubleArray>& sample_weight, bool intercept,
                                    bool screening, int threads, const py::object& progress,
                                    std::optional<double> time_limit) {
  if (targets.ndim() != 2) throw std::invalid_argument("targets must have two dimensions");
  const LinearProblem problem(design, loss, ridge, sample_weight, screening, threads, intercept);
  problem.check_rows(targets.shape(1));
  const Method& solver = find_method(method);
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
    const py::gil_scoped_acquire acquire;
    if (in_main_thread && PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none()) progress(done, std::numeric_limits<double>::quiet_NaN());
  };
  const py::gil_scoped_release release;
  // The Gram matrix and the norms are made once, by all threads; then each solve has one thread.
  std::vector<ObjectiveFactory> factories;
  LinearProblem single = problem;
  for (Index t = 0; t < target_count; ++t) {
    const Eigen::Map<const Vector> target(targets.data() + t * rows, rows);
    if (t == 0) problem.factory(target);
    single.settings.threads = 1;
    factories.push_back(single.factory(target));
  }
  run_jobs(
      count, threads, stop,
      [&](Index job) {
        const Options& each = options[static_cast<std::size_t>(job % per_target)];
        StopFlag observer(stop, deadline);
        const auto objective = factories[static_cast<std::size_t>(job / per_target)].make();
        SolveResult& result = results[static_cast<std::size_t>(job)];
        result = {solve(*objective, solver, each, observer), objective->dimension(), each.history};
        if (intercept) result.take_intercept(*objective);
        result.result.weights.resize(0);  // a vector per solve would outgrow all the rest
      },
      watch);
  return results;
}

void bind_iteration(py::module_& module) {
  py::class_<IterationSnapshot, std::shared_ptr<IterationSnapshot>>(module, "Iteration")
      .def_readonly("number", &IterationSnapshot::number)
      .def_readonly("fun", &IterationSnapshot::value)
      .def_readonly("regularized_fun", &IterationSnapshot::regularized_value)
      .def_readonly("elapsed", &IterationSnapshot::elapsed)
      .def_readonly("support_changes", &IterationSnapshot::support_changes)
      .def_property_readonly("support",
                             [](const IterationSnapshot& it) { return to_array(it.x.indices); })
      .def_property_readonly(
          "x",
          [](const IterationSnapshot& it) { return bindings::to_array(it.x.dense(it.dimension)); })
      .def_property_readonly("weights", [](const IterationSnapshot& it) {
        if (!it.weights) throw std::runtime_error("weights can be read during the callback only");
        return bindings::to_array(*it.weights);
      });
}

void bind_result(py::module_& module) {
  py::class_<SolveResult>(module, "SolveResult")
      .def_property_readonly(
          "x",
          [](const SolveResult& r) { return bindings::to_array(r.result.x.dense(r.dimension)); })
      .def_property_readonly("support",
                             [](const SolveResult& r) { return to_array(r.result.x.indices); })
      .def_property_readonly("fun", [](const SolveResult& r) { return r.result.value; })
      .def_readonly("intercept", &SolveResult::intercept)
      .def_property_readonly(
          "weights", [](const SolveResult& r) { return bindings::to_array(r.result.weights); })
      .def_property_readonly("step", [](const SolveResult& r) { return r.result.step; })
      .def_property_readonly("n_iter", [](const SolveResult& r) { return r.result.iterations; })
      .def_property_readonly("n_gradients", [](const SolveResult& r) { return r.result.gradients; })
      .def_property_readonly(
          "status",
          [](const SolveResult& r) { return std::string(describe(r.result.status).name); })
      .def_property_readonly("rank_deficient",
                             [](const SolveResult& r) { return r.result.rank_deficient; })
      .def_property_readonly("swap_optimal",
                             [](const SolveResult& r) { return r.result.swap_optimal; })
      .def_property_readonly("alternatives",
                             [](const SolveResult& r) {
                               py::list list;
                               for (const Alternative& other : r.result.alternatives)
                                 list.append(py::make_tuple(to_array(other.x.indices),
                                                            to_array(other.x.values), other.value));
                               return list;
                             })
      .def_property_readonly("history", [](const SolveResult& r) -> py::object {
        if (!r.recorded) return py::none();
        const History& history = r.result.history;
        py::dict arrays;
        arrays["fun"] = to_array(history.value);
        arrays["regularized_fun"] = to_array(history.regularized_value);
        arrays["support_changes"] = to_array(history.support_changes);
        arrays["elapsed"] = to_array(history.elapsed);
        return arrays;
      });
}

}  // namespace

void bind_solve(py::module_& module) {
  bind_iteration(module);
  bind_result(module);
  py::class_<Options>(module, "Options")
      .def(py::init(&make_options), py::kw_only(), py::arg("sparsity"), py::arg("step"),
           py::arg("weight_step"), py::arg("adaptive_weight_step"), py::arg("max_iter"),
           py::arg("tol"), py::arg("round_threshold"), py::arg("safeguard"), py::arg("refit"),
           py::arg("swap"), py::arg("target"), py::arg("seed"), py::arg("history"), py::arg("keep"),
           py::arg("x0"), py::arg("w0"));
  module.def("method_names", [] {
    py::list names;
    for (const Method& method : all_methods) names.append(std::string(method.name));
    return names;
  });
  module.def("statuses", [] {
    py::list rows;
    for (const StatusText& text : status_texts)
      rows.append(py::make_tuple(std::string(text.name), std::string(text.message), text.success));
    return rows;
  });
  module.def("solve_linear", &solve_linear, py::kw_only(), py::arg("design"), py::arg("loss"),
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
