#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "regiht/design/compressed.hpp"
#include "regiht/design/design.hpp"
#include "regiht/design/sparse_products.hpp"
#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Compressed sparse columns, the preferred sparse layout: each column is contiguous.
template <class Value, class StorageIndex>
class CscDesign final : public Design {
 public:
  CscDesign(Compressed<Value, StorageIndex> matrix, Index rows, Index cols)
      : matrix_(matrix), rows_(rows), cols_(cols) {}

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }

  void apply(const SparseVector& x, double start, VectorView prediction, int) const override {
    prediction.setConstant(start);
    for (std::size_t k = 0; k < x.indices.size(); ++k) {
      const Index first = matrix_.begin(x.indices[k]);
      kernels::scatter_scaled(matrix_.length(x.indices[k]), x.values[k], matrix_.values + first,
                              matrix_.indices + first, prediction.data());
    }
  }

  void apply_transpose(ConstVectorView v, VectorView out, int threads) const override {
    const Index tasks = std::min<Index>(cols_, 64);
    parallel_for(worth_threads(threads, matrix_.end(cols_ - 1)), tasks, [&](Index task) {
      const auto [first, last] = equal_share(task, tasks);
      for (Index j = first; j < last; ++j) out[j] = dot(j, v.data());
    });
  }

  void apply_transpose(const Support& columns, ConstVectorView v, VectorView out,
                       int) const override {
    for (std::size_t k = 0; k < columns.size(); ++k)
      out[static_cast<Index>(k)] = dot(columns[k], v.data());
  }

  void weighted_products(const Support& left, const Support& right, const double* weights,
                         Matrix& out, int) const override {
    SparseProducts<Value, StorageIndex>(matrix_, rows_, weights).multiply(left, right, out);
  }

  void weighted_covariances(const Support& left, const Support& right, const double* weights,
                            double total, Matrix& out, int) const override {
    SparseProducts<Value, StorageIndex> products(matrix_, rows_, weights);
    products.multiply(left, right, out);
    if (total > 0.0)
      out.noalias() -= products.left_sums() * (products.right_sums() / total).transpose();
  }

  void weighted_squares(const Support& columns, const double* weights, VectorView out,
                        int) const override {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      double total = 0.0;
      for (Index e = matrix_.begin(columns[k]); e < matrix_.end(columns[k]); ++e) {
        const double entry = static_cast<double>(matrix_.values[e]);
        total += weights[matrix_.indices[e]] * entry * entry;
      }
      out[static_cast<Index>(k)] = total;
    }
  }

  bool is_sparse() const override { return true; }

  bool list_entries(const Support& columns, ColumnEntries& out) const override {
    if (rows_ > std::numeric_limits<std::int32_t>::max()) return false;
    out.offsets.assign(1, 0);
    out.rows.clear();
    out.values.clear();
    for (const Index j : columns) {
      for (Index i = matrix_.begin(j); i < matrix_.end(j); ++i) {
        out.rows.push_back(static_cast<std::int32_t>(matrix_.indices[i]));
        out.values.push_back(static_cast<double>(matrix_.values[i]));
      }
      out.offsets.push_back(static_cast<Index>(out.rows.size()));
    }
    out.means.assign(columns.size(), 0.0);
    out.factors.assign(columns.size(), 1.0);
    return true;
  }

  ColumnRanges column_ranges() const override {
    ColumnRanges ranges{Vector::Zero(cols_), Vector::Zero(cols_), Vector::Zero(cols_)};
    for (Index j = 0; j < cols_; ++j) {
      const Index length = matrix_.length(j);
      if (length == 0) continue;
      const Value* a = matrix_.values + matrix_.begin(j);
      const auto [least, greatest] = std::minmax_element(a, a + length);
      const bool full = length == rows_;
      ranges.minima[j] = full ? static_cast<double>(*least) : std::min(0.0, double(*least));
      ranges.maxima[j] = full ? static_cast<double>(*greatest) : std::max(0.0, double(*greatest));
      ranges.sums[j] = kernels::sum_of(length, [=](Index i) { return static_cast<double>(a[i]); });
    }
    return ranges;
  }

  void column_squares(ConstVectorView shift, VectorView out) const override {
    for (Index j = 0; j < cols_; ++j) {
      const Value* a = matrix_.values + matrix_.begin(j);
      const double center = shift[j];
      // Never Σa² − mμ², which cancels.
      const double stored = kernels::sum_of(matrix_.length(j), [=](Index i) {
        const double deviation = static_cast<double>(a[i]) - center;
        return deviation * deviation;
      });
      out[j] = stored + static_cast<double>(rows_ - matrix_.length(j)) * center * center;
    }
  }

  void copy_rows(Index first, Index count, double* block, Index stride) const override {
    for (Index i = 0; i < count; ++i) std::fill_n(block + i * stride, cols_, 0.0);
    for (Index j = 0; j < cols_; ++j) {
      const StorageIndex* last = matrix_.indices + matrix_.end(j);
      const StorageIndex* entry = std::lower_bound(matrix_.indices + matrix_.begin(j), last,
                                                   static_cast<StorageIndex>(first));
      for (; entry != last && static_cast<Index>(*entry) < first + count; ++entry)
        block[(static_cast<Index>(*entry) - first) * stride + j] =
            static_cast<double>(matrix_.values[entry - matrix_.indices]);
    }
  }

  double column_cost(Index column) const override {
    return static_cast<double>(matrix_.length(column) + per_column);
  }
  double full_cost() const override {
    return static_cast<double>(matrix_.end(cols_ - 1) + per_column * cols_);
  }

 private:
  static constexpr Index per_column = 4;  // the cost of a column besides its entries

  double dot(Index j, const double* v) const {
    const Index first = matrix_.begin(j);
    return kernels::gathered_dot(matrix_.length(j), matrix_.values + first, matrix_.indices + first,
                                 v);
  }

  /// The columns [first, last) of one task; tasks have about equally many stored entries.
  std::pair<Index, Index> equal_share(Index task, Index tasks) const {
    const auto boundary = [&](Index part) {
      if (part == tasks) return cols_;
      const Index entry = matrix_.end(cols_ - 1) / tasks * part;
      const StorageIndex* begin = matrix_.offsets;
      return static_cast<Index>(
          std::lower_bound(begin, begin + cols_, static_cast<StorageIndex>(entry)) - begin);
    };
    return {boundary(task), boundary(task + 1)};
  }

  Compressed<Value, StorageIndex> matrix_;
  Index rows_, cols_;
};

}}  // namespace regiht::REGIHT_ABI
