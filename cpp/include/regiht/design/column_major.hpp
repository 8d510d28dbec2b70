#pragma once

#include <algorithm>

#include "regiht/design/design.hpp"
#include "regiht/design/quantized/dense.hpp"
#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Dense matrix whose columns are contiguous; column j starts at data + j · stride.
template <class Value>
class ColumnMajorDesign final : public Design {
 public:
  ColumnMajorDesign(const Value* data, Index rows, Index cols, Index stride)
      : data_(data), rows_(rows), cols_(cols), stride_(stride) {}

  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }

  void apply(const SparseVector& x, double start, VectorView prediction,
             int threads) const override {
    parallel_for(worth(threads, x.size()), kernels::chunk_count(rows_), [&](Index chunk) {
      const auto [first, length] = chunk_range(chunk);
      double* out = prediction.data() + first;
      std::fill_n(out, length, start);
      for (std::size_t k = 0; k < x.indices.size(); ++k)
        kernels::add_scaled(length, x.values[k], column(x.indices[k]) + first, out);
    });
  }

  void apply_transpose(ConstVectorView v, VectorView out, int threads) const override {
    const Index blocks = (cols_ + block_cols - 1) / block_cols;
    parallel_for(worth(threads, cols_), blocks, [&](Index block) {
      const Index first = block * block_cols;
      const Index count = std::min(block_cols, cols_ - first);
      const Value* starts[block_cols];
      for (Index k = 0; k < count; ++k) starts[k] = column(first + k);
      dot_block(starts, count, v.data(), out.data() + first);
    });
  }

  void apply_transpose(const Support& columns, ConstVectorView v, VectorView out,
                       int threads) const override {
    const Index total = static_cast<Index>(columns.size());
    const Index blocks = (total + block_cols - 1) / block_cols;
    parallel_for(worth(threads, total), blocks, [&](Index block) {
      const Index first = block * block_cols;
      const Index count = std::min(block_cols, total - first);
      const Value* starts[block_cols];
      for (Index k = 0; k < count; ++k)
        starts[k] = column(columns[static_cast<std::size_t>(first + k)]);
      dot_block(starts, count, v.data(), out.data() + first);
    });
  }

  ColumnRanges column_ranges() const override {
    ColumnRanges ranges{Vector::Zero(cols_), Vector::Zero(cols_), Vector::Zero(cols_)};
    if (rows_ == 0) return ranges;
    for (Index j = 0; j < cols_; ++j) {
      const Value* a = column(j);
      const auto [least, greatest] = std::minmax_element(a, a + rows_);
      ranges.minima[j] = static_cast<double>(*least);
      ranges.maxima[j] = static_cast<double>(*greatest);
      ranges.sums[j] = kernels::sum_of(rows_, [=](Index i) { return static_cast<double>(a[i]); });
    }
    return ranges;
  }

  void column_squares(ConstVectorView shift, VectorView out) const override {
    for (Index j = 0; j < cols_; ++j)
      out[j] = kernels::squared_deviation(rows_, column(j), shift[j]);
  }

  void copy_rows(Index first, Index count, double* block, Index stride) const override {
    for (Index j = 0; j < cols_; ++j)
      for (Index i = 0; i < count; ++i)
        block[i * stride + j] = static_cast<double>(column(j)[first + i]);
  }

  void copy_columns(const Support& columns, Index first, Index count, double* block,
                    Index stride) const override {
    for (std::size_t k = 0; k < columns.size(); ++k)
      std::copy_n(column(columns[k]) + first, count, block + static_cast<Index>(k) * stride);
  }

  bool can_quantize() const override { return true; }
  std::shared_ptr<QuantizedMatrix> quantized(int threads) const override {
    return std::make_shared<QuantizedDense>(rows_, cols_, threads, [this](Index j, double* buffer) {
      return read_column(column(j), buffer);
    });
  }

  double column_cost(Index) const override { return static_cast<double>(rows_); }
  double full_cost() const override { return static_cast<double>(rows_ * cols_); }

 private:
  static constexpr Index block_cols = 8;

  const Value* column(Index j) const { return data_ + j * stride_; }

  const double* read_column(const double* entries, double*) const { return entries; }
  const double* read_column(const float* entries, double* buffer) const {
    std::copy_n(entries, rows_, buffer);
    return buffer;
  }

  std::pair<Index, Index> chunk_range(Index chunk) const {
    const Index first = chunk * kernels::chunk_rows;
    return {first, std::min(kernels::chunk_rows, rows_ - first)};
  }

  /// Dots several columns with v, chunk by chunk, so that v stays in the cache.
  void dot_block(const Value* const* starts, Index count, const double* v, double* out) const {
    std::fill_n(out, count, 0.0);
    for (Index chunk = 0; chunk < kernels::chunk_count(rows_); ++chunk) {
      const auto [first, length] = chunk_range(chunk);
      Index k = 0;
      for (; k + 4 <= count; k += 4) {
        const Value* four[4];
        double dots[4];
        for (Index c = 0; c < 4; ++c) four[c] = starts[k + c] + first;
        kernels::dot_four(length, four, v + first, dots);
        for (Index c = 0; c < 4; ++c) out[k + c] += dots[c];
      }
      for (; k < count; ++k) out[k] += kernels::dot(length, starts[k] + first, v + first);
    }
  }

  int worth(int threads, Index columns) const { return worth_threads(threads, rows_ * columns); }

  const Value* data_;
  Index rows_, cols_, stride_;
};

}}  // namespace regiht::REGIHT_ABI
