#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/model/packed/block_kernels.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A copy of the columns whose entries are mostly adjacent, as runs of rows, so that products need
/// no indices. Rows are handled in chunks.
class BlockedColumns {
 public:
  static constexpr Index chunk_rows = 1024;

  /// Entries of each column must be in order of rows, with none in the first `zero_rows`.
  BlockedColumns(const ColumnEntries& entries, Index rows, Index zero_rows)
      : blocks_((rows + kernels::block_rows - 1) / kernels::block_rows),
        first_block_(zero_rows / kernels::block_rows) {
    for (Index k = 0; k < entries.columns() && static_cast<Index>(columns_.size()) < most; ++k)
      if (is_filled(entries, k)) columns_.push_back(k);
    mark_blocks(entries);
    cut();
    copy(entries);
  }

  bool holds(Index column) const {
    return std::binary_search(columns_.begin(), columns_.end(), column);
  }

  /// The first row that belongs to runs; all later rows do.
  Index first_row() const { return first_block_ * kernels::block_rows; }

  /// The number of rows rounded up to full blocks.
  Index padded_rows() const { return blocks_ * kernels::block_rows; }

  /// out = start + Σ factors[k]·(column k) on the rows of a chunk that belong to runs.
  void apply(Index chunk, const std::vector<double>& factors, double start, double* out) const {
    std::array<double, 4 * most> repeated;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      std::fill_n(repeated.data() + 4 * c, 4, factors[static_cast<std::size_t>(columns_[c])]);
    const std::array<double, 4> starts = {start, start, start, start};
    kernels::apply_runs(runs(chunk), repeated.data(), starts.data(), out);
  }

  /// Writes the products of v with each column on those rows, and returns the sum of v there.
  double dot(Index chunk, const double* v, double* out) const {
    std::array<double, 4 * most> sums;
    std::fill_n(sums.data(), 4 * columns_.size(), 0.0);
    std::array<double, 4> total{};
    kernels::dot_runs(runs(chunk), v, sums.data(), total.data());
    for (std::size_t c = 0; c < columns_.size(); ++c) out[columns_[c]] = added(sums.data() + 4 * c);
    return added(total.data());
  }

 private:
  static constexpr Index most = 32;  // columns, one mask bit each

  /// Where the runs of a chunk and their data begin.
  struct Part {
    Index run, count, column, value;
  };

  static double added(const double* four) { return (four[0] + four[1]) + (four[2] + four[3]); }

  static std::size_t block_of(std::int32_t row) {
    return static_cast<std::size_t>(row / static_cast<std::int32_t>(kernels::block_rows));
  }

  /// The index of the column's first entry.
  static std::size_t begin(const ColumnEntries& entries, Index column) {
    return static_cast<std::size_t>(entries.offsets[static_cast<std::size_t>(column)]);
  }
  static std::size_t end(const ColumnEntries& entries, Index column) {
    return begin(entries, column + 1);
  }

  /// Whether a column fills half the rows of the blocks that it touches.
  static bool is_filled(const ColumnEntries& entries, Index column) {
    const std::size_t first = begin(entries, column);
    Index touched = 0;
    for (std::size_t i = first; i < end(entries, column); ++i)
      touched += i == first || block_of(entries.rows[i]) != block_of(entries.rows[i - 1]);
    return touched > 0 && touched * kernels::block_rows <= 2 * entries.length(column);
  }

  void mark_blocks(const ColumnEntries& entries) {
    masks_.assign(static_cast<std::size_t>(blocks_), 0U);
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (std::size_t i = begin(entries, columns_[c]); i < end(entries, columns_[c]); ++i)
        masks_[block_of(entries.rows[i])] |= 1U << c;
  }

  void cut() {
    constexpr Index blocks_of_chunk = chunk_rows / kernels::block_rows;
    Index value = 0;
    for (Index block = 0; block < blocks_; ++block) {
      if (block % blocks_of_chunk == 0)
        parts_.push_back(
            {static_cast<Index>(runs_.size()), 0, static_cast<Index>(run_columns_.size()), value});
      const std::uint32_t mask = masks_[static_cast<std::size_t>(block)];
      value_starts_.push_back(value);
      value += kernels::block_rows * static_cast<Index>(std::bitset<most>(mask).count());
      if (block < first_block_) continue;
      if (parts_.back().count == 0 || mask != masks_[static_cast<std::size_t>(block) - 1])
        begin_run(block, mask);
      ++runs_.back().blocks;
    }
    values_.assign(static_cast<std::size_t>(value), 0.0);
  }

  void begin_run(Index block, std::uint32_t mask) {
    kernels::BlockRun run{static_cast<std::int32_t>(block * kernels::block_rows), 0, 0};
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (mask >> c & 1U) {
        run_columns_.push_back(static_cast<std::uint8_t>(c));
        ++run.columns;
      }
    runs_.push_back(run);
    ++parts_.back().count;
  }

  void copy(const ColumnEntries& entries) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (std::size_t i = begin(entries, columns_[c]); i < end(entries, columns_[c]); ++i) {
        const std::size_t block = block_of(entries.rows[i]);
        const auto before = std::bitset<most>(masks_[block] & ((1U << c) - 1U)).count();
        const Index slot = value_starts_[block] + static_cast<Index>(before) * kernels::block_rows +
                           entries.rows[i] % static_cast<std::int32_t>(kernels::block_rows);
        values_[static_cast<std::size_t>(slot)] = entries.values[i];
      }
  }

  kernels::BlockRuns runs(Index chunk) const {
    const Part& part = parts_[static_cast<std::size_t>(chunk)];
    return {part.count, runs_.data() + part.run, run_columns_.data() + part.column,
            values_.data() + part.value};
  }

  Index blocks_, first_block_;
  std::vector<Index> columns_;  // in order
  std::vector<std::uint32_t>
      masks_;  // of each block: a bit for each of columns_ with an entry there
  std::vector<Index> value_starts_;  // by block, in values_
  std::vector<kernels::BlockRun> runs_;
  std::vector<std::uint8_t> run_columns_;  // by run: positions in columns_
  std::vector<double> values_;             // zeros where a column has no entry
  std::vector<Part> parts_;                // by chunk
};

}}  // namespace regiht::REGIHT_ABI
