#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/model/packed/blocks.hpp"
#include "regiht/model/packed/row_order.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A copy of a few sparse columns for many products: rows are reordered to make the entries of
/// frequent columns contiguous, where products need no indices. Vectors over rows use that order
/// here and have length `padded_rows`.
class PackedColumns {
 public:
  PackedColumns(ColumnEntries entries, Index rows)
      : patterns_(sort_by_pattern(entries, rows)),
        entries_(by_position(std::move(entries), patterns_.order)),
        rows_(rows),
        blocked_(entries_, rows, patterns_.zero_rows) {
    for (Index chunk = 0; chunk < chunks(); ++chunk) list_scattered(chunk);
  }

  /// Rows handled together, few enough that vectors over them stay in the L1 cache.
  static constexpr Index chunk_rows = BlockedColumns::chunk_rows;

  Index rows() const { return rows_; }
  Index padded_rows() const { return blocked_.padded_rows(); }
  Index columns() const { return entries_.columns(); }
  Index stored() const { return entries_.offsets.back(); }
  Index chunks() const { return (rows_ + chunk_rows - 1) / chunk_rows; }

  /// The positions [first, last) of a chunk.
  std::pair<Index, Index> range(Index chunk) const {
    const Index first = chunk * chunk_rows;
    return {first, std::min(first + chunk_rows, rows_)};
  }

  /// The row at each position.
  const std::vector<std::int32_t>& order() const { return patterns_.order; }

  /// The number of rows that are zero in all columns; they come first.
  Index zero_rows() const { return patterns_.zero_rows; }

  /// The prediction of those rows.
  double zero_row_prediction(const std::vector<double>& x) const {
    double shift = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k)
      shift += entries_.means[k] * (x[k] * entries_.factors[k]);
    return 0.0 - shift;
  }

  /// The multiplier of the stored values of each column.
  std::vector<double> factors(const std::vector<double>& x) const {
    std::vector<double> all(x);
    for (std::size_t k = 0; k < x.size(); ++k) all[k] *= entries_.factors[k];
    return all;
  }

  /// Writes one chunk of A x, except for rows that are zero in all columns.
  void apply(Index chunk, const std::vector<double>& factors, double zero_row_prediction,
             double* out) const {
    blocked_.apply(chunk, factors, zero_row_prediction, out);
    for (const Segment& segment : scattered_[static_cast<std::size_t>(chunk)])
      kernels::scatter_scaled(segment.count, factors[static_cast<std::size_t>(segment.column)],
                              entries_.values.data() + segment.first,
                              entries_.rows.data() + segment.first, out);
  }

  /// Writes for each column the share of one chunk in Σ vᵢₖ rᵢ, with v the stored values, and
  /// returns that in Σ rᵢ. Beyond the last row r must be zero.
  double dot(Index chunk, const double* r, double* out) const {
    std::fill_n(out, columns(), 0.0);
    for (const Segment& segment : scattered_[static_cast<std::size_t>(chunk)])
      out[segment.column] =
          kernels::gathered_dot(segment.count, entries_.values.data() + segment.first,
                                entries_.rows.data() + segment.first, r);
    const auto [first, end] = range(chunk);
    const Index before = std::clamp(blocked_.first_row(), first, end) - first;
    return kernels::sum(before, r + first) + blocked_.dot(chunk, r, out);
  }

  /// The entry of Aᵀr for column k, from the full sum above and the sum of r.
  double standardized(Index column, double dot, double total) const {
    const std::size_t k = static_cast<std::size_t>(column);
    return entries_.factors[k] * (dot - entries_.means[k] * total);
  }

 private:
  /// The entries of a column outside blocks in one chunk of rows.
  struct Segment {
    Index column, first, count;
  };

  /// Renumbers the rows by position and sorts the entries of each column by it: sorts all by
  /// position, then distributes them to their columns in that order.
  static ColumnEntries by_position(ColumnEntries entries, const std::vector<std::int32_t>& order) {
    std::vector<std::int32_t> positions(order.size());
    for (std::size_t p = 0; p < positions.size(); ++p)
      positions[static_cast<std::size_t>(order[p])] = static_cast<std::int32_t>(p);
    std::vector<Index> starts(positions.size() + 1, 0);
    for (std::int32_t& row : entries.rows) {
      row = positions[static_cast<std::size_t>(row)];
      ++starts[static_cast<std::size_t>(row) + 1];
    }
    for (std::size_t p = 1; p < starts.size(); ++p) starts[p] += starts[p - 1];
    struct Entry {
      double value;
      std::int32_t column, position;
    };
    std::vector<Entry> in_order(entries.rows.size());
    for (Index k = 0; k < entries.columns(); ++k)
      for (Index i = entries.offsets[static_cast<std::size_t>(k)];
           i < entries.offsets[static_cast<std::size_t>(k) + 1]; ++i) {
        const std::int32_t position = entries.rows[static_cast<std::size_t>(i)];
        Index& slot = starts[static_cast<std::size_t>(position)];
        in_order[static_cast<std::size_t>(slot++)] = {entries.values[static_cast<std::size_t>(i)],
                                                      static_cast<std::int32_t>(k), position};
      }
    std::vector<Index> next(entries.offsets.begin(), entries.offsets.end() - 1);
    for (const Entry& entry : in_order) {
      const std::size_t slot =
          static_cast<std::size_t>(next[static_cast<std::size_t>(entry.column)]++);
      entries.rows[slot] = entry.position;
      entries.values[slot] = entry.value;
    }
    return entries;
  }

  void list_scattered(Index chunk) {
    const auto [begin, end] = range(chunk);
    std::vector<Segment>& segments = scattered_.emplace_back();
    for (Index k = 0; k < columns(); ++k) {
      if (blocked_.holds(k)) continue;
      const std::int32_t* rows =
          entries_.rows.data() + entries_.offsets[static_cast<std::size_t>(k)];
      const std::int32_t* last = rows + entries_.length(k);
      const std::int32_t* first = std::lower_bound(rows, last, static_cast<std::int32_t>(begin));
      const Index count = std::lower_bound(first, last, static_cast<std::int32_t>(end)) - first;
      if (count > 0) segments.push_back({k, first - entries_.rows.data(), count});
    }
  }

  RowOrder patterns_;
  ColumnEntries entries_;  // rows are positions
  Index rows_;
  BlockedColumns blocked_;
  std::vector<std::vector<Segment>> scattered_;  // by chunk: unblocked columns
};

}}  // namespace regiht::REGIHT_ABI
