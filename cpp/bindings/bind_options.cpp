#include <optional>
#include <string>

#include "bindings.hpp"
#include "library/compiled.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

template <class T>
void assign(T& field, const py::handle& value) {
  field = value.cast<T>();
}

void assign(Support& field, const py::handle& value) {
  const auto indices = value.cast<std::optional<IndexArray>>();
  if (indices) field.assign(indices->data(), indices->data() + indices->size());
}

void assign(std::shared_ptr<const Groups>& field, const py::handle& value) {
  const auto numbers = value.cast<std::optional<IndexArray>>();
  if (numbers)
    field = std::make_shared<const Groups>(
        std::vector<Index>(numbers->data(), numbers->data() + numbers->size()));
}

void assign(SparseVector& field, const py::handle& value) {
  const auto dense = value.cast<std::optional<DoubleArray>>();
  for (Index j = 0; dense && j < static_cast<Index>(dense->size()); ++j)
    if (dense->data()[j] != 0.0) field.append(j, dense->data()[j]);
}

void assign(std::optional<Vector>& field, const py::handle& value) {
  const auto dense = value.cast<std::optional<DoubleArray>>();
  if (dense) field = as_vector(*dense);
}

Options make_options(const py::kwargs& values) {
  Options options;
  std::size_t taken = 0;
  options.visit_fields([&](const char* name, auto& field) {
    if (!values.contains(name)) return;
    assign(field, values[name]);
    ++taken;
  });
  if (taken != values.size()) throw py::type_error("Options has no field of such a name");
  return options;
}

py::tuple option_names() {
  py::list names;
  Options().visit_fields([&](const char* name, auto&) { names.append(name); });
  return py::tuple(names);
}

}  // namespace

void bind_options(py::module_& module) {
  py::class_<Options>(module, "Options").def(py::init(&make_options));
  module.def("option_names", &option_names);
  py::class_<Method>(module, "Method")
      .def_readonly("name", &Method::name)
      .def_readonly("knows_positive", &Method::knows_positive)
      .def_readonly("knows_groups", &Method::knows_groups)
      .def_readonly("refits", &Method::refits)
      .def_readonly("is_nested", &Method::is_nested)
      .def_readonly("makes_all_iterations", &Method::makes_all_iterations)
      .def_readonly("draws", &Method::draws)
      .def_readonly("reads_x0", &Method::reads_x0)
      .def_readonly("reads_step", &Method::reads_step)
      .def_readonly("reads_weight_step", &Method::reads_weight_step)
      .def_readonly("reads_weights", &Method::reads_weights)
      .def_readonly("reads_target_value", &Method::reads_target_value)
      .def_readonly("reads_effort", &Method::reads_effort)
      .def("__repr__",
           [](const Method& method) { return "<Method " + std::string(method.name) + ">"; });
  module.def("methods", [] { return py::tuple(py::cast(library::method_table())); });
}

}  // namespace regiht::bindings
