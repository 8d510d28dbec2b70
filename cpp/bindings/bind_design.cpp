#include <cmath>
#include <cstdint>
#include <string>

#include "bindings.hpp"
#include "gil.hpp"
#include "regiht/design/column_major.hpp"
#include "regiht/design/csc.hpp"
#include "regiht/design/csr.hpp"
#include "regiht/design/row_major.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/projection/largest_entries.hpp"

namespace regiht::bindings {
namespace {

template <class T>
bool holds(const py::array& array) {
  return py::isinstance<py::array_t<T>>(array) &&
         reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) == 0;
}

/// Calls visit with a null pointer of the array's element type, one of First and Second.
template <class First, class Second, class Visit>
auto with_element_type(const py::array& array, const char* name, Visit&& visit) {
  if (holds<First>(array)) return visit(static_cast<const First*>(nullptr));
  if (holds<Second>(array)) return visit(static_cast<const Second*>(nullptr));
  throw std::invalid_argument(std::string(name) + " has an unsupported type or alignment");
}

template <class Visit>
auto with_value_type(const py::array& array, Visit&& visit) {
  return with_element_type<double, float>(array, "values", visit);
}

template <class Visit>
auto with_index_type(const py::array& array, Visit&& visit) {
  return with_element_type<std::int32_t, std::int64_t>(array, "indices", visit);
}

enum class Layout { row_major, column_major, neither };

/// Which dimension of a matrix is contiguous while the other goes forward without overlap.
Layout layout_of(const py::array& X) {
  const Index rows = X.shape(0), cols = X.shape(1), size = X.itemsize();
  if (X.strides(0) % size != 0 || X.strides(1) % size != 0) return Layout::neither;
  // A dimension of length one has no stride worth the name.
  if ((X.strides(1) == size || cols == 1) && (X.strides(0) >= cols * size || rows == 1))
    return Layout::row_major;
  if ((X.strides(0) == size || rows == 1) && (X.strides(1) >= rows * size || cols == 1))
    return Layout::column_major;
  return Layout::neither;
}

DesignHandle dense_design(const py::array& X) {
  if (X.ndim() != 2) throw std::invalid_argument("X must have two dimensions");
  const Index rows = X.shape(0), cols = X.shape(1);
  const Layout layout = layout_of(X);
  if (layout == Layout::neither)
    throw std::invalid_argument("X must be contiguous along one dimension");
  auto design = with_value_type(X, [&](auto type) -> std::shared_ptr<const Design> {
    using Value = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
    const auto* data = static_cast<const Value*>(X.data());
    const Index size = sizeof(Value);
    if (layout == Layout::row_major)
      return std::make_shared<RowMajorDesign<Value>>(data, rows, cols, X.strides(0) / size);
    return std::make_shared<ColumnMajorDesign<Value>>(data, rows, cols, X.strides(1) / size);
  });
  return {std::move(design), {X}};
}

DesignHandle compressed_design(const py::array& values, const py::array& indices,
                               const py::array& offsets, Index rows, Index cols, bool by_columns) {
  auto design = with_value_type(values, [&](auto value_type) {
    return with_index_type(indices, [&](auto index_type) -> std::shared_ptr<const Design> {
      using Value = std::remove_const_t<std::remove_pointer_t<decltype(value_type)>>;
      using StorageIndex = std::remove_const_t<std::remove_pointer_t<decltype(index_type)>>;
      if (!holds<StorageIndex>(offsets))
        throw std::invalid_argument("offsets must have the type of indices");
      const Compressed<Value, StorageIndex> matrix{
          static_cast<const Value*>(values.data()),
          static_cast<const StorageIndex*>(indices.data()),
          static_cast<const StorageIndex*>(offsets.data())};
      if (by_columns) return std::make_shared<CscDesign<Value, StorageIndex>>(matrix, rows, cols);
      return std::make_shared<CsrDesign<Value, StorageIndex>>(matrix, rows, cols);
    });
  });
  return {std::move(design), {values, indices, offsets}};
}

const char* inspect_structure(const py::array& indices, const py::array& offsets, Index slices,
                              Index slice_size) {
  const Structure structure = with_index_type(indices, [&](auto type) {
    using StorageIndex = std::remove_const_t<std::remove_pointer_t<decltype(type)>>;
    if (!holds<StorageIndex>(offsets) || offsets.size() != slices + 1)
      return Structure::bad_offsets;
    return inspect(static_cast<const StorageIndex*>(indices.data()),
                   static_cast<const StorageIndex*>(offsets.data()), slices, slice_size,
                   static_cast<Index>(indices.size()));
  });
  switch (structure) {
    case Structure::sorted:
      return "sorted";
    case Structure::unsorted:
      return "unsorted";
    case Structure::bad_offsets:
      return "bad offsets";
    case Structure::index_out_of_range:
      return "index out of range";
  }
  return "";
}

/// Whether `outer` slices of `inner` numbers, `stride` apart, hold neither NaN nor infinity.
template <class Value>
bool all_finite(const Value* data, Index outer, Index inner, Index stride) {
  for (Index i = 0; i < outer; ++i) {
    const Value* slice = data + i * stride;
    // x·0 is zero for finite x and NaN otherwise, and a sum of zeros does not overflow.
    if (std::isnan(
            kernels::sum_of(inner, [=](Index k) { return static_cast<double>(slice[k]) * 0.0; })))
      return false;
  }
  return true;
}

/// The same of a float array that is contiguous along its last dimension.
bool is_finite_array(const py::array& array) {
  return with_value_type(array, [&](auto type) {
    const auto* data = static_cast<decltype(type)>(array.data());
    if (array.ndim() != 2) return all_finite(data, 1, static_cast<Index>(array.size()), 0);
    return all_finite(data, array.shape(0), array.shape(1), array.strides(0) / array.itemsize());
  });
}

/// Whether nothing need be converted or refused in a vector that is to have so many entries.
bool is_plain_vector(const py::array& array, Index size) {
  return array.ndim() == 1 && array.size() == size && size > 0 && holds<double>(array) &&
         (array.strides(0) == array.itemsize() || size == 1) &&
         all_finite(static_cast<const double*>(array.data()), 1, size, 0);
}

/// Whether nothing need be converted or refused in a matrix.
bool is_plain_matrix(const py::array& X) {
  if (X.ndim() != 2 || X.size() == 0 || !(holds<double>(X) || holds<float>(X))) return false;
  const Layout layout = layout_of(X);
  if (layout == Layout::neither) return false;
  const int outer = layout == Layout::row_major ? 0 : 1;
  return with_value_type(X, [&](auto type) {
    return all_finite(static_cast<decltype(type)>(X.data()), X.shape(outer), X.shape(1 - outer),
                      X.strides(outer) / X.itemsize());
  });
}

SparseVector nonzeros(const DoubleArray& x) {
  SparseVector listed;
  for (Index j = 0; j < static_cast<Index>(x.size()); ++j)
    if (x.data()[j] != 0.0) listed.append(j, x.data()[j]);
  return listed;
}

DoubleArray apply(const DesignHandle& handle, const DoubleArray& x, int threads) {
  DoubleArray prediction(handle.design->rows());
  Eigen::Map<Vector> out(prediction.mutable_data(), handle.design->rows());
  const SparseVector listed = nonzeros(x);
  const ReleaseGil release;
  handle.design->apply(listed, 0.0, out, threads);
  return prediction;
}

DoubleArray apply_transpose(const DesignHandle& handle, const DoubleArray& v, int threads) {
  DoubleArray product(handle.design->cols());
  Eigen::Map<Vector> out(product.mutable_data(), handle.design->cols());
  const auto view = as_vector(v);
  const ReleaseGil release;
  handle.design->apply_transpose(view, out, threads);
  return product;
}

DoubleArray apply_transpose_columns(const DesignHandle& handle, const IndexArray& columns,
                                    const DoubleArray& v, int threads) {
  const Support listed(columns.data(), columns.data() + columns.size());
  DoubleArray product(columns.size());
  Eigen::Map<Vector> out(product.mutable_data(), static_cast<Index>(columns.size()));
  handle.design->apply_transpose(listed, as_vector(v), out, threads);
  return product;
}

DoubleArray column_norms(const DesignHandle& handle) {
  Vector squares(handle.design->cols());
  handle.design->column_squares(Vector::Zero(handle.design->cols()), squares);
  return to_array(squares.cwiseSqrt());
}

}  // namespace

