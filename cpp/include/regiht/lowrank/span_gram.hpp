#pragma once

#include <vector>

#include "regiht/lowrank/block.hpp"
#include "regiht/lowrank/entry_lines.hpp"
#include "regiht/lowrank/panel_kernels.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Sums for one piece of the rows of `span_gram`: upper blocks of V's size, one for each two
/// columns of U. All entries of a row share its row of U, so that only their rows of V are summed
/// by entry.
class SpanGramPiece {
 public:
  SpanGramPiece(ConstVectorView weights, ConstBlockView U, ConstBlockView V)
      : weights_(weights),
        U_(U),
        V_(V),
        q_(V.cols()),
        stride_(kernels::panel_stride(q_)),
        panel_(kernels::rows_of_panel, stride_),
        weighted_(kernels::rows_of_panel, stride_),
        of_row_(stride_, stride_) {}

  void add_row(Index i, const EntryLine& line, Block& sum) {
    of_row_.setZero();
    double factors[kernels::rows_of_panel];
    for (Index first = 0; first < line.count; first += kernels::rows_of_panel) {
      const Index count = std::min(kernels::rows_of_panel, line.count - first);
      for (Index e = 0; e < count; ++e) factors[e] = weights_[line.position(first + e)];
      kernels::gather_panel(count, line.others + first, q_, stride_, V_.data(), panel_.data());
      kernels::scale_panel(count, stride_, factors, panel_.data(), weighted_.data());
      kernels::add_panel_gram(count, stride_, weighted_.data(), panel_.data(), of_row_.data());
    }
    for (Index b = 1; b < q_; ++b)
      for (Index d = 0; d < b; ++d) of_row_(b, d) = of_row_(d, b);
    for (Index a = 0; a < U_.cols(); ++a)
      for (Index b = 0; b < q_; ++b)
        for (Index c = a; c < U_.cols(); ++c) {
          const double factor = U_(i, a) * U_(i, c);
          const double* from = of_row_.data() + b * stride_;
          double* to = &sum(a * q_ + b, c * q_);
          for (Index d = 0; d < q_; ++d) to[d] += factor * from[d];
        }
  }

 private:
  ConstVectorView weights_;
  ConstBlockView U_, V_;
  Index q_, stride_;
  Block panel_, weighted_, of_row_;
};

/// Σ weights[e] · s·sᵀ over the entries, where s = (row of U) ⊗ (row of V) is what entry e sees of
/// the X in U·X·Vᵀ. Entries are ObservedEntries or EveryEntry.
template <class Entries>
Basis span_gram(const Entries& entries, ConstVectorView weights, ConstBlockView U, ConstBlockView V,
                int threads) {
  constexpr Index most_pieces = 16;  // each has a sum of its own
  const Index size = U.cols() * V.cols(), rows = entries.rows();
  const Index per_piece = std::max<Index>((rows - 1) / most_pieces + 1, 64);
  const Index pieces = (rows - 1) / per_piece + 1;
  std::vector<Block> sums(static_cast<std::size_t>(pieces), Block::Zero(size, size));
  const Index work = entries.count() * V.cols() * V.cols() + rows * size * size;
  parallel_for(worth_threads(threads, work), pieces, [&](Index piece) {
    SpanGramPiece adder(weights, U, V);
    Block& sum = sums[static_cast<std::size_t>(piece)];
    for (Index i = piece * per_piece; i < std::min(rows, (piece + 1) * per_piece); ++i)
      adder.add_row(i, entries.row(i), sum);
  });
  for (Index piece = 1; piece < pieces; ++piece) sums[0] += sums[static_cast<std::size_t>(piece)];
  return sums[0].selfadjointView<Eigen::Upper>();
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
