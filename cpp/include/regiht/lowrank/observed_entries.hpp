#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "regiht/lowrank/block.hpp"
#include "regiht/lowrank/entry_lines.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Which entries of a matrix were observed, row by row and column by column.
///
/// Values live outside, in arrays in the row order: by row, and within a row as they were given.
/// An entry may be there several times. Twelve bytes for each entry are kept, and building them
/// takes no more: `arrange` needs the given rows again.
class ObservedEntries {
 public:
  using EntryIndex = kernels::EntryIndex;
  using Position = kernels::Position;

  template <class Number>
  ObservedEntries(Index rows, Index cols, Index count, const Number* row_of, const Number* col_of)
      : rows_(rows), cols_(cols) {
    if (rows > largest_index || cols > largest_index)
      throw std::invalid_argument("at most 2^31 - 1 rows and columns");
    if (count > largest_position) throw std::invalid_argument("at most 2^32 - 1 observed entries");
    row_starts_ = starts_of(rows, count, row_of);
    col_starts_ = starts_of(cols, count, col_of);
    others_of_row_.resize(sized(count));
    arrange(row_of, col_of, others_of_row_.data());
    list_columns();
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index count() const { return row_starts_.back(); }

  /// out = values of the entries, which came with these rows, in the row order.
  template <class Number, class Value, class Out>
  void arrange(const Number* row_of, const Value* values, Out* out) const {
    std::vector<Index> next(row_starts_.begin(), row_starts_.end() - 1);
    for (Index e = 0; e < count(); ++e) out[next[sized(row_of[e])]++] = static_cast<Out>(values[e]);
  }

  /// How often the entry is there that is there most often; 1 without entries.
  Index most_repeats() const {
    std::vector<Index> last_row(sized(cols_), -1), repeats(sized(cols_), 0);
    Index most = 1;
    for (Index i = 0; i < rows_; ++i) {
      const EntryLine line = row(i);
      for (Index e = 0; e < line.count; ++e) {
        const std::size_t col = sized(line.others[e]);
        repeats[col] = last_row[col] == i ? repeats[col] + 1 : 1;
        last_row[col] = i;
        most = std::max(most, repeats[col]);
      }
    }
    return most;
  }

  EntryLine row(Index i) const {
    const Index first = row_starts_[sized(i)];
    return {first, row_starts_[sized(i) + 1] - first, others_of_row_.data() + first, nullptr, 1};
  }

  EntryLine col(Index j) const {
    const Index first = col_starts_[sized(j)];
    return {first, col_starts_[sized(j) + 1] - first, others_of_col_.data() + first,
            positions_.data() + first, 1};
  }

  /// predictions = the observed entries of left · rightᵀ.
  void predict(ConstBlockView left, ConstBlockView right, VectorView predictions,
               int threads) const {
    for_lines(rows_, left.cols(), threads, [&](Index i) {
      const EntryLine line = row(i);
      kernels::predict(line.count, line.others, left.cols(), left.data() + i * left.cols(),
                       right.data(), predictions.data() + line.first);
    });
  }

  /// The same for the entries from `first` to `end` alone.
  void predict_some(Index first, Index end, ConstBlockView left, ConstBlockView right,
                    double* predictions) const {
    const auto after = std::upper_bound(row_starts_.begin(), row_starts_.end(), first);
    for (Index i = after - row_starts_.begin() - 1; first < end; ++i) {
      const Index count = std::min(end, row_starts_[sized(i) + 1]) - first;
      kernels::predict(count, others_of_row_.data() + first, left.cols(),
                       left.data() + i * left.cols(), right.data(), predictions);
      first += count;
      predictions += count;
    }
  }

  /// out = S · block, where S holds the values and zeros.
  void times(ConstVectorView values, ConstBlockView block, BlockView out, int threads) const {
    for_lines(rows_, block.cols(), threads, [&](Index i) {
      const EntryLine line = row(i);
      kernels::gather(line.count, line.others, values.data() + line.first, block.cols(),
                      block.data(), out.data() + i * out.cols());
    });
  }

  /// out = Sᵀ · block.
  void transpose_times(ConstVectorView values, ConstBlockView block, BlockView out,
                       int threads) const {
    for_lines(cols_, block.cols(), threads, [&](Index j) {
      const EntryLine line = col(j);
      kernels::gather_at(line.count, line.others, line.positions, values.data(), block.cols(),
                         block.data(), out.data() + j * out.cols());
    });
  }

  /// Runs task(line number) for all rows or columns.
  template <class Task>
  void for_lines(Index lines, Index work_per_entry, int threads, Task&& task) const {
    for_line_pieces(lines, count() * work_per_entry, threads, [&](Index first, Index end) {
      for (Index line = first; line < end; ++line) task(line);
    });
  }

 private:
  static constexpr Index largest_index = std::numeric_limits<EntryIndex>::max();

  static constexpr Index largest_position = std::numeric_limits<Position>::max();

  static std::size_t sized(Index i) { return static_cast<std::size_t>(i); }

  /// Where the entries of each key begin, once they are in the order of their keys.
  template <class Key>
  static std::vector<Index> starts_of(Index keys, Index count, const Key* key_of) {
    std::vector<Index> starts(sized(keys) + 1, 0);
    for (Index e = 0; e < count; ++e) ++starts[sized(key_of[e]) + 1];
    for (Index k = 0; k < keys; ++k) starts[sized(k) + 1] += starts[sized(k)];
    return starts;
  }

  /// Goes over the row order, so that the entries of a column come by rows.
  void list_columns() {
    positions_.resize(others_of_row_.size());
    others_of_col_.resize(others_of_row_.size());
    std::vector<Index> next(col_starts_.begin(), col_starts_.end() - 1);
    for (Index i = 0; i < rows_; ++i)
      for (Index e = row_starts_[sized(i)]; e < row_starts_[sized(i) + 1]; ++e) {
        const std::size_t at = sized(next[sized(others_of_row_[sized(e)])]++);
        positions_[at] = static_cast<Position>(e);
        others_of_col_[at] = static_cast<EntryIndex>(i);
      }
  }

  Index rows_, cols_;
  std::vector<Index> row_starts_, col_starts_;
  std::vector<EntryIndex> others_of_row_, others_of_col_;
  std::vector<Position> positions_;  ///< where, in the row order, the entries of the columns stand
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
