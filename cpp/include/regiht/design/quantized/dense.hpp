#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "regiht/design/quantized/matrix.hpp"
#include "regiht/kernels/thread_pool.hpp"

namespace regiht { inline namespace REGIHT_ABI {

namespace kernels {

/// out[k] = Σ aₖᵢ wᵢ for contiguous columns; n is a multiple of quantized_padding.
REGIHT_WIDE inline void quantized_dots(Index n, Index columns, const std::int8_t* a,
                                       const std::int16_t* w, double* out) {
  n -= n % quantized_padding;  // a no-op that tells the compiler
  for (Index k = 0; k < columns; ++k, a += n) {
    std::int32_t sum = 0;
    for (Index i = 0; i < n; ++i) sum += static_cast<std::int16_t>(a[i]) * w[i];
    out[k] = static_cast<double>(sum);
  }
}

struct Range {
  double least, greatest;
};

REGIHT_WIDE inline Range range_of(Index n, const double* a) {
  double low[8], high[8];
  for (Index k = 0; k < 8; ++k) low[k] = high[k] = a[0];
  Index i = 0;
  for (; i + 8 <= n; i += 8)
    for (Index k = 0; k < 8; ++k) {
      low[k] = a[i + k] < low[k] ? a[i + k] : low[k];
      high[k] = a[i + k] > high[k] ? a[i + k] : high[k];
    }
  for (; i < n; ++i) {
    low[0] = std::min(low[0], a[i]);
    high[0] = std::max(high[0], a[i]);
  }
  return {*std::min_element(low, low + 8), *std::max_element(high, high + 8)};
}

}  // namespace kernels

/// A quantized dense matrix, stored by column; each column is centred on the middle of its range.
class QuantizedDense final : public QuantizedMatrix {
 public:
  /// `read(j, buffer)` returns the entries of column j, in a buffer of `rows` numbers if needed.
  template <class ReadColumn>
  QuantizedDense(Index rows, Index cols, int threads, ReadColumn&& read)
      : QuantizedMatrix(QuantizedColumns(cols)),
        rows_(rows),
        stride_(quantized_length(rows)),
        entries_(static_cast<std::size_t>(stride_ * cols), 0) {
    for_blocks(threads, [&](Index first, Index end) {
      std::vector<double> buffer(static_cast<std::size_t>(rows));
      for (Index j = first; j < end; ++j) round(j, read(j, buffer.data()));
    });
  }

 private:
  static constexpr Index block_cols = 64;

  template <class Task>
  void for_blocks(int threads, Task&& task) const {
    const Index cols = columns_.units.size(), blocks = (cols + block_cols - 1) / block_cols;
    parallel_for(worth_threads(threads, rows_ * cols / 8), blocks, [&](Index block) {
      task(block * block_cols, std::min((block + 1) * block_cols, cols));
    });
  }

  void round(Index j, const double* a) {
    const kernels::Range range = kernels::range_of(rows_, a);
    const double center = 0.5 * range.least + 0.5 * range.greatest;
    const double reach = std::max(range.greatest - center, center - range.least);
    const double root = std::sqrt(static_cast<double>(rows_));
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    const double rounding =
        4.0 * epsilon * root * (std::abs(center) + reach) + underflow_norm(rows_);
    columns_.centers[j] = center;
    if (!(reach >= 1e-280 && reach <= 1e280)) {  // no integers: the whole column is error
      columns_.errors[j] = reach * root * (1.0 + 4.0 * epsilon) + rounding;
      return;
    }
    const double unit = reach / quantized_limit;
    std::int8_t* q = entries_.data() + j * stride_;
    kernels::round_column(rows_, a, center, 1.0 / unit, q);
    const double rest = std::sqrt(kernels::squared_rest(rows_, a, center, unit, q));
    columns_.units[j] = unit;
    columns_.errors[j] = rest * (1.0 + static_cast<double>(rows_ + 16) * epsilon) + rounding;
  }

  void multiply(const std::int16_t* w, double* out, int threads) const override {
    for_blocks(threads, [&](Index first, Index end) {
      kernels::quantized_dots(stride_, end - first, entries_.data() + first * stride_, w,
                              out + first);
    });
  }

  Index rows_, stride_;
  std::vector<std::int8_t> entries_;
};

}}  // namespace regiht::REGIHT_ABI
