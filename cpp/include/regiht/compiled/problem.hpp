#pragma once

// For programs that link the compiled library, regiht::core: no Eigen and nothing slow to compile.
// A thin layer over regiht.h, which documents each function in more detail.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "regiht.h"
#include "regiht/compiled/objective.hpp"
#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace compiled {

namespace detail {

/// Throws the error of the last failed call.
[[noreturn]] inline void raise() {
  const std::string text = regiht_last_error();
  switch (regiht_last_error_code()) {
    case REGIHT_OUT_OF_MEMORY:
      throw std::bad_alloc();
    case REGIHT_INVALID_ARGUMENT:
      throw std::invalid_argument(text);
    default:
      throw std::runtime_error(text);
  }
}

inline void require(int code) {
  if (code != REGIHT_OK) raise();
}

template <class Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle*)>;

template <class Handle>
Owned<Handle> own(Handle* handle, void (*free)(Handle*)) {
  if (!handle) raise();
  return {handle, free};
}

inline int value_type(const double*) { return REGIHT_FLOAT64; }
inline int value_type(const float*) { return REGIHT_FLOAT32; }
inline int index_type(const std::int32_t*) { return REGIHT_INT32; }
inline int index_type(const std::int64_t*) { return REGIHT_INT64; }

}  // namespace detail

/// A borrowed matrix, which must outlive the design and every problem made from it.
class Design {
 public:
  /// Column-major; columns start `stride` apart, by default `rows`.
  template <class Value>
  static Design dense_columns(const Value* values, std::int64_t rows, std::int64_t cols,
                              std::int64_t stride = 0) {
    return Design(regiht_design_new_dense_columns(values, detail::value_type(values), rows, cols,
                                                  stride ? stride : rows));
  }

  /// Row-major; rows start `stride` apart, by default `cols`.
  template <class Value>
  static Design dense_rows(const Value* values, std::int64_t rows, std::int64_t cols,
                           std::int64_t stride = 0) {
    return Design(regiht_design_new_dense_rows(values, detail::value_type(values), rows, cols,
                                               stride ? stride : cols));
  }

  template <class Value, class StorageIndex>
  static Design sparse_columns(const Value* values, const StorageIndex* indices,
                               const StorageIndex* offsets, std::int64_t rows, std::int64_t cols) {
    return Design(regiht_design_new_sparse_columns(values, detail::value_type(values), indices,
                                                   offsets, detail::index_type(indices), rows,
                                                   cols));
  }

  template <class Value, class StorageIndex>
  static Design sparse_rows(const Value* values, const StorageIndex* indices,
                            const StorageIndex* offsets, std::int64_t rows, std::int64_t cols) {
    return Design(regiht_design_new_sparse_rows(values, detail::value_type(values), indices,
                                                offsets, detail::index_type(indices), rows, cols));
  }

  /// The same with columns centred and scaled to unit norm; coefficients keep the original scale.
  Design standardized(bool center = true, bool scale = true) const {
    return Design(regiht_design_new_standardized(get(), center, scale));
  }

  std::int64_t rows() const { return regiht_design_rows(get()); }
  std::int64_t cols() const { return regiht_design_cols(get()); }
  const regiht_design* get() const { return handle_.get(); }

 private:
  explicit Design(regiht_design* handle) : handle_(detail::own(handle, &regiht_design_free)) {}

  detail::Owned<regiht_design> handle_;
};

/// The model found by a solve.
struct Fit {
  std::vector<std::int64_t> columns;  ///< ascending
  std::vector<double> coefficients;
  double intercept = 0.0;
  double value = 0.0;  ///< the objective
  std::int64_t iterations = 0;
  std::string status, message;
  bool success = false;

  /// intercept + Σ coefficient·entry for a row with all columns.
  template <class Row>
  double predict(const Row& row) const {
    double prediction = intercept;
    for (std::size_t k = 0; k < columns.size(); ++k)
      prediction += coefficients[k] * static_cast<double>(row[columns[k]]);
    return prediction;
  }
};

/// A design, a loss and targets, or an objective of your own; and settings. Solving does not change
/// it, so several threads may solve the same problem at once, unless the objective is your own.
class Problem {
 public:
  /// Called with (iteration, value); returns true to stop the solve.
  using Observer = std::function<bool(std::int64_t, double)>;