void bind_design(py::module_& module) {
  py::class_<DesignHandle>(module, "Design")
      .def_property_readonly("rows", [](const DesignHandle& h) { return h.design->rows(); })
      .def_property_readonly("cols", [](const DesignHandle& h) { return h.design->cols(); })
      .def("apply", &apply, py::arg("x").noconvert(), py::arg("n_threads") = 1)
      .def("apply_transpose", &apply_transpose, py::arg("v").noconvert(), py::arg("n_threads") = 1)
      .def("apply_transpose_columns", &apply_transpose_columns, py::arg("columns").noconvert(),
           py::arg("v").noconvert(), py::arg("n_threads") = 1)
      .def("column_norms", &column_norms);

  module.def("dense_design", &dense_design, py::arg("X"));
  module.def("compressed_design", &compressed_design, py::arg("values"), py::arg("indices"),
             py::arg("offsets"), py::arg("rows"), py::arg("cols"), py::arg("by_columns"));
  module.def(
      "standardized_design",
      [](const DesignHandle& handle, bool center, bool scale) {
        std::shared_ptr<const StandardizedDesign> design;
        {
          const ReleaseGil release;
          design = standardize(handle.design, center, scale);
        }
        auto means = to_array(design->means());
        auto factors = to_array(design->factors());
        return py::make_tuple(DesignHandle{std::move(design), handle.owners}, means, factors);
      },
      py::arg("design"), py::arg("center"), py::arg("scale"));
  module.def(
      "rescaled_design",
      [](const DesignHandle& handle, const DoubleArray& means, const DoubleArray& factors) {
        if (means.size() != handle.design->cols() || factors.size() != handle.design->cols())
          throw std::invalid_argument("means and factors need one entry for every column");
        return DesignHandle{std::make_shared<const StandardizedDesign>(
                                handle.design, as_vector(means), as_vector(factors)),
                            handle.owners};
      },
      py::arg("design"), py::arg("means").noconvert(), py::arg("factors").noconvert());
  module.def("inspect_structure", &inspect_structure, py::arg("indices"), py::arg("offsets"),
             py::arg("slices"), py::arg("slice_size"));
  module.def("all_finite", &is_finite_array, py::arg("array"));
  module.def("is_plain_vector", &is_plain_vector, py::arg("array").noconvert(), py::arg("size"));
  module.def("is_plain_matrix", &is_plain_matrix, py::arg("array").noconvert());
  module.def(
      "hard_threshold",
      [](const DoubleArray& x, Index sparsity, const IndexArray& keep) {
        const Support kept(keep.data(), keep.data() + keep.size());
        return to_array(
            hard_threshold(as_vector(x), sparsity, kept).dense(static_cast<Index>(x.size())));
      },
      py::arg("x").noconvert(), py::arg("sparsity"), py::arg("keep").noconvert());
}

}  // namespace regiht::bindings
