#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/design/row_patterns.hpp"
#include "regiht/kernels.hpp"

namespace regiht {

/// A copy of a few sparse columns for many products with them: rows are put into an order that
/// makes the entries of frequent columns contiguous, where products need no indices. Vectors over
/// rows are in that order here.
class PackedColumns {
 public:
  PackedColumns(ColumnEntries entries, Index rows)
      : patterns_(sort_by_pattern(entries, rows)), entries_(std::move(entries)), rows_(rows) {
    sort_entries();
    for (Index k = 0; k < columns(); ++k) cut_into_segments(k);
  }

  /// Rows that are handled together: so few that vectors over them stay in the nearest cache.
  static constexpr Index chunk_rows = 1024;

  Index rows() const { return rows_; }
  Index columns() const { return entries_.columns(); }
  Index stored() const { return entries_.offsets.back(); }
  Index chunks() const { return (rows_ + chunk_rows - 1) / chunk_rows; }

  /// The first position of a chunk, and the one after its last.
  std::pair<Index, Index> range(Index chunk) const {
    const Index first = chunk * chunk_rows;
    return {first, std::min(first + chunk_rows, rows_)};
  }

  /// The row at each position.
  const std::vector<std::int32_t>& order() const { return patterns_.order; }

  /// So many of the first positions hold rows that are zero in all columns.
  Index untouched() const { return patterns_.untouched; }

  /// The prediction of those rows.
  double background(const std::vector<double>& x) const {
    double shift = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k)
      shift += entries_.means[k] * (x[k] * entries_.factors[k]);
    return 0.0 - shift;
  }

  /// Writes one chunk of A x.
  void apply(Index chunk, const std::vector<double>& x, double background, double* out) const {
    const auto [first, end] = range(chunk);
    kernels::fill(end - first, background, out + first);
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Segment& part = segment(chunk, k);
      const double factor = x[k] * entries_.factors[k];
      const double* values = entries_.values.data() + part.first;
      if (part.runs > 0)
        kernels::add_scaled_runs(part.runs, runs_.data() + part.first_run, factor, values, out);
      else
        kernels::scatter_scaled(part.count, factor, values, entries_.rows.data() + part.first, out);
    }
  }

  /// Writes for each column the part of Σ vᵢₖ rᵢ that one chunk has, v being the stored values.
  void dot(Index chunk, const double* r, double* out) const {
    for (std::size_t k = 0; k < static_cast<std::size_t>(columns()); ++k) {
      const Segment& part = segment(chunk, k);
      const double* values = entries_.values.data() + part.first;
      out[k] =
          part.runs > 0
              ? kernels::dot_runs(part.runs, runs_.data() + part.first_run, values, r)
              : kernels::gathered_dot(part.count, values, entries_.rows.data() + part.first, r);
    }
  }

  /// The entry of Aᵀr for column k, from the whole of the sum above and the sum of r.
  double standardized(Index column, double dot, double total) const {
    const std::size_t k = static_cast<std::size_t>(column);
    return entries_.factors[k] * (dot - entries_.means[k] * total);
  }

 private:
  /// The entries that one column has in one chunk of rows: runs of neighbours if these are long
  /// enough, else (with `runs` 0) single entries.
  struct Segment {
    Index first, count;
    Index first_run, runs;
  };
  static constexpr Index long_enough = 8;  // entries to a run

  const Segment& segment(Index chunk, std::size_t k) const {
    return segments_[k * static_cast<std::size_t>(chunks()) + static_cast<std::size_t>(chunk)];
  }

  /// Renumbers the rows by position, and sorts the entries of each column by it: first all by
  /// position, then, in that order, back to their columns.
  void sort_entries() {
    std::vector<std::int32_t> positions(static_cast<std::size_t>(rows_));
    for (std::size_t p = 0; p < positions.size(); ++p)
      positions[static_cast<std::size_t>(order()[p])] = static_cast<std::int32_t>(p);
    std::vector<Index> starts(positions.size() + 1, 0);
    for (std::int32_t& row : entries_.rows) {
      row = positions[static_cast<std::size_t>(row)];
      ++starts[static_cast<std::size_t>(row) + 1];
    }
    for (std::size_t p = 1; p < starts.size(); ++p) starts[p] += starts[p - 1];
    struct Entry {
      double value;
      std::int32_t column, position;
    };
    std::vector<Entry> by_position(entries_.rows.size());
    for (Index k = 0; k < columns(); ++k)
      for (Index i = entries_.offsets[static_cast<std::size_t>(k)];
           i < entries_.offsets[static_cast<std::size_t>(k) + 1]; ++i) {
        const std::int32_t position = entries_.rows[static_cast<std::size_t>(i)];
        Index& slot = starts[static_cast<std::size_t>(position)];
        by_position[static_cast<std::size_t>(slot++)] = {
            entries_.values[static_cast<std::size_t>(i)], static_cast<std::int32_t>(k), position};
      }
    std::vector<Index> next(entries_.offsets.begin(), entries_.offsets.end() - 1);
    for (const Entry& entry : by_position) {
      const std::size_t slot =
          static_cast<std::size_t>(next[static_cast<std::size_t>(entry.column)]++);
      entries_.rows[slot] = entry.position;
      entries_.values[slot] = entry.value;
    }
  }

  void cut_into_segments(Index column) {
    const std::size_t k = static_cast<std::size_t>(column);
    Index at = entries_.offsets[k];
    for (Index chunk = 0; chunk < chunks(); ++chunk) {
      const Index end_row = range(chunk).second;
      Segment part{at, 0, static_cast<Index>(runs_.size()), 0};
      for (; at < entries_.offsets[k + 1]; ++at) {
        const std::int32_t row = entries_.rows[static_cast<std::size_t>(at)];
        if (row >= end_row) break;
        if (part.count == 0 || row != runs_.back().first + runs_.back().length)
          runs_.push_back({row, 0});
        ++runs_.back().length;
        ++part.count;
      }
      part.runs = static_cast<Index>(runs_.size()) - part.first_run;
      if (part.runs * long_enough > part.count) {
        runs_.resize(static_cast<std::size_t>(part.first_run));
        part.runs = 0;
      }
      segments_.push_back(part);
    }
  }

  RowPatterns patterns_;
  ColumnEntries entries_;  // rows are positions
  Index rows_;
  std::vector<kernels::RowRun> runs_;
  std::vector<Segment> segments_;  // column after column
};

}  // namespace regiht
