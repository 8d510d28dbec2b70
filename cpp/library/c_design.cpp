#include "designs.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace regiht::library { namespace {

ValueType value_type(int type) {
  require(type == REGIHT_FLOAT64 || type == REGIHT_FLOAT32,
          "value_type must be REGIHT_FLOAT64 or REGIHT_FLOAT32");
  return type == REGIHT_FLOAT64 ? ValueType::float64 : ValueType::float32;
}

IndexType index_type(int type) {
  require(type == REGIHT_INT32 || type == REGIHT_INT64,
          "index_type must be REGIHT_INT32 or REGIHT_INT64");
  return type == REGIHT_INT32 ? IndexType::int32 : IndexType::int64;
}

void require_shape(std::int64_t rows, std::int64_t cols) {
  require(rows >= 1 && cols >= 1, "a design needs at least one row and one column");
}

template <class Arrays>
regiht_design* checked_design(const Arrays& arrays) {
  check(arrays);
  auto handle = std::make_unique<regiht_design>();
  handle->matrix = make_design(arrays);
  return handle.release();
}

regiht_design* dense(const void* values, int type, std::int64_t rows, std::int64_t cols,
                     std::int64_t stride, Order order) noexcept {
  return guarded<>(static_cast<regiht_design*>(nullptr), [&] {
    require_shape(rows, cols);
    require(values != nullptr, "values must not be NULL");
    require(stride >= (order == Order::by_rows ? cols : rows),
            "stride must not be below the length of a row, or of a column");
    return checked_design(DenseArray{values, value_type(type), rows, cols, stride, order});
  });
}

regiht_design* compressed(const CompressedArrays& arrays, int values, int indices) noexcept {
  return guarded<>(static_cast<regiht_design*>(nullptr), [&] {
    require_shape(arrays.rows, arrays.cols);
    require(arrays.values && arrays.indices && arrays.offsets,
            "values, indices and offsets must not be NULL");
    CompressedArrays typed = arrays;
    typed.value_type = value_type(values);
    typed.index_type = index_type(indices);
    return checked_design(typed);
  });
}

}}  // namespace regiht::library

using namespace regiht::library;

regiht_design* regiht_design_new_dense_columns(const void* values, int value_type, int64_t rows,
                                               int64_t cols, int64_t stride) {
  return dense(values, value_type, rows, cols, stride, Order::by_columns);
}

regiht_design* regiht_design_new_dense_rows(const void* values, int value_type, int64_t rows,
                                            int64_t cols, int64_t stride) {
  return dense(values, value_type, rows, cols, stride, Order::by_rows);
}

regiht_design* regiht_design_new_sparse_columns(const void* values, int value_type,
                                                const void* indices, const void* offsets,
                                                int index_type, int64_t rows, int64_t cols) {
  return compressed({values, {}, indices, offsets, {}, rows, cols, Order::by_columns}, value_type,
                    index_type);
}

regiht_design* regiht_design_new_sparse_rows(const void* values, int value_type,
                                             const void* indices, const void* offsets,
                                             int index_type, int64_t rows, int64_t cols) {
  return compressed({values, {}, indices, offsets, {}, rows, cols, Order::by_rows}, value_type,
                    index_type);
}

regiht_design* regiht_design_new_standardized(const regiht_design* design, int center, int scale) {
  return guarded<>(static_cast<regiht_design*>(nullptr), [&] {
    require(design != nullptr, "design must not be NULL");
    require(!design->standardized, "the design is standardized already");
    auto handle = std::make_unique<regiht_design>();
    handle->matrix = design->matrix;
    handle->standardized = regiht::standardize(design->matrix, center != 0, scale != 0);
    return handle.release();
  });
}

int64_t regiht_design_rows(const regiht_design* design) {
  return design ? design->matrix->rows() : 0;
}

int64_t regiht_design_cols(const regiht_design* design) {
  return design ? design->matrix->cols() : 0;
}

void regiht_design_free(regiht_design* design) { delete design; }
