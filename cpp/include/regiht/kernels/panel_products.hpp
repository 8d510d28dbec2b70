#pragma once

#include <cstdint>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/simd.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace kernels {

/// The number of vectors in a panel, which holds them by row: one cache line each.
inline constexpr Index panel_width = 8;

/// sums[k] += Σ values · (vector k of the panel), over the listed rows, which the panel counts from
/// `first`.
template <class Value, class StorageIndex>
REGIHT_INLINE void add_gathered(Index n, const Value* values, const StorageIndex* rows, Index first,
                                const double* panel, double* sums) {
  Double4 low = {}, high = {}, factor = {}, entries = {};
  load(sums, low);
  load(sums + 4, high);
  for (Index e = 0; e < n; ++e) {
    const double* at = panel + (static_cast<Index>(rows[e]) - first) * panel_width;
    broadcast(static_cast<double>(values[e]), factor);
    load(at, entries);
    low += factor * entries;
    load(at + 4, entries);
    high += factor * entries;
  }
  store(low, sums);
  store(high, sums + 4);
}
REGIHT_WIDE inline void add_panel_products(Index n, const double* values, const std::int32_t* rows,
                                           Index first, const double* panel, double* sums) {
  add_gathered(n, values, rows, first, panel, sums);
}
REGIHT_WIDE inline void add_panel_products(Index n, const float* values, const std::int32_t* rows,
                                           Index first, const double* panel, double* sums) {
  add_gathered(n, values, rows, first, panel, sums);
}
REGIHT_WIDE inline void add_panel_products(Index n, const double* values, const std::int64_t* rows,
                                           Index first, const double* panel, double* sums) {
  add_gathered(n, values, rows, first, panel, sums);
}
REGIHT_WIDE inline void add_panel_products(Index n, const float* values, const std::int64_t* rows,
                                           Index first, const double* panel, double* sums) {
  add_gathered(n, values, rows, first, panel, sums);
}

}}}  // namespace regiht::REGIHT_ABI::kernels
