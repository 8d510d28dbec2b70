#include <string>

#include "bindings.hpp"
#include "python_observer.hpp"
#include "regiht/status.hpp"
#include "solve_result.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

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
          "x", [](const IterationSnapshot& it) { return to_array(it.x.dense(it.dimension)); })
      .def_property_readonly("weights", [](const IterationSnapshot& it) {
        if (!it.weights) throw std::runtime_error("weights can be read during the callback only");
        return to_array(*it.weights);
      });
}

void bind_solve_result(py::module_& module) {
  py::class_<SolveResult>(module, "SolveResult")
      .def_property_readonly(
          "x", [](const SolveResult& r) { return to_array(r.result.x.dense(r.dimension)); })
      .def_property_readonly("support",
                             [](const SolveResult& r) { return to_array(r.result.x.indices); })
      .def_property_readonly("fun", [](const SolveResult& r) { return r.result.value; })
      .def_property_readonly("intercept", [](const SolveResult& r) { return r.result.intercept; })
      .def_property_readonly("weights",
                             [](const SolveResult& r) { return to_array(r.result.weights); })
      .def_property_readonly("step", [](const SolveResult& r) { return r.result.step; })
      .def_property_readonly("n_iter", [](const SolveResult& r) { return r.result.iterations; })
      .def_property_readonly("n_gradients", [](const SolveResult& r) { return r.result.gradients; })
      .def_property_readonly(
          "status",
          [](const SolveResult& r) { return std::string(describe(r.result.status).name); })
      .def_property_readonly("rank_deficient",
                             [](const SolveResult& r) { return r.result.rank_deficient; })
      .def_property_readonly("attained", [](const SolveResult& r) { return r.result.attained; })
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

void bind_result(py::module_& module) {
  bind_iteration(module);
  bind_solve_result(module);
  module.def("statuses", [] {
    py::list rows;
    for (const StatusText& text : status_texts)
      rows.append(py::make_tuple(std::string(text.name), std::string(text.message), text.success));
    return rows;
  });
}

}  // namespace regiht::bindings
