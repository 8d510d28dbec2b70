#pragma once

#include <algorithm>
#include <vector>

#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/lowrank/block.hpp"
#include "regiht/lowrank/product_kernels.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

// Dense products of tall matrices with small ones. Pieces of work depend on the shapes alone, so
// that the answer is the same for any number of threads.

inline constexpr Index rows_per_piece = 256;
inline constexpr Index rows_per_sum = 1024;

inline Index piece_count(Index rows, Index per_piece) { return (rows + per_piece - 1) / per_piece; }

/// out += A · b, row by row.
inline void add_dots(ConstBlockView A, const Block& b, BlockView out, int threads) {
  parallel_for(
      worth_threads(threads, A.size()), piece_count(A.rows(), rows_per_piece), [&](Index piece) {
        const Index first = piece * rows_per_piece;
        const Index end = std::min(A.rows(), first + rows_per_piece);
        for (Index i = first; i < end; ++i)
          out(i, 0) += regiht::kernels::dot(A.cols(), A.data() + i * A.outerStride(), b.data());
      });
}

/// out += scale · A · B.
inline void add_product(ConstBlockView A, ConstBlockView B, BlockView out, int threads,
                        double scale = 1.0) {
  const Block scaled = scale * B;
  if (B.cols() == 1) return add_dots(A, scaled, out, threads);
  parallel_for(worth_threads(threads, A.size() * B.cols()), piece_count(A.rows(), rows_per_piece),
               [&](Index piece) {
                 const Index first = piece * rows_per_piece;
                 kernels::add_product(
                     std::min(rows_per_piece, A.rows() - first), B.cols(), A.cols(),
                     {A.data() + first * A.outerStride(), A.outerStride(), 1}, scaled.data(),
                     scaled.cols(), out.data() + first * out.outerStride(), out.outerStride());
               });
}

/// A · B.
inline Block product(ConstBlockView A, ConstBlockView B, int threads) {
  Block out = Block::Zero(A.rows(), B.cols());
  if (A.size() > 0 && B.size() > 0) add_product(A, B, out, threads);
  return out;
}

/// Aᵀ · B by pieces of its rows, for matrices with few columns: partial sums are added in order.
inline Block inner_product(ConstBlockView A, ConstBlockView B, int threads) {
  Block out = Block::Zero(A.cols(), B.cols());
  if (A.size() == 0 || B.size() == 0) return out;
  const Index pieces = piece_count(A.rows(), rows_per_sum);
  std::vector<Block> parts(static_cast<std::size_t>(pieces));
  parallel_for(worth_threads(threads, A.size() * B.cols()), pieces, [&](Index piece) {
    const Index first = piece * rows_per_sum;
    Block part = Block::Zero(A.cols(), B.cols());
    kernels::add_product(A.cols(), B.cols(), std::min(rows_per_sum, A.rows() - first),
                         {A.data() + first * A.outerStride(), 1, A.outerStride()},
                         B.data() + first * B.outerStride(), B.outerStride(), part.data(),
                         part.cols());
    parts[static_cast<std::size_t>(piece)] = std::move(part);
  });
  for (const Block& part : parts) out += part;
  return out;
}

/// out = Aᵀ · B, for an A with many columns.
inline void transposed_product(ConstBlockView A, ConstBlockView B, BlockView out, int threads) {
  out.setZero();
  if (A.size() == 0 || B.size() == 0) return;
  parallel_for(worth_threads(threads, A.size() * B.cols()), piece_count(A.cols(), rows_per_piece),
               [&](Index piece) {
                 const Index first = piece * rows_per_piece;
                 kernels::add_product(std::min(rows_per_piece, A.cols() - first), B.cols(),
                                      A.rows(), {A.data() + first, 1, A.outerStride()}, B.data(),
                                      B.outerStride(), out.data() + first * out.outerStride(),
                                      out.outerStride());
               });
}

/// Σ aᵢ bᵢ by pieces.
inline double dot_product(ConstVectorView a, ConstVectorView b, int threads) {
  const Index pieces = regiht::kernels::chunk_count(a.size());
  Vector parts(pieces);
  parallel_for(worth_threads(threads, a.size()), pieces, [&](Index piece) {
    const Index first = piece * regiht::kernels::chunk_rows;
    parts[piece] = regiht::kernels::dot(std::min(regiht::kernels::chunk_rows, a.size() - first),
                                        a.data() + first, b.data() + first);
  });
  return regiht::kernels::sum(pieces, parts.data());
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
