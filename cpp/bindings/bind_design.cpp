#include <cmath>
#include <cstdint>
#include <string>

#include "bindings.hpp"
#include "gil.hpp"
#include "library/designs.hpp"
#include "regiht/design/compressed.hpp"
#include "regiht/design/standardized.hpp"
#include "regiht/projection/largest_entries.hpp"

namespace regiht::bindings {
namespace {

using library::IndexType;
using library::ValueType;

template <class T>
bool holds(const py::array& array) {
  return py::isinstance<py::array_t<T>>(array) &&
         reinterpret_cast<std::uintptr_t>(array.data()) % alignof(T) == 0;
}

ValueType value_type_of(const py::array& array) {
  if (holds<double>(array)) return ValueType::float64;
  if (holds<float>(array)) return ValueType::float32;
  throw std::invalid_argument("values has an unsupported type or alignment");
}

IndexType index_type_of(const py::array& array) {
  if (holds<std::int32_t>(array)) return IndexType::int32;
  if (holds<std::int64_t>(array)) return IndexType::int64;
  throw std::invalid_argument("indices has an unsupported type or alignment");
}

enum class Layout { row_major, column_major, neither };

/// Which dimension of a matrix is contiguous, if the other has a stride without overlap.
Layout layout_of(const py::array& X) {
  const Index rows = X.shape(0), cols = X.shape(1), size = X.itemsize();
  if (X.strides(0) % size != 0 || X.strides(1) % size != 0) return Layout::neither;
  // The stride of a dimension of length one is meaningless.
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
  const bool by_rows = layout == Layout::row_major;
  const Index stride = X.strides(by_rows ? 0 : 1) / X.itemsize();
  auto design = library::make_design(
      library::DenseArray{X.data(), value_type_of(X), rows, cols, stride,
                          by_rows ? library::Order::by_rows : library::Order::by_columns});
  return {std::move(design), {X}};
}

DesignHandle compressed_design(const py::array& values, const py::array& indices,
                               const py::array& offsets, Index rows, Index cols, bool by_columns) {
  const IndexType index_type = index_type_of(indices);
  if (index_type_of(offsets) != index_type)
    throw std::invalid_argument("offsets must have the type of indices");
  auto design = library::make_design(library::CompressedArrays{
      values.data(), value_type_of(values), indices.data(), offsets.data(), index_type, rows, cols,
      by_columns ? library::Order::by_columns : library::Order::by_rows});
  return {std::move(design), {values, indices, offsets}};
}

const char* inspect_structure(const py::array& indices, const py::array& offsets, Index slices,
                              Index slice_size) {
  const IndexType type = index_type_of(indices);
  const bool fits =
      (type == IndexType::int32 ? holds<std::int32_t>(offsets) : holds<std::int64_t>(offsets)) &&
      offsets.size() == slices + 1;
  const auto look = [&](auto pointer) {
    using Pointer = decltype(pointer);
    return inspect(static_cast<Pointer>(indices.data()), static_cast<Pointer>(offsets.data()),
                   slices, slice_size, static_cast<Index>(indices.size()));
  };
  const Structure structure = !fits ? Structure::bad_offsets
                              : type == IndexType::int32
                                  ? look(static_cast<const std::int32_t*>(nullptr))
                                  : look(static_cast<const std::int64_t*>(nullptr));
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

/// Whether a float array that is contiguous along its last dimension holds neither NaN nor
/// infinity.
bool is_finite_array(const py::array& array) {
  const ValueType type = value_type_of(array);
  if (array.ndim() != 2)
    return library::all_finite(array.data(), type, 1, static_cast<Index>(array.size()), 0);
  return library::all_finite(array.data(), type, array.shape(0), array.shape(1),
                             array.strides(0) / array.itemsize());
}

/// Whether a vector can be used as is: of this size, contiguous, float64 and finite.
bool is_plain_vector(const py::array& array, Index size) {
  return array.ndim() == 1 && array.size() == size && size > 0 && holds<double>(array) &&
         (array.strides(0) == array.itemsize() || size == 1) &&
         library::all_finite(array.data(), ValueType::float64, 1, size, 0);
}

/// Whether a matrix can be used as is.
bool is_plain_matrix(const py::array& X) {
  if (X.ndim() != 2 || X.size() == 0 || !(holds<double>(X) || holds<float>(X))) return false;
  const Layout layout = layout_of(X);
  if (layout == Layout::neither) return false;
  const int outer = layout == Layout::row_major ? 0 : 1;
  return library::all_finite(X.data(), value_type_of(X), X.shape(outer), X.shape(1 - outer),
                             X.strides(outer) / X.itemsize());
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

Support to_support(const IndexArray& columns) {
  return Support(columns.data(), columns.data() + columns.size());
}

/// start + A x for an x that lists these columns.
DoubleArray apply_columns(const DesignHandle& handle, const IndexArray& columns,
                          const DoubleArray& values, double start, int threads) {
  if (columns.size() != values.size())
    throw std::invalid_argument("columns and values differ in number");
  const SparseVector listed{to_support(columns), {values.data(), values.data() + values.size()}};
  DoubleArray prediction(handle.design->rows());
  Eigen::Map<Vector> out(prediction.mutable_data(), handle.design->rows());
  const ReleaseGil release;
  handle.design->apply(listed, start, out, threads);
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
  const Support listed = to_support(columns);
  DoubleArray product(columns.size());
  Eigen::Map<Vector> out(product.mutable_data(), static_cast<Index>(columns.size()));
  handle.design->apply_transpose(listed, as_vector(v), out, threads);
  return product;
}

/// The weights, checked to be one for every row.
const double* weights_of(const DesignHandle& handle, const DoubleArray& weights) {
  if (weights.size() != handle.design->rows())
    throw std::invalid_argument("weights need one entry for every row");
  return weights.data();
}

DoubleArray weighted_products(const DesignHandle& handle, const IndexArray& left,
                              const IndexArray& right, const DoubleArray& weights, int threads) {
  const double* const w = weights_of(handle, weights);
  const Support rows = to_support(left), columns = to_support(right);
  Matrix products;
  {
    const ReleaseGil release;
    handle.design->weighted_products(rows, columns, w, products, threads);
  }
  DoubleArray out({products.rows(), products.cols()});
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<RowMajor>(out.mutable_data(), products.rows(), products.cols()) = products;
  return out;
}

DoubleArray weighted_squares(const DesignHandle& handle, const IndexArray& columns,
                             const DoubleArray& weights, int threads) {
  const double* const w = weights_of(handle, weights);
  const Support listed = to_support(columns);
  DoubleArray squares(columns.size());
  Eigen::Map<Vector> out(squares.mutable_data(), static_cast<Index>(columns.size()));
  const ReleaseGil release;
  handle.design->weighted_squares(listed, w, out, threads);
  return squares;
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
      .def("apply_columns", &apply_columns, py::arg("columns").noconvert(),
           py::arg("values").noconvert(), py::arg("start") = 0.0, py::arg("n_threads") = 1)
      .def("apply_transpose", &apply_transpose, py::arg("v").noconvert(), py::arg("n_threads") = 1)
      .def("apply_transpose_columns", &apply_transpose_columns, py::arg("columns").noconvert(),
           py::arg("v").noconvert(), py::arg("n_threads") = 1)
      .def("weighted_products", &weighted_products, py::arg("left").noconvert(),
           py::arg("right").noconvert(), py::arg("weights").noconvert(), py::arg("n_threads") = 1)
      .def("weighted_squares", &weighted_squares, py::arg("columns").noconvert(),
           py::arg("weights").noconvert(), py::arg("n_threads") = 1)
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
