#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "gil.hpp"
#include "regiht/io/libsvm.hpp"

namespace regiht::bindings {
namespace {

/// A numpy array that takes ownership of the vector's memory.
template <class T>
py::array to_owning_array(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  const py::capsule owner(owned,
                          [](void* pointer) { delete static_cast<std::vector<T>*>(pointer); });
  return py::array_t<T>(static_cast<py::ssize_t>(owned->size()), owned->data(), owner);
}

template <class Value>
void feed(io::LibsvmReader<Value>& reader, const py::buffer& text) {
  const py::buffer_info info = text.request();
  if (info.ndim != 1 || info.itemsize != 1 || (info.size > 0 && info.strides[0] != 1))
    throw py::type_error("text must be contiguous bytes");
  const ReleaseGil unlocked;
  reader.feed({static_cast<const char*>(info.ptr), static_cast<std::size_t>(info.size)});
}

template <class Value>
py::dict finish(io::LibsvmReader<Value>& reader) {
  io::LibsvmRows<Value>& rows = reader.finish();
  py::dict found;
  found["smallest"] = rows.smallest;
  found["largest"] = rows.largest;
  found["largest_line"] = rows.largest_line;
  found["columns"] = rows.columns.wide() ? to_owning_array(std::move(rows.columns.as_long()))
                                         : to_owning_array(std::move(rows.columns.as_short()));
  found["labels"] = to_owning_array(std::move(rows.labels));
  found["values"] = to_owning_array(std::move(rows.values));
  found["offsets"] = to_owning_array(std::move(rows.offsets));
  return found;
}

template <class Value>
void bind_reader(py::module_& module, const char* name) {
  py::class_<io::LibsvmReader<Value>>(module, name)
      .def(py::init<>())
      .def("feed", &feed<Value>, py::arg("text"))
      .def("finish", &finish<Value>);
}

}  // namespace

void bind_io(py::module_& module) {
  bind_reader<double>(module, "LibsvmReader");
  bind_reader<float>(module, "LibsvmReaderFloat32");
}

}  // namespace regiht::bindings
