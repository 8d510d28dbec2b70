#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "regiht/kernels/thread_pool.hpp"
#include "regiht/lowrank/block.hpp"
#include "regiht/lowrank/entry_kernels.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Which entries of a matrix were observed, row by row and column by column.
///
/// Values live outside, in arrays in the row order: by row, and within a row as they were given.
/// An entry may be there several times. `order()` says which given entry stands where.
class ObservedEntries {
 public:
  using EntryIndex = kernels::EntryIndex;
  using Position = kernels::Position;

  template <class Number>
  ObservedEntries(Index rows, Index cols, Index count, const Number* row_of, const Number* col_of)
      : rows_(rows), cols_(cols), order_(sized(count)), others_of_row_(sized(count)) {
    if (rows > largest_index || cols > largest_index)
      throw std::invalid_argument("at most 2^31 - 1 rows and columns");
    if (count > largest_position) throw std::invalid_argument("at most 2^32 - 1 observed entries");
    row_starts_ = sort_by(rows, count, row_of, order_);
    for (std::size_t e = 0; e < order_.size(); ++e)
      others_of_row_[e] = static_cast<EntryIndex>(col_of[order_[e]]);
    positions_.resize(order_.size());
    col_starts_ = sort_by(cols, count, others_of_row_.data(), positions_);
    others_of_col_.resize(order_.size());
    for (std::size_t e = 0; e < order_.size(); ++e)
      others_of_col_[e] = static_cast<EntryIndex>(row_of[order_[positions_[e]]]);
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index count() const { return static_cast<Index>(order_.size()); }
  const std::vector<Position>& order() const { return order_; }

  /// How often the entry is there that is there most often; 1 without entries.
  Index most_repeats() const {
    std::vector<Index> last_row(sized(cols_), -1), repeats(sized(cols_), 0);
    Index most = 1;
    for (Index i = 0; i < rows_; ++i) {
      const Line line = row(i);
      for (Index e = 0; e < line.count; ++e) {
        const std::size_t col = sized(line.others[e]);
        repeats[col] = last_row[col] == i ? repeats[col] + 1 : 1;
        last_row[col] = i;
        most = std::max(most, repeats[col]);
      }
    }
    return most;
  }

  /// One row, or one column, as the kernels see it. `positions` is null for a row.
  struct Line {
    Index first, count;
    const EntryIndex* others;
    const Position* positions;
  };

  Line row(Index i) const {
    const Index first = row_starts_[sized(i)];
    return {first, row_starts_[sized(i) + 1] - first, others_of_row_.data() + first, nullptr};
  }

  Line col(Index j) const {
    const Index first = col_starts_[sized(j)];
    return {first, col_starts_[sized(j) + 1] - first, others_of_col_.data() + first,
            positions_.data() + first};
  }

  /// predictions = the observed entries of left · rightᵀ.
  void predict(ConstBlockView left, ConstBlockView right, VectorView predictions,
               int threads) const {
    for_lines(rows_, left.cols(), threads, [&](Index i) {
      const Line line = row(i);
      kernels::predict(line.count, line.others, left.cols(), left.data() + i * left.cols(),
                       right.data(), predictions.data() + line.first);
    });
  }

  /// out = S · block, where S holds the values and zeros.
  void times(ConstVectorView values, ConstBlockView block, BlockView out, int threads) const {
    for_lines(rows_, block.cols(), threads, [&](Index i) {
      const Line line = row(i);
      kernels::gather(line.count, line.others, values.data() + line.first, block.cols(),
                      block.data(), out.data() + i * out.cols());
    });
  }

  /// out = Sᵀ · block.
  void transpose_times(ConstVectorView values, ConstBlockView block, BlockView out,
                       int threads) const {
    for_lines(cols_, block.cols(), threads, [&](Index j) {
      const Line line = col(j);
      kernels::gather_at(line.count, line.others, line.positions, values.data(), block.cols(),
                         block.data(), out.data() + j * out.cols());
    });
  }

  /// Runs task(line number) for all rows or columns.
  template <class Task>
  void for_lines(Index lines, Index work_per_entry, int threads, Task&& task) const {
    for_pieces(lines, work_per_entry, threads, [&](Index first, Index end) {
      for (Index line = first; line < end; ++line) task(line);
    });
  }

  /// Runs task(first, end) for pieces of a few hundred rows or columns.
  template <class Task>
  void for_pieces(Index lines, Index work_per_entry, int threads, Task&& task) const {
    constexpr Index lines_per_piece = 256;
    const Index pieces = (lines + lines_per_piece - 1) / lines_per_piece;
    parallel_for(worth_threads(threads, count() * work_per_entry), pieces, [&](Index piece) {
      task(piece * lines_per_piece, std::min(lines, (piece + 1) * lines_per_piece));
    });
  }

 private:
  static constexpr Index largest_index = std::numeric_limits<EntryIndex>::max();

  static constexpr Index largest_position = std::numeric_limits<Position>::max();

  static std::size_t sized(Index i) { return static_cast<std::size_t>(i); }

  /// Stable counting sort: fills `order` and returns where each key begins.
  template <class Key>
  static std::vector<Index> sort_by(Index keys, Index count, const Key* key_of,
                                    std::vector<Position>& order) {
    std::vector<Index> starts(sized(keys) + 1, 0);
    for (Index e = 0; e < count; ++e) ++starts[sized(key_of[e]) + 1];
    for (Index k = 0; k < keys; ++k) starts[sized(k) + 1] += starts[sized(k)];
    std::vector<Index> next(starts.begin(), starts.end() - 1);
    for (Index e = 0; e < count; ++e)
      order[sized(next[sized(key_of[e])]++)] = static_cast<Position>(e);
    return starts;
  }

  Index rows_, cols_;
  std::vector<Index> row_starts_, col_starts_;
  std::vector<Position> order_;
  std::vector<EntryIndex> others_of_row_, others_of_col_;
  std::vector<Position> positions_;  ///< where, in the row order, the entries of the columns stand
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
