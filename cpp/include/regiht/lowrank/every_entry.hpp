#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "regiht/lowrank/entry_lines.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// All entries of a matrix, row by row: an `ObservedEntries` that needs no lists.
class EveryEntry {
 public:
  EveryEntry(Index rows, Index cols)
      : rows_(rows), cols_(cols), others_(static_cast<std::size_t>(std::max(rows, cols))) {
    std::iota(others_.begin(), others_.end(), 0);
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index count() const { return rows_ * cols_; }

  EntryLine row(Index i) const { return {i * cols_, cols_, others_.data(), nullptr, 1}; }
  EntryLine col(Index j) const { return {j, rows_, others_.data(), nullptr, cols_}; }

 private:
  Index rows_, cols_;
  std::vector<kernels::EntryIndex> others_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
