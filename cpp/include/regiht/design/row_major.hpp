#pragma once

#include <algorithm>

#include "regiht/design/design.hpp"
#include "regiht/design/quantized/dense.hpp"
#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Dense matrix whose rows are contiguous; row i starts at data + i · stride.
///
/// Aᵀv is summed row by row within a chunk, then over chunks; a single column is summed in the same
/// order and has the same bits.
template <class Value>
class RowMajorDesign final : public Design {
 public:
  RowMajorDesign(const Value* data, Index rows, Index cols, Index stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }

  void apply(const SparseVector& x, double start, VectorView prediction,
             int threads) const override {
    const Index listed = x.size();
    const Index* indices = x.indices.data();
    const double* values = x.values.data();
    parallel_for(worth_threads(threads, rows_ * listed), kernels::chunk_count(rows_),
                 [&](Index chunk) {
                   const auto [first, last] = chunk_range(chunk);
                   Index i = first;
                   for (; i + 4 <= last; i += 4) {  // four rows at once, so that additions overlap
                     double t0 = start, t1 = start, t2 = start, t3 = start;
                     const Value* a = row(i);
                     for (Index k = 0; k < listed; ++k) {
                       const Value* entry = a + indices[k];
                       t0 += values[k] * static_cast<double>(entry[0]);
                       t1 += values[k] * static_cast<double>(entry[stride_]);
                       t2 += values[k] * static_cast<double>(entry[2 * stride_]);
                       t3 += values[k] * static_cast<double>(entry[3 * stride_]);
                     }
                     prediction[i] = t0;
                     prediction[i + 1] = t1;
                     prediction[i + 2] = t2;
                     prediction[i + 3] = t3;
                   }
                   for (; i < last; ++i) {
                     double total = start;
                     for (Index k = 0; k < listed; ++k)
                       total += values[k] * static_cast<double>(row(i)[indices[k]]);
                     prediction[i] = total;
                   }
                 });
  }

  void apply_transpose(ConstVectorView v, VectorView out, int threads) const override {
    const Index chunks = kernels::chunk_count(rows_);
    const Index panels = (cols_ + panel_cols - 1) / panel_cols;
    Eigen::MatrixXd partial(cols_, chunks > 1 ? chunks : 0);
    double* const sums = chunks > 1 ? partial.data() : out.data();
    parallel_for(worth_threads(threads, rows_ * cols_), chunks * panels, [&](Index task) {
      const Index chunk = task / panels;
      const Index first_col = (task % panels) * panel_cols;
      const Index width = std::min(panel_cols, cols_ - first_col);
      const auto [first, last] = chunk_range(chunk);
      double* const at = sums + chunk * cols_ + first_col;
      std::fill_n(at, width, 0.0);
      kernels::add_scaled_rows(last - first, width, v.data() + first, row(first) + first_col,
                               stride_, at);
    });
    if (chunks == 1) return;
    out.setZero();
    for (Index chunk = 0; chunk < chunks; ++chunk)
      kernels::add_scaled(cols_, 1.0, partial.data() + chunk * cols_, out.data());
  }

  void apply_transpose(const Support& columns, ConstVectorView v, VectorView out,
                       int threads) const override {
    const Index count = static_cast<Index>(columns.size());
    const Index chunks = kernels::chunk_count(rows_);
    Eigen::MatrixXd partial = Eigen::MatrixXd::Zero(count, chunks);
    parallel_for(worth_threads(threads, rows_ * count), chunks, [&](Index chunk) {
      const auto [first, last] = chunk_range(chunk);
      double* sums = partial.data() + chunk * count;
      Index i = first;
      for (; i + 4 <= last; i += 4) {
        const Value* a = row(i);
        const double v0 = v[i], v1 = v[i + 1], v2 = v[i + 2], v3 = v[i + 3];
        for (Index k = 0; k < count; ++k) {
          const Value* entry = a + columns[static_cast<std::size_t>(k)];
          sums[k] = (((sums[k] + v0 * static_cast<double>(entry[0])) +
                      v1 * static_cast<double>(entry[stride_])) +
                     v2 * static_cast<double>(entry[2 * stride_])) +
                    v3 * static_cast<double>(entry[3 * stride_]);
        }
      }
      for (; i < last; ++i)
        for (Index k = 0; k < count; ++k)
          sums[k] += v[i] * static_cast<double>(row(i)[columns[static_cast<std::size_t>(k)]]);
    });
    out.setZero();
    for (Index chunk = 0; chunk < chunks; ++chunk)
      kernels::add_scaled(count, 1.0, partial.data() + chunk * count, out.data());
  }

  ColumnRanges column_ranges() const override {
    ColumnRanges ranges{Vector::Zero(cols_), Vector::Zero(cols_), Vector::Zero(cols_)};
    if (rows_ == 0) return ranges;
    for (Index j = 0; j < cols_; ++j)
      ranges.minima[j] = ranges.maxima[j] = static_cast<double>(data_[j]);
    for (Index i = 0; i < rows_; ++i) {
      const Value* a = row(i);
      for (Index j = 0; j < cols_; ++j) {
        const double entry = static_cast<double>(a[j]);
        ranges.sums[j] += entry;
        ranges.minima[j] = std::min(ranges.minima[j], entry);
        ranges.maxima[j] = std::max(ranges.maxima[j], entry);
      }
    }
    return ranges;
  }

  void column_squares(ConstVectorView shift, VectorView out) const override {
    out.setZero();
    for (Index i = 0; i < rows_; ++i) {
      const Value* a = row(i);
      for (Index j = 0; j < cols_; ++j) {
        const double deviation = static_cast<double>(a[j]) - shift[j];
        out[j] += deviation * deviation;
      }
    }
  }

  void copy_rows(Index first, Index count, double* block, Index stride) const override {
    for (Index i = 0; i < count; ++i) std::copy_n(row(first + i), cols_, block + i * stride);
  }

  void copy_columns(const Support& columns, Index first, Index count, double* block,
                    Index stride) const override {
    for (Index i = 0; i < count; ++i) {
      const Value* a = row(first + i);
      for (std::size_t k = 0; k < columns.size(); ++k)
        block[static_cast<Index>(k) * stride + i] = static_cast<double>(a[columns[k]]);
    }
  }

  // Worth it, since each entry of a column lies on its own cache line.
  bool can_quantize() const override { return true; }
  std::shared_ptr<QuantizedMatrix> quantized(int threads) const override {
    return std::make_shared<QuantizedDense>(rows_, cols_, threads, [this](Index j, double* buffer) {
      for (Index i = 0; i < rows_; ++i) buffer[i] = static_cast<double>(row(i)[j]);
      return buffer;
    });
  }

  double column_cost(Index) const override { return 4.0 * static_cast<double>(rows_); }
  double full_cost() const override { return static_cast<double>(rows_ * cols_); }

 private:
  static constexpr Index panel_cols = 2048;

  const Value* row(Index i) const { return data_ + i * stride_; }

  std::pair<Index, Index> chunk_range(Index chunk) const {
    const Index first = chunk * kernels::chunk_rows;
    return {first, std::min(first + kernels::chunk_rows, rows_)};
  }

  const Value* data_;
  Index rows_, cols_, stride_;
};

}}  // namespace regiht::REGIHT_ABI