  Problem(const Design& design, const std::string& loss, const std::vector<double>& targets)
      : handle_(nullptr, &regiht_problem_free), rows_(design.rows()), cols_(design.cols()) {
    check_size(targets.size(), rows_, "targets need one entry for every row");
    handle_ = detail::own(regiht_problem_new(design.get(), loss.c_str(), targets.data()),
                          &regiht_problem_free);
  }

  /// Borrows the objective.
  explicit Problem(Objective& objective)
      : Problem(std::make_unique<detail::SparseCalls>(objective), objective.dimension()) {}
  explicit Problem(DenseObjective& objective)
      : Problem(std::make_unique<detail::DenseCalls>(objective), objective.dimension()) {}

  /// Sets any numeric setting: ridge, intercept, threads, time_limit, max_iter, refit, …
  Problem& set(const std::string& name, double value) {
    detail::require(regiht_problem_set(handle_.get(), name.c_str(), value));
    return *this;
  }

  Problem& sample_weights(const std::vector<double>& weights) {
    if (!calls_) check_size(weights.size(), rows_, "sample weights need one entry for every row");
    detail::require(regiht_problem_set_sample_weights(handle_.get(), weights.data()));
    return *this;
  }

  /// Columns that are always selected and count in s; ascending.
  Problem& keep(const std::vector<std::int64_t>& columns) {
    detail::require(regiht_problem_set_keep(handle_.get(), columns.data(),
                                            static_cast<std::int64_t>(columns.size())));
    return *this;
  }

  Problem& start(const std::vector<std::int64_t>& columns, const std::vector<double>& values) {
    check_size(values.size(), static_cast<std::int64_t>(columns.size()),
               "a start needs as many values as columns");
    detail::require(regiht_problem_set_start(handle_.get(), columns.data(), values.data(),
                                             static_cast<std::int64_t>(columns.size())));
    return *this;
  }

  /// The group number of every column; s then counts groups.
  Problem& groups(const std::vector<std::int64_t>& group_of_column) {
    check_size(group_of_column.size(), cols_, "groups need one entry for every column");
    detail::require(regiht_problem_set_groups(handle_.get(), group_of_column.data()));
    return *this;
  }

  /// The best model found with at most s features. Exceptions of the observer and of your own
  /// objective are rethrown.
  Fit solve(std::int64_t s, const std::string& method = "best", Observer observer = {}) const {
    Watch watch{std::move(observer), nullptr};
    if (calls_) calls_->forget_thrown();
    const auto result =
        detail::Owned<regiht_result>(regiht_solve(handle_.get(), method.c_str(), s,
                                                  watch.function ? &Watch::call : nullptr, &watch),
                                     &regiht_result_free);
    if (watch.thrown) std::rethrow_exception(watch.thrown);
    if (calls_) calls_->rethrow();
    if (!result) detail::raise();
    return copy(result.get());
  }

 private:
  /// Carries an exception of the observer past the C interface.
  struct Watch {
    Observer function;
    std::exception_ptr thrown;

    static int call(std::int64_t iteration, double value, void* context) {
      Watch& watch = *static_cast<Watch*>(context);
      try {
        return watch.function(iteration, value);
      } catch (...) {
        watch.thrown = std::current_exception();
        return 1;
      }
    }
  };

  Problem(std::unique_ptr<detail::ObjectiveCalls> calls, std::int64_t dimension)
      : calls_(std::move(calls)),
        handle_(detail::own(calls_->make_problem(), &regiht_problem_free)),
        cols_(dimension) {}

  static void check_size(std::size_t size, std::int64_t wanted, const char* text) {
    if (static_cast<std::int64_t>(size) != wanted) throw std::invalid_argument(text);
  }

  static Fit copy(const regiht_result* result) {
    Fit fit;
    const std::int64_t* columns = regiht_result_columns(result);
    const double* coefficients = regiht_result_coefficients(result);
    fit.columns.assign(columns, columns + regiht_result_count(result));
    fit.coefficients.assign(coefficients, coefficients + regiht_result_count(result));
    fit.intercept = regiht_result_intercept(result);
    fit.value = regiht_result_value(result);
    fit.iterations = regiht_result_iterations(result);
    fit.status = regiht_result_status(result);
    fit.message = regiht_result_message(result);
    fit.success = regiht_result_success(result) != 0;
    return fit;
  }

  std::unique_ptr<detail::ObjectiveCalls> calls_;  // null for a linear model
  detail::Owned<regiht_problem> handle_;
  std::int64_t rows_ = 0, cols_;
};

}}}  // namespace regiht::REGIHT_ABI::compiled
