#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/simd.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace kernels {

// Every sum below has a fixed order of additions, whatever the alignment of the data and the number
// of threads, so results are bitwise reproducible. Several accumulators keep the floating-point
// units busy; the compiler turns them into vector registers.

/// The number of rows per partial sum.
inline constexpr Index chunk_rows = 4096;

inline Index chunk_count(Index rows) { return (rows + chunk_rows - 1) / chunk_rows; }

REGIHT_INLINE double fold(const double* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) +
         ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

/// Σ term(i) for i in [0, n).
template <class Term>
REGIHT_INLINE double sum_of(Index n, Term&& term) {
  double lanes[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  Index i = 0;
  for (; i + 8 <= n; i += 8)
    for (Index k = 0; k < 8; ++k) lanes[k] += term(i + k);
  double total = fold(lanes);
  for (; i < n; ++i) total += term(i);
  return total;
}

/// Σ aᵢ vᵢ.
REGIHT_WIDE inline double dot(Index n, const double* a, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return a[i] * v[i]; });
}
REGIHT_WIDE inline double dot(Index n, const float* a, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return static_cast<double>(a[i]) * v[i]; });
}

/// out[k] = Σ aₖᵢ vᵢ for four columns at once, each summed exactly as in `dot`: four streams use
/// more memory bandwidth than one.
template <class Value>
REGIHT_INLINE void dot_columns(Index n, const Value* const* a, const double* v, double* out) {
  const Value* columns[4] = {a[0], a[1], a[2], a[3]};
  Double4 low[4] = {}, high[4] = {};
  Index i = 0;
  for (; i + 8 <= n; i += 8) {
    Double4 v_low, v_high, entries;
    load(v + i, v_low);
    load(v + i + 4, v_high);
    for (std::size_t c = 0; c < 4; ++c) {
      load(columns[c] + i, entries);
      low[c] += entries * v_low;
      load(columns[c] + i + 4, entries);
      high[c] += entries * v_high;
    }
  }
  double totals[4];
  for (std::size_t c = 0; c < 4; ++c) {
    const Double4 sums = low[c] + high[c];
    totals[c] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  for (; i < n; ++i)
    for (std::size_t c = 0; c < 4; ++c) totals[c] += static_cast<double>(columns[c][i]) * v[i];
  for (std::size_t c = 0; c < 4; ++c) out[c] = totals[c];
}
REGIHT_WIDE inline void dot_four(Index n, const double* const* a, const double* v, double* out) {
  dot_columns(n, a, v, out);
}
REGIHT_WIDE inline void dot_four(Index n, const float* const* a, const double* v, double* out) {
  dot_columns(n, a, v, out);
}

/// out += factor · a.
REGIHT_WIDE inline void add_scaled(Index n, double factor, const double* a, double* out) {
  for (Index i = 0; i < n; ++i) out[i] += factor * a[i];
}
REGIHT_WIDE inline void add_scaled(Index n, double factor, const float* a, double* out) {
  for (Index i = 0; i < n; ++i) out[i] += factor * static_cast<double>(a[i]);
}

/// out += Σ factorsₖ · aₖ for `rows` rows that are `stride` apart, added in order, eight per write
/// to memory.
template <class Value>
REGIHT_INLINE void add_rows(Index rows, Index n, const double* factors, const Value* a,
                            Index stride, double* out) {
  Index k = 0;
  for (; k + 8 <= rows; k += 8) {
    const double* f = factors + k;
    const Value *a0 = a + k * stride, *a4 = a0 + 4 * stride;
    const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
    const double f4 = f[4], f5 = f[5], f6 = f[6], f7 = f[7];
    for (Index i = 0; i < n; ++i) {
      double sum = out[i] + f0 * static_cast<double>(a0[i]);
      sum += f1 * static_cast<double>(a0[i + stride]);
      sum += f2 * static_cast<double>(a0[i + 2 * stride]);
      sum += f3 * static_cast<double>(a0[i + 3 * stride]);
      sum += f4 * static_cast<double>(a4[i]);
      sum += f5 * static_cast<double>(a4[i + stride]);
      sum += f6 * static_cast<double>(a4[i + 2 * stride]);
      out[i] = sum + f7 * static_cast<double>(a4[i + 3 * stride]);
    }
  }
  for (; k < rows; ++k)
    for (Index i = 0; i < n; ++i) out[i] += factors[k] * static_cast<double>(a[k * stride + i]);
}
REGIHT_WIDE inline void add_scaled_rows(Index rows, Index n, const double* factors, const double* a,
                                        Index stride, double* out) {
  add_rows(rows, n, factors, a, stride, out);
}
REGIHT_WIDE inline void add_scaled_rows(Index rows, Index n, const double* factors, const float* a,
                                        Index stride, double* out) {
  add_rows(rows, n, factors, a, stride, out);
}

/// out += Σ factorsₖ · aₖ, added in order, four per write to memory.
REGIHT_WIDE inline void add_scaled_columns(Index columns, Index n, const double* factors,
                                           const double* const* a, double* out) {
  Index k = 0;
  for (; k + 4 <= columns; k += 4) {
    const double *a0 = a[k], *a1 = a[k + 1], *a2 = a[k + 2], *a3 = a[k + 3];
    const double f0 = factors[k], f1 = factors[k + 1], f2 = factors[k + 2], f3 = factors[k + 3];
    for (Index i = 0; i < n; ++i)
      out[i] = (((out[i] + f0 * a0[i]) + f1 * a1[i]) + f2 * a2[i]) + f3 * a3[i];
  }
  for (; k < columns; ++k)
    for (Index i = 0; i < n; ++i) out[i] += factors[k] * a[k][i];
}

/// row ← (row − means)∘factors.
REGIHT_WIDE inline void shift_and_scale(Index n, const double* means, const double* factors,
                                        double* row) {
  for (Index i = 0; i < n; ++i) row[i] = factors[i] * (row[i] - means[i]);
}

/// a ← factor · (a − mean).
REGIHT_WIDE inline void shift_and_scale(Index n, double mean, double factor, double* a) {
  for (Index i = 0; i < n; ++i) a[i] = factor * (a[i] - mean);
}

/// out = a∘b.
REGIHT_WIDE inline void multiply(Index n, const double* a, const double* b, double* out) {
  for (Index i = 0; i < n; ++i) out[i] = a[i] * b[i];
}

/// Σ vᵢ.
REGIHT_WIDE inline double sum(Index n, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return v[i]; });
}

