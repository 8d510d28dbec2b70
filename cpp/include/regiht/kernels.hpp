#pragma once

#include "regiht/dispatch.hpp"
#include "regiht/types.hpp"

namespace regiht::kernels {

// Every sum below has one fixed order of additions, whatever the alignment of the data and the
// number of threads, so that results are the same to the last bit. Several accumulators keep the
// floating-point units busy; the compiler turns them into vector registers.

/// Rows that are summed together before the partial sums are added up.
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

/// out += factor · a.
REGIHT_WIDE inline void add_scaled(Index n, double factor, const double* a, double* out) {
  for (Index i = 0; i < n; ++i) out[i] += factor * a[i];
}
REGIHT_WIDE inline void add_scaled(Index n, double factor, const float* a, double* out) {
  for (Index i = 0; i < n; ++i) out[i] += factor * static_cast<double>(a[i]);
}

/// out += Σ factorsₖ · aₖ for four rows that are `stride` apart, added one after the other.
template <class Value>
REGIHT_INLINE void add_four_rows(Index n, const double* factors, const Value* a, Index stride,
                                 double* out) {
  const double f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
  const Value *a1 = a + stride, *a2 = a + 2 * stride, *a3 = a + 3 * stride;
  for (Index i = 0; i < n; ++i)
    out[i] = (((out[i] + f0 * static_cast<double>(a[i])) + f1 * static_cast<double>(a1[i])) +
              f2 * static_cast<double>(a2[i])) +
             f3 * static_cast<double>(a3[i]);
}
REGIHT_WIDE inline void add_four_scaled(Index n, const double* factors, const double* a,
                                        Index stride, double* out) {
  add_four_rows(n, factors, a, stride, out);
}
REGIHT_WIDE inline void add_four_scaled(Index n, const double* factors, const float* a,
                                        Index stride, double* out) {
  add_four_rows(n, factors, a, stride, out);
}

/// Σ vᵢ.
REGIHT_WIDE inline double sum(Index n, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return v[i]; });
}

/// ‖v‖².
REGIHT_WIDE inline double squared_norm(Index n, const double* v) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return v[i] * v[i]; });
}

/// ‖v − w‖².
REGIHT_WIDE inline double squared_distance(Index n, const double* v, const double* w) {
  return sum_of(n, [=](Index i) REGIHT_LAMBDA { return (v[i] - w[i]) * (v[i] - w[i]); });
}

/// Σ valuesₖ v[rowsₖ].
template <class Value, class StorageIndex>
inline double gathered_dot(Index n, const Value* values, const StorageIndex* rows,
                           const double* v) {
  double lanes[4] = {0, 0, 0, 0};
  Index i = 0;
  for (; i + 4 <= n; i += 4)
    for (Index k = 0; k < 4; ++k) lanes[k] += static_cast<double>(values[i + k]) * v[rows[i + k]];
  double total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  for (; i < n; ++i) total += static_cast<double>(values[i]) * v[rows[i]];
  return total;
}

/// out[rowsₖ] += factor · valuesₖ, the rows being different.
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

}  // namespace regiht::kernels
