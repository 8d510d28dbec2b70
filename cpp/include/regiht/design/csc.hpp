#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "regiht/design/compressed.hpp"
#include "regiht/design/design.hpp"
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

  /// Goes through the left columns by rows, so that only pairs of stored entries cost anything. If
  /// both sides are the same, one half mirrors the other.
  void weighted_products(const Support& left, const Support& right, const double* weights,
                         Matrix& out, int) const override {
    out.setZero(static_cast<Index>(left.size()), static_cast<Index>(right.size()));
    const RowsOfColumns rows(*this, left);
    const bool symmetric = left == right;
    for (Index l = 0; l < out.cols(); ++l) {
      const Index column = right[static_cast<std::size_t>(l)];
      double* sums = out.data() + l * out.rows();
      for (Index e = matrix_.begin(column); e < matrix_.end(column); ++e) {
        const Index row = static_cast<Index>(matrix_.indices[e]);
        const double factor =
            static_cast<double>(matrix_.values[e]) * (weights ? weights[row] : 1.0);
        rows.add_scaled(row, factor, symmetric ? l + 1 : out.rows(), sums);
      }
    }
    if (symmetric) out.triangularView<Eigen::StrictlyLower>() = out.transpose();
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
  /// Some columns, sorted by rows.
  class RowsOfColumns {
   public:
    RowsOfColumns(const CscDesign& design, const Support& columns)
        : first_(static_cast<std::size_t>(design.rows_) + 2, 0) {
      const auto& matrix = design.matrix_;
      std::size_t count = 0;
      for (const Index j : columns) {
        count += static_cast<std::size_t>(matrix.length(j));
        for (Index e = matrix.begin(j); e < matrix.end(j); ++e)
          ++first_[static_cast<std::size_t>(matrix.indices[e]) + 2];
      }
      std::partial_sum(first_.begin(), first_.end(), first_.begin());
      entries_.resize(count);
      for (std::size_t k = 0; k < columns.size(); ++k)
        for (Index e = matrix.begin(columns[k]); e < matrix.end(columns[k]); ++e) {
          const std::size_t row = static_cast<std::size_t>(matrix.indices[e]);
          entries_[first_[row + 1]++] = {static_cast<Index>(k),
                                         static_cast<double>(matrix.values[e])};
        }
    }

    /// sums[k] += factor · (entry of the k-th column in this row) for k < columns.
    void add_scaled(Index row, double factor, Index columns, double* sums) const {
      const std::size_t end = first_[static_cast<std::size_t>(row) + 1];
      for (std::size_t e = first_[static_cast<std::size_t>(row)]; e < end; ++e) {
        if (entries_[e].column >= columns) break;
        sums[entries_[e].column] += factor * entries_[e].value;
      }
    }

   private:
    struct Entry {
      Index column;
      double value;
    };
    std::vector<std::size_t> first_;  // by row, in entries_
    std::vector<Entry> entries_;
  };

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
