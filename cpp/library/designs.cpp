#include "designs.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "regiht/design/column_major.hpp"
#include "regiht/design/csc.hpp"
#include "regiht/design/csr.hpp"
#include "regiht/design/row_major.hpp"

namespace regiht::library {
namespace {

/// Calls visit with a null pointer of the type.
template <class Visit>
auto with_type(ValueType type, Visit&& visit) {
  return type == ValueType::float64 ? visit(static_cast<const double*>(nullptr))
                                    : visit(static_cast<const float*>(nullptr));
}

template <class Visit>
auto with_type(IndexType type, Visit&& visit) {
  return type == IndexType::int32 ? visit(static_cast<const std::int32_t*>(nullptr))
                                  : visit(static_cast<const std::int64_t*>(nullptr));
}

template <class Pointer>
using Pointee = std::remove_const_t<std::remove_pointer_t<Pointer>>;

/// Calls visit with the typed arrays.
template <class Visit>
auto with_types(const CompressedArrays& arrays, Visit&& visit) {
  return with_type(arrays.value_type, [&](auto value) {
    return with_type(arrays.index_type, [&](auto index) {
      using Value = Pointee<decltype(value)>;
      using StorageIndex = Pointee<decltype(index)>;
      return visit(
          Compressed<Value, StorageIndex>{static_cast<const Value*>(arrays.values),
                                          static_cast<const StorageIndex*>(arrays.indices),
                                          static_cast<const StorageIndex*>(arrays.offsets)});
    });
  });
}

template <class Value>
bool all_finite(const Value* values, Index outer, Index inner, Index stride) {
  for (Index i = 0; i < outer; ++i) {
    const Value* slice = values + i * stride;
    // x·0 is zero for finite x and NaN otherwise, and a sum of zeros does not overflow.
    if (std::isnan(
            kernels::sum_of(inner, [=](Index k) { return static_cast<double>(slice[k]) * 0.0; })))
      return false;
  }
  return true;
}

void require_finite(bool finite) {
  if (!finite) throw std::invalid_argument("the matrix has an entry that is not finite");
}

}  // namespace

std::shared_ptr<const Design> make_design(const DenseArray& array) {
  return with_type(array.type, [&](auto type) -> std::shared_ptr<const Design> {
    using Value = Pointee<decltype(type)>;
    const auto* values = static_cast<const Value*>(array.values);
    if (array.order == Order::by_rows)
      return std::make_shared<RowMajorDesign<Value>>(values, array.rows, array.cols, array.stride);
    return std::make_shared<ColumnMajorDesign<Value>>(values, array.rows, array.cols, array.stride);
  });
}

std::shared_ptr<const Design> make_design(const CompressedArrays& arrays) {
  return with_types(arrays, [&](auto matrix) -> std::shared_ptr<const Design> {
    using Value = std::remove_const_t<std::remove_pointer_t<decltype(matrix.values)>>;
    using StorageIndex = std::remove_const_t<std::remove_pointer_t<decltype(matrix.indices)>>;
    if (arrays.order == Order::by_columns)
      return std::make_shared<CscDesign<Value, StorageIndex>>(matrix, arrays.rows, arrays.cols);
    return std::make_shared<CsrDesign<Value, StorageIndex>>(matrix, arrays.rows, arrays.cols);
  });
}

void check(const DenseArray& array) {
  const bool by_rows = array.order == Order::by_rows;
  const Index outer = by_rows ? array.rows : array.cols;
  const Index inner = by_rows ? array.cols : array.rows;
  require_finite(all_finite(array.values, array.type, outer, inner, array.stride));
}

void check(const CompressedArrays& arrays) {
  const bool by_rows = arrays.order == Order::by_rows;
  const Index slices = by_rows ? arrays.rows : arrays.cols;
  const Index slice_size = by_rows ? arrays.cols : arrays.rows;
  const Index stored = with_types(arrays, [&](auto matrix) {
    const Index last = static_cast<Index>(matrix.offsets[slices]);
    checked(matrix, slices, slice_size, last);
    return last;
  });
  require_finite(all_finite(arrays.values, arrays.value_type, 1, stored, 0));
}

bool all_finite(const void* values, ValueType type, Index outer, Index inner, Index stride) {
  return with_type(type, [&](auto pointer) {
    return all_finite(static_cast<decltype(pointer)>(values), outer, inner, stride);
  });
}

}  // namespace regiht::library
