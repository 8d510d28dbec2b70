#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/model/design_cache.hpp"

namespace regiht::bindings {

namespace py = pybind11;

/// A C-contiguous float64 vector; conversion is done visibly in Python, never here.
using DoubleArray = py::array_t<double, py::array::c_style>;
using IndexArray = py::array_t<Index, py::array::c_style>;

/// A Design and the Python arrays whose memory it borrows.
struct DesignHandle {
  std::shared_ptr<const Design> design;
  std::vector<py::object> owners;
  std::shared_ptr<DesignCache> cache = std::make_shared<DesignCache>();
};

inline Eigen::Map<const Vector> as_vector(const DoubleArray& array) {
  return {array.data(), static_cast<Index>(array.size())};
}

inline DoubleArray to_array(ConstVectorView v) {
  return DoubleArray(static_cast<py::ssize_t>(v.size()), v.data());
}

template <class T>
py::array_t<T> to_array(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

void bind_certificate(py::module_& module);
void bind_design(py::module_& module);
void bind_io(py::module_& module);
void bind_loss(py::module_& module);
void bind_lowrank_entries(py::module_& module);
void bind_lowrank_methods(py::module_& module);
void bind_lowrank_objectives(py::module_& module);
void bind_lowrank_products(py::module_& module);
void bind_options(py::module_& module);
void bind_result(py::module_& module);
void bind_solve(py::module_& module);

}  // namespace regiht::bindings
