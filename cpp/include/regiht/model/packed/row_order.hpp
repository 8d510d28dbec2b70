#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "regiht/design/design.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Rows sorted by which of a few columns they appear in.
struct RowOrder {
  static constexpr unsigned columns = 15;  ///< rows are sorted by this many, the longest

  std::vector<std::int32_t> order;  ///< the row at each position
  Index zero_rows = 0;              ///< rows in no column; they come first
};

namespace detail {

/// Stably sorts rows by eight bits of their keys.
inline void sort_by_byte(const std::vector<std::uint16_t>& keys, unsigned shift,
                         std::vector<std::int32_t>& order) {
  const auto byte = [&](std::int32_t row) {
    return std::size_t{keys[static_cast<std::size_t>(row)]} >> shift & 255U;
  };
  std::array<std::size_t, 257> firsts{};
  for (const std::int32_t row : order) ++firsts[byte(row) + 1];
  std::partial_sum(firsts.begin(), firsts.end(), firsts.begin());
  std::vector<std::int32_t> sorted(order.size());
  for (const std::int32_t row : order) sorted[firsts[byte(row)]++] = row;
  order.swap(sorted);
}

}  // namespace detail

/// Sorts so that the rows of a frequent column form few contiguous runs: by a key with a bit for
/// each of the longest columns and one for all others, in Gray code order, where half as many bits
/// change from one key to the next.
inline RowOrder sort_by_pattern(const ColumnEntries& columns, Index rows) {
  std::vector<Index> ranking(static_cast<std::size_t>(columns.columns()));
  std::iota(ranking.begin(), ranking.end(), Index{0});
  std::stable_sort(ranking.begin(), ranking.end(),
                   [&](Index a, Index b) { return columns.length(a) > columns.length(b); });
  std::vector<std::uint16_t> keys(static_cast<std::size_t>(rows), 0);
  for (std::size_t rank = 0; rank < ranking.size(); ++rank) {
    const unsigned bit = rank < RowOrder::columns ? 1U << (RowOrder::columns - rank) : 1U;
    const std::size_t k = static_cast<std::size_t>(ranking[rank]);
    for (Index i = columns.offsets[k]; i < columns.offsets[k + 1]; ++i) {
      std::uint16_t& key =
          keys[static_cast<std::size_t>(columns.rows[static_cast<std::size_t>(i)])];
      key = static_cast<std::uint16_t>(key | bit);
    }
  }
  RowOrder patterns;
  for (std::uint16_t& key : keys) {
    if (key == 0) ++patterns.zero_rows;
    unsigned place = key;  // in Gray code order
    for (unsigned shift = 1; shift < 16; shift *= 2) place ^= place >> shift;
    key = static_cast<std::uint16_t>(place);
  }
  patterns.order.resize(static_cast<std::size_t>(rows));
  std::iota(patterns.order.begin(), patterns.order.end(), 0);
  detail::sort_by_byte(keys, 0, patterns.order);
  detail::sort_by_byte(keys, 8, patterns.order);
  return patterns;
}

}}  // namespace regiht::REGIHT_ABI
