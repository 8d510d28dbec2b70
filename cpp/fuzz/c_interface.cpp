#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#include "bytes.hpp"
#include "harnesses.hpp"
#include "regiht.h"

namespace regiht::fuzz {
namespace {

template <class Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle*)>;

/// The arrays of a matrix, which must outlive its design.
struct Arrays {
  std::vector<double> doubles;
  std::vector<float> floats;
  std::vector<std::int32_t> short_indices, short_offsets;
  std::vector<std::int64_t> long_indices, long_offsets;
};

/// Offsets that may be wrong anywhere but at the end: the arrays are as long as the last one says.
template <class Index>
void make_structure(Bytes& bytes, std::int64_t slices, std::int64_t slice_size, std::int64_t stored,
                    std::vector<Index>& indices, std::vector<Index>& offsets) {
  for (std::int64_t k = 0; k < slices; ++k)
    offsets.push_back(static_cast<Index>(bytes.between(0, 9) == 0
                                             ? bytes.take<std::int32_t>()
                                             : std::min(stored, k * stored / slices)));
  offsets.push_back(static_cast<Index>(stored));
  for (std::int64_t k = 0; k < stored; ++k)
    indices.push_back(static_cast<Index>(bytes.between(0, 19) == 0
                                             ? bytes.take<std::int32_t>()
                                             : k % std::max<std::int64_t>(slice_size, 1)));
}

Owned<regiht_design> make_design(Bytes& bytes, std::int64_t rows, std::int64_t cols,
                                 Arrays& arrays) {
  const bool sparse = bytes.between(0, 1) != 0, by_rows = bytes.between(0, 1) != 0;
  const int value_type = static_cast<int>(bytes.between(0, 1));
  const std::int64_t slices = by_rows ? rows : cols, slice_size = by_rows ? cols : rows;
  const std::int64_t stride = slice_size + bytes.between(0, 2);
  const std::int64_t stored = sparse ? bytes.between(0, rows * cols) : slices * stride;
  const void* values = nullptr;
  if (value_type == REGIHT_FLOAT64) {
    arrays.doubles = bytes.numbers<double>(stored + 1);
    values = arrays.doubles.data();
  } else {
    // Too large for a float is infinity, and refused.
    for (const double value : bytes.numbers<double>(stored + 1))
      arrays.floats.push_back(std::abs(value) > 1e38 ? HUGE_VALF : static_cast<float>(value));
    values = arrays.floats.data();
  }
  regiht_design* design = nullptr;
  if (!sparse) {
    design = by_rows ? regiht_design_new_dense_rows(values, value_type, rows, cols, stride)
                     : regiht_design_new_dense_columns(values, value_type, rows, cols, stride);
  } else {
    const int index_type = static_cast<int>(bytes.between(0, 1));
    const void *indices = nullptr, *offsets = nullptr;
    if (index_type == REGIHT_INT32) {
      make_structure(bytes, slices, slice_size, stored, arrays.short_indices, arrays.short_offsets);
      arrays.short_indices.push_back(0);  // an empty vector has no data to point at
      indices = arrays.short_indices.data();
      offsets = arrays.short_offsets.data();
    } else {
      make_structure(bytes, slices, slice_size, stored, arrays.long_indices, arrays.long_offsets);
      arrays.long_indices.push_back(0);
      indices = arrays.long_indices.data();
      offsets = arrays.long_offsets.data();
    }
    design = by_rows ? regiht_design_new_sparse_rows(values, value_type, indices, offsets,
                                                     index_type, rows, cols)
                     : regiht_design_new_sparse_columns(values, value_type, indices, offsets,
                                                        index_type, rows, cols);
  }
  return {design, &regiht_design_free};
}

void require_error() {
  require(regiht_last_error_code() == REGIHT_INVALID_ARGUMENT, "a refusal is an invalid argument");
  require(std::strlen(regiht_last_error()) > 0, "a refusal has a sentence");
}

void change_settings(Bytes& bytes, regiht_problem* problem, std::int64_t rows, std::int64_t cols) {
  const char* names[] = {"ridge",     "intercept", "max_iter", "tol",
                         "step",      "refit",     "swap",     "effort",
                         "seed",      "positive",  "tol",      "round_threshold",
                         "safeguard", "keep",      "screening"};
  for (std::int64_t count = bytes.between(0, 4); count > 0; --count) {
    const char* name = names[bytes.between(0, static_cast<std::int64_t>(std::size(names)) - 1)];
    if (regiht_problem_set(problem, name, std::abs(std::floor(bytes.number()))) != REGIHT_OK)
      require_error();
  }
  // No harness may take for ever.
  regiht_problem_set(problem, "max_iter", static_cast<double>(bytes.between(0, 60)));
  regiht_problem_set(problem, "time_limit", 0.5);
  if (bytes.between(0, 3) == 0)
    regiht_problem_set_sample_weights(problem, bytes.numbers<double>(rows).data());
  if (bytes.between(0, 3) == 0) {
    std::vector<std::int64_t> columns;
    for (std::int64_t k = bytes.between(0, 3); k > 0; --k)
      columns.push_back(bytes.between(-1, cols));
    columns.push_back(0);  // an empty vector has no data to point at
    regiht_problem_set_keep(problem, columns.data(), static_cast<std::int64_t>(columns.size()) - 1);
  }
  if (bytes.between(0, 3) == 0) {
    std::vector<std::int64_t> groups;
    for (std::int64_t j = 0; j < cols; ++j) groups.push_back(bytes.between(-2, 3));
    regiht_problem_set_groups(problem, groups.data());
  }
}

}  // namespace

