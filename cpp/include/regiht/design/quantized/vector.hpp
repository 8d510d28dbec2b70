#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/roundoff.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The largest magnitude of an entry of a quantized column.
inline constexpr int quantized_limit = 127;

/// Columns and vectors are padded with zeros to a multiple of this.
inline constexpr Index quantized_padding = 32;

inline Index quantized_length(Index rows) {
  return (rows + quantized_padding - 1) / quantized_padding * quantized_padding;
}

namespace kernels {

/// Adding this rounds to the nearest integer.
inline constexpr double to_integer = 0x1.8p52;

/// wᵢ = vᵢ·inverse, rounded.
REGIHT_WIDE inline void round_vector(Index n, const double* v, double inverse, std::int16_t* w) {
  for (Index i = 0; i < n; ++i)
    w[i] = static_cast<std::int16_t>(
        static_cast<std::int32_t>((v[i] * inverse + to_integer) - to_integer));
}

/// qᵢ = (aᵢ − center)·inverse, rounded.
REGIHT_WIDE inline void round_column(Index n, const double* a, double center, double inverse,
                                     std::int8_t* q) {
  for (Index i = 0; i < n; ++i)
    q[i] = static_cast<std::int8_t>(
        static_cast<std::int32_t>(((a[i] - center) * inverse + to_integer) - to_integer));
}

/// Σ (aᵢ − center − unit·qᵢ)².
template <class Small>
REGIHT_INLINE double squared_rest_of(Index n, const double* a, double center, double unit,
                                     const Small* q) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA {
    const double rest = (a[i] - center) - unit * static_cast<double>(q[i]);
    return rest * rest;
  });
}
REGIHT_WIDE inline double squared_rest(Index n, const double* a, double center, double unit,
                                       const std::int8_t* q) {
  return squared_rest_of(n, a, center, unit, q);
}
REGIHT_WIDE inline double squared_rest(Index n, const double* a, double center, double unit,
                                       const std::int16_t* q) {
  return squared_rest_of(n, a, center, unit, q);
}

}  // namespace kernels

/// A vector rounded to v̂ = unit·w with 16-bit integers w, small enough that no sum of products
/// with a quantized column overflows 32 bits.
class QuantizedVector {
 public:
  /// False, and unusable, if v is not finite, or so large or small that its unit would not be.
  bool round(ConstVectorView v) {
    constexpr double largest_sum = 2.14e9, least = 1e-280, greatest = 1e280;
    const Index n = v.size();
    entries_.assign(static_cast<std::size_t>(quantized_length(n)), 0);
    const double peak = v.lpNorm<Eigen::Infinity>();
    const double sum = v.lpNorm<1>();
    if (!(peak >= least && sum <= greatest) || n > longest) return false;
    unit_ = std::max(
        peak / 32767.0,
        quantized_limit * sum / (largest_sum - quantized_limit * 0.5 * static_cast<double>(n)));
    kernels::round_vector(n, v.data(), 1.0 / unit_, entries_.data());
    total_ = 0;
    for (const std::int16_t entry : entries_) total_ += entry;
    const double size = std::sqrt(kernels::squared_norm(n, v.data()));
    const double inexact = static_cast<double>(n + 16) * std::numeric_limits<double>::epsilon();
    distance_ = std::sqrt(kernels::squared_rest(n, v.data(), 0.0, unit_, entries_.data())) *
                    (1.0 + inexact) +
                inexact * size + underflow_norm(n);
    size_ = size * (1.0 + inexact) + distance_;
    return std::isfinite(size_);
  }

  const std::int16_t* entries() const { return entries_.data(); }
  double unit() const { return unit_; }

  /// Σ wᵢ.
  double total() const { return static_cast<double>(total_); }

  /// Upper bounds on ‖v̂‖ and ‖v − v̂‖.
  double size() const { return size_; }
  double distance() const { return distance_; }

 private:
  static constexpr Index longest = 16'777'216;

  std::vector<std::int16_t> entries_;
  double unit_ = 0.0, size_ = 0.0, distance_ = 0.0;
  std::int64_t total_ = 0;
};

}}  // namespace regiht::REGIHT_ABI