/// Σ |vᵢ|.
REGIHT_WIDE inline double sum_of_magnitudes(Index n, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return std::abs(v[i]); });
}

/// ‖v‖².
REGIHT_WIDE inline double squared_norm(Index n, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return v[i] * v[i]; });
}

/// Σ weightᵢ vᵢ².
REGIHT_WIDE inline double weighted_squared_norm(Index n, const double* weights, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return weights[i] * v[i] * v[i]; });
}

/// max |vᵢ|; unspecified if an entry is NaN.
REGIHT_WIDE inline double largest_magnitude(Index n, const double* v) {
  Double4 low = {}, high = {}, entries;
  Index i = 0;
  for (; i + 8 <= n; i += 8) {
    load(v + i, entries);
    raise_to_magnitude(low, entries);
    load(v + i + 4, entries);
    raise_to_magnitude(high, entries);
  }
  raise_to_magnitude(low, high);
  double largest = std::max(std::max(low[0], low[1]), std::max(low[2], low[3]));
  for (; i < n; ++i) largest = std::max(largest, std::abs(v[i]));
  return largest;
}

/// ‖v − w‖².
REGIHT_WIDE inline double squared_distance(Index n, const double* v, const double* w) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return (v[i] - w[i]) * (v[i] - w[i]); });
}

/// ‖v − b·w − c·u‖².
REGIHT_WIDE inline double squared_distance_from_combination(Index n, const double* v, double b,
                                                            const double* w, double c,
                                                            const double* u) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA {
    const double rest = (v[i] - b * w[i]) - c * u[i];
    return rest * rest;
  });
}

/// Σ (aᵢ − center)².
REGIHT_WIDE inline double squared_deviation(Index n, const double* a, double center) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return (a[i] - center) * (a[i] - center); });
}
REGIHT_WIDE inline double squared_deviation(Index n, const float* a, double center) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA {
    const double deviation = static_cast<double>(a[i]) - center;
    return deviation * deviation;
  });
}

/// outᵢ = yes where the flag is nonzero, else no.
REGIHT_WIDE inline void choose(Index n, const double* flags, double yes, double no, double* out) {
  for (Index i = 0; i < n; ++i) out[i] = flags[i] != 0.0 ? yes : no;
}

/// Σ valuesₖ v[rowsₖ].
template <class Value, class StorageIndex>
inline double gathered_dot(Index n, const Value* values, const StorageIndex* rows,
                           const double* v) {
  const auto term = [=](Index i) { return static_cast<double>(values[i]) * v[rows[i]]; };
  double lane0 = 0.0, lane1 = 0.0, lane2 = 0.0, lane3 = 0.0;
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    lane0 += term(i);
    lane1 += term(i + 1);
    lane2 += term(i + 2);
    lane3 += term(i + 3);
  }
  switch (n - i) {  // one jump: most columns are short, and the end of a loop is mispredicted
    case 3:
      lane2 += term(i + 2);
      [[fallthrough]];
    case 2:
      lane1 += term(i + 1);
      [[fallthrough]];
    case 1:
      lane0 += term(i);
      break;
    default:
      break;
  }
  return (lane0 + lane2) + (lane1 + lane3);
}

/// out[rowsₖ] += factor · valuesₖ for distinct rows.
template <class Value, class StorageIndex>
inline void scatter_scaled(Index n, double factor, const Value* values, const StorageIndex* rows,
                           double* out) {
  Index i = 0;
  for (; i + 4 <= n; i += 4) {
    const auto r0 = rows[i], r1 = rows[i + 1], r2 = rows[i + 2], r3 = rows[i + 3];
    const double o0 = out[r0] + factor * static_cast<double>(values[i]);
    const double o1 = out[r1] + factor * static_cast<double>(values[i + 1]);
    const double o2 = out[r2] + factor * static_cast<double>(values[i + 2]);
    const double o3 = out[r3] + factor * static_cast<double>(values[i + 3]);
    out[r0] = o0;
    out[r1] = o1;
    out[r2] = o2;
    out[r3] = o3;
  }
  for (; i < n; ++i) out[rows[i]] += factor * static_cast<double>(values[i]);
}

}}}  // namespace regiht::REGIHT_ABI::kernels