void c_interface(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::int64_t rows = bytes.between(0, 12), cols = bytes.between(0, 12);
  Arrays arrays;
  auto design = make_design(bytes, rows, cols, arrays);
  if (!design) return require_error();
  if (bytes.between(0, 2) == 0) {
    Owned<regiht_design> standardized(
        regiht_design_new_standardized(design.get(), static_cast<int>(bytes.between(0, 1)),
                                       static_cast<int>(bytes.between(0, 1))),
        &regiht_design_free);
    if (!standardized) return require_error();
    design = std::move(standardized);
  }
  std::vector<double> targets = bytes.numbers<double>(rows);
  if (bytes.between(0, 1) != 0)
    for (double& target : targets) target = target > 0.0 ? 1.0 : 0.0;
  const Owned<regiht_problem> problem(
      regiht_problem_new(design.get(), regiht_loss_name(bytes.between(0, 4)), targets.data()),
      &regiht_problem_free);
  if (!problem) return require_error();
  change_settings(bytes, problem.get(), rows, cols);
  std::int64_t methods = 0;
  while (regiht_method_name(methods)) ++methods;
  const std::int64_t s = bytes.between(0, 13);
  const Owned<regiht_result> fit(
      regiht_solve(problem.get(), regiht_method_name(bytes.between(0, methods - 1)), s, nullptr,
                   nullptr),
      &regiht_result_free);
  if (!fit) return require_error();
  const std::int64_t count = regiht_result_count(fit.get());
  const std::int64_t* columns = regiht_result_columns(fit.get());
  for (std::int64_t k = 0; k < count; ++k) {
    require(columns[k] >= 0 && columns[k] < cols, "a column of the matrix");
    require(k == 0 || columns[k] > columns[k - 1], "columns ascend");
  }
  require(!regiht_result_success(fit.get()) || std::isfinite(regiht_result_value(fit.get())),
          "success has a value");
  std::vector<double> predictions(static_cast<std::size_t>(rows));
  require(regiht_predict(fit.get(), design.get(), predictions.data()) == REGIHT_OK, "it predicts");
}

}  // namespace regiht::fuzz
