#include <optional>
#include <string>

#include "bindings.hpp"
#include "compiled.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

Options make_options(Index sparsity, std::optional<double> step, std::optional<double> weight_step,
                     bool adaptive_weight_step, Index max_iter, double tol, double round_threshold,
                     bool safeguard, bool refit, bool swap, std::optional<double> target,
                     std::uint64_t seed, bool history, const std::optional<IndexArray>& keep,
                     bool positive, const std::optional<IndexArray>& groups,
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
  options.target_value = target;
  options.seed = seed;
  options.history = history;
  if (keep) options.keep.assign(keep->data(), keep->data() + keep->size());
  options.positive = positive;
  if (groups)
    options.groups = std::make_shared<const Groups>(
        std::vector<Index>(groups->data(), groups->data() + groups->size()));
  if (x0)
    for (Index j = 0; j < static_cast<Index>(x0->size()); ++j)
      if (x0->data()[j] != 0.0) options.x0.append(j, x0->data()[j]);
  if (w0) options.w0 = as_vector(*w0);
  return options;
}

}  // namespace

void bind_options(py::module_& module) {
  py::class_<Options>(module, "Options")
      .def(py::init(&make_options), py::kw_only(), py::arg("sparsity"), py::arg("step"),
           py::arg("weight_step"), py::arg("adaptive_weight_step"), py::arg("max_iter"),
           py::arg("tol"), py::arg("round_threshold"), py::arg("safeguard"), py::arg("refit"),
           py::arg("swap"), py::arg("target"), py::arg("seed"), py::arg("history"), py::arg("keep"),
           py::arg("positive"), py::arg("groups"), py::arg("x0"), py::arg("w0"));
  module.def(
      "method_names",
      [](bool positive, bool groups) {
        py::list names;
        for (const std::string_view name : method_names(positive, groups))
          names.append(std::string(name));
        return names;
      },
      py::kw_only(), py::arg("positive") = false, py::arg("groups") = false);
}

}  // namespace regiht::bindings
