#pragma once

#include <algorithm>

#include "regiht/kernels/thread_pool.hpp"
#include "regiht/lowrank/entry_kernels.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// The entries of one row or one column, as the kernels read them.
struct EntryLine {
  Index first, count;
  const kernels::EntryIndex* others;   ///< their columns, or rows
  const kernels::Position* positions;  ///< null where entries stand `stride` apart
  Index stride;

  /// Where entry e stands in the row order of all entries.
  Index position(Index e) const {
    return positions == nullptr ? first + e * stride : static_cast<Index>(positions[e]);
  }
};

/// Runs task(first, end) for pieces of a few hundred rows or columns.
template <class Task>
void for_line_pieces(Index lines, Index work, int threads, Task&& task) {
  constexpr Index lines_per_piece = 256;
  const Index pieces = (lines + lines_per_piece - 1) / lines_per_piece;
  parallel_for(worth_threads(threads, work), pieces, [&](Index piece) {
    task(piece * lines_per_piece, std::min(lines, (piece + 1) * lines_per_piece));
  });
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
