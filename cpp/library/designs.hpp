#pragma once

#include <memory>

#include "regiht/design/design.hpp"

/// Designs from arrays whose types are known only at run time.
namespace regiht::library {

enum class ValueType { float64, float32 };
enum class IndexType { int32, int64 };
enum class Order { by_columns, by_rows };

/// A borrowed array; `stride` is the distance between the starts of adjacent slices.
struct DenseArray {
  const void* values;
  ValueType type;
  Index rows, cols, stride;
  Order order;
};

struct CompressedArrays {
  const void* values;
  ValueType value_type;
  const void* indices;
  const void* offsets;
  IndexType index_type;
  Index rows, cols;
  Order order;
};

/// Views; no entry is checked.
std::shared_ptr<const Design> make_design(const DenseArray& array);
std::shared_ptr<const Design> make_design(const CompressedArrays& arrays);

/// Throws std::invalid_argument for entries that are not finite, and for indices or offsets out of
/// range.
void check(const DenseArray& array);
void check(const CompressedArrays& arrays);

/// Whether `outer` slices of `inner` numbers, `stride` apart, hold neither NaN nor infinity.
bool all_finite(const void* values, ValueType type, Index outer, Index inner, Index stride);

}  // namespace regiht::library
