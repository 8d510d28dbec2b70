#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "regiht/design/compressed.hpp"
#include "regiht/design/design.hpp"
#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Compressed sparse rows. Every operation reads the whole matrix: for when there is no room for a
/// copy by columns.
///
/// Aᵀv is summed row by row within a few blocks of rows, then over the blocks; the number of blocks
/// depends on the shape alone, never on the number of threads.
template <class Value, class StorageIndex>
class CsrDesign final : public Design {
 public:
  CsrDesign(Compressed<Value, StorageIndex> matrix, Index rows, Index cols)
      : matrix_(matrix), rows_(rows), cols_(cols) {
    const Index stored = rows == 0 ? 0 : matrix.end(rows - 1);
    blocks_ = std::clamp<Index>(stored / (4 * std::max<Index>(cols, 1)), 1, 8);
  }

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }

  void apply(const SparseVector& x, double start, VectorView prediction,
             int threads) const override {
    const Vector full = x.dense(cols_);
    parallel_for(worth_threads(threads, stored()), kernels::chunk_count(rows_), [&](Index chunk) {
      const Index first = chunk * kernels::chunk_rows;
      const Index last = std::min(first + kernels::chunk_rows, rows_);
      for (Index i = first; i < last; ++i)
        prediction[i] =
            start + kernels::gathered_dot(matrix_.length(i), matrix_.values + matrix_.begin(i),
                                          matrix_.indices + matrix_.begin(i), full.data());
    });
  }

  void apply_transpose(ConstVectorView v, VectorView out, int threads) const override {
    Eigen::MatrixXd partial = Eigen::MatrixXd::Zero(cols_, blocks_);
    for_each_block(threads, [&](Index block, Index first, Index last) {
      double* sums = partial.data() + block * cols_;
      for (Index i = first; i < last; ++i)
        kernels::scatter_scaled(matrix_.length(i), v[i], matrix_.values + matrix_.begin(i),
                                matrix_.indices + matrix_.begin(i), sums);
    });
    add_up(partial, out);
  }

  void apply_transpose(const Support& columns, ConstVectorView v, VectorView out,
                       int threads) const override {
    const Index count = static_cast<Index>(columns.size());
    Eigen::VectorXi slot = Eigen::VectorXi::Constant(cols_, static_cast<int>(count));
    for (std::size_t k = 0; k < columns.size(); ++k) slot[columns[k]] = static_cast<int>(k);
    // The last slot collects entries of other columns.
    Eigen::MatrixXd partial = Eigen::MatrixXd::Zero(count + 1, blocks_);
    for_each_block(threads, [&](Index block, Index first, Index last) {
      double* sums = partial.data() + block * (count + 1);
      for (Index i = first; i < last; ++i)
        for (Index k = matrix_.begin(i); k < matrix_.end(i); ++k)
          sums[slot[static_cast<Index>(matrix_.indices[k])]] +=
              v[i] * static_cast<double>(matrix_.values[k]);
    });
    Vector sums(count + 1);
    add_up(partial, sums);
    out = sums.head(count);
  }

  // One pass over the matrix, whatever the number of columns.
  void weighted_products(const Support& left, const Support& right, const double* weights,
                         Matrix& out, int) const override {
    out.setZero(static_cast<Index>(left.size()), static_cast<Index>(right.size()));
    const std::vector<Index> rows_of = slots(left), columns_of = slots(right);
    std::vector<std::pair<Index, double>> in_left;
    for (Index i = 0; i < rows_; ++i) {
      in_left.clear();
      for (Index e = matrix_.begin(i); e < matrix_.end(i); ++e)
        if (const Index slot = rows_of[static_cast<std::size_t>(matrix_.indices[e])]; slot >= 0)
          in_left.emplace_back(slot, static_cast<double>(matrix_.values[e]));
      if (in_left.empty()) continue;
      for (Index e = matrix_.begin(i); e < matrix_.end(i); ++e) {
        const Index slot = columns_of[static_cast<std::size_t>(matrix_.indices[e])];
        if (slot < 0) continue;
        const double factor = static_cast<double>(matrix_.values[e]) * (weights ? weights[i] : 1.0);
        for (const auto& [k, value] : in_left) out(k, slot) += factor * value;
      }
    }
  }

  void weighted_squares(const Support& columns, const double* weights, VectorView out,
                        int) const override {
    out.setZero();
    const std::vector<Index> slot_of = slots(columns);
    for (Index i = 0; i < rows_; ++i)
      for (Index e = matrix_.begin(i); e < matrix_.end(i); ++e)
        if (const Index slot = slot_of[static_cast<std::size_t>(matrix_.indices[e])]; slot >= 0) {
          const double entry = static_cast<double>(matrix_.values[e]);
          out[slot] += weights[i] * entry * entry;
        }
  }

  bool is_sparse() const override { return true; }

  ColumnRanges column_ranges() const override {
    ColumnRanges ranges{Vector::Zero(cols_), Vector::Zero(cols_), Vector::Zero(cols_)};
    std::vector<Index> seen(static_cast<std::size_t>(cols_), 0);
    for_each_entry([&](Index j, double entry) {
      const bool first = seen[static_cast<std::size_t>(j)]++ == 0;
      ranges.sums[j] += entry;
      ranges.minima[j] = first ? entry : std::min(ranges.minima[j], entry);
      ranges.maxima[j] = first ? entry : std::max(ranges.maxima[j], entry);
    });
    for (Index j = 0; j < cols_; ++j) {
      if (seen[static_cast<std::size_t>(j)] == rows_) continue;
      ranges.minima[j] = std::min(ranges.minima[j], 0.0);
      ranges.maxima[j] = std::max(ranges.maxima[j], 0.0);
    }
    return ranges;
  }

  void column_squares(ConstVectorView shift, VectorView out) const override {
    out.setZero();
    Vector missing = Vector::Constant(cols_, static_cast<double>(rows_));
    for_each_entry([&](Index j, double entry) {
      out[j] += (entry - shift[j]) * (entry - shift[j]);
      missing[j] -= 1.0;
    });
    out.array() += missing.array() * shift.array().square();
  }

  void copy_rows(Index first, Index count, double* block, Index stride) const override {
    for (Index i = 0; i < count; ++i) {
      std::fill_n(block + i * stride, cols_, 0.0);
      for (Index k = matrix_.begin(first + i); k < matrix_.end(first + i); ++k)
        block[i * stride + static_cast<Index>(matrix_.indices[k])] =
            static_cast<double>(matrix_.values[k]);
    }
  }

  double column_cost(Index) const override { return full_cost(); }
  double full_cost() const override { return static_cast<double>(stored()); }

 private:
  Index stored() const { return rows_ == 0 ? 0 : matrix_.end(rows_ - 1); }

  /// The position of every column among these, or −1.
  std::vector<Index> slots(const Support& columns) const {
    std::vector<Index> out(static_cast<std::size_t>(cols_), -1);
    for (std::size_t k = 0; k < columns.size(); ++k)
      out[static_cast<std::size_t>(columns[k])] = static_cast<Index>(k);
    return out;
  }

  template <class Visit>
  void for_each_entry(Visit&& visit) const {
    for (Index k = 0; k < stored(); ++k)
      visit(static_cast<Index>(matrix_.indices[k]), static_cast<double>(matrix_.values[k]));
  }

  template <class Visit>
  void for_each_block(int threads, Visit&& visit) const {
    parallel_for(worth_threads(threads, stored()), blocks_, [&](Index block) {
      visit(block, rows_ * block / blocks_, rows_ * (block + 1) / blocks_);
    });
  }

  static void add_up(const Eigen::MatrixXd& partial, VectorView out) {
    out.setZero();
    for (Index block = 0; block < partial.cols(); ++block) out += partial.col(block);
  }

  Compressed<Value, StorageIndex> matrix_;
  Index rows_, cols_;
  Index blocks_;
};

}}  // namespace regiht::REGIHT_ABI
