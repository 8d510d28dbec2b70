#pragma once

#include <vector>

#include "regiht/lowrank/block.hpp"
#include "regiht/lowrank/entry_lines.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Σ weights[e] · s·sᵀ over the entries, where s = (row of U) ⊗ (row of V) is what entry e sees of
/// the X in U·X·Vᵀ. Entries are ObservedEntries or EveryEntry.
template <class Entries>
Block span_gram(const Entries& entries, ConstVectorView weights, ConstBlockView U, ConstBlockView V,
                int threads) {
  constexpr Index most_pieces = 16;  // each has a sum of its own
  const Index p = U.cols(), q = V.cols(), size = p * q, stride = kernels::panel_stride(size);
  const Index rows = entries.rows(), per_piece = std::max<Index>((rows - 1) / most_pieces + 1, 64);
  const Index pieces = (rows - 1) / per_piece + 1;
  std::vector<Block> sums(static_cast<std::size_t>(pieces), Block::Zero(stride, stride));
  parallel_for(worth_threads(threads, entries.count() * size * size), pieces, [&](Index piece) {
    Block& sum = sums[static_cast<std::size_t>(piece)];
    Block seen = Block::Zero(kernels::rows_of_panel, stride), weighted = seen;
    Index filled = 0;
    const auto add = [&] {
      kernels::add_panel_gram(filled, stride, weighted.data(), seen.data(), sum.data());
      filled = 0;
    };
    for (Index i = piece * per_piece; i < std::min(rows, (piece + 1) * per_piece); ++i) {
      const EntryLine line = entries.row(i);
      for (Index e = 0; e < line.count; ++e) {
        double* row = seen.data() + filled * stride;
        for (Index a = 0; a < p; ++a)
          for (Index b = 0; b < q; ++b) row[a * q + b] = U(i, a) * V(line.others[e], b);
        weighted.row(filled) = weights[line.position(e)] * seen.row(filled);
        if (++filled == kernels::rows_of_panel) add();
      }
    }
    add();
  });
  for (Index piece = 1; piece < pieces; ++piece) sums[0] += sums[static_cast<std::size_t>(piece)];
  const Block upper = sums[0].topLeftCorner(size, size);
  return upper.selfadjointView<Eigen::Upper>();
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
