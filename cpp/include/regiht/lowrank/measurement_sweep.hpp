#pragma once

#include <Eigen/Cholesky>

#include "regiht/lowrank/factors.hpp"
#include "regiht/lowrank/gram.hpp"
#include "regiht/lowrank/poll.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Measurements ⟨Cᵢ, A⟩ of a rows × cols matrix A. Row i of C holds Cᵢ, row by row.
struct DenseMeasurements {
  ConstBlockView C;
  Index rows, cols;

  const double* matrix(Index i) const { return C.data() + i * rows * cols; }

  /// The measurements of X · Vᵀ as a matrix that acts on X, stored row by row.
  Block seen_of_left(const Block& V, int threads) const {
    // The kernels work on multiples of four columns.
    const Index rank = V.cols(), width = kernels::panel_stride(rank);
    Block wide = Block::Zero(cols, width);
    wide.leftCols(rank) = V;
    const Eigen::Map<const Block> stacked(C.data(), C.rows() * rows, cols);
    const Block products = product(stacked, wide, threads);
    Block seen(C.rows(), rows * rank);
    Eigen::Map<Block>(seen.data(), C.rows() * rows, rank) = products.leftCols(rank);
    return seen;
  }

  /// The measurements of U · X · Vᵀ as a matrix that acts on X, stored row by row.
  Block seen_of_core(const Block& U, const Block& V, int threads) const {
    constexpr Index per_piece = 16;
    const Block of_left = seen_of_left(V, threads);
    const Index p = U.cols(), q = V.cols();
    Block seen = Block::Zero(C.rows(), p * q);
    parallel_for(worth_threads(threads, of_left.size() * p), piece_count(C.rows(), per_piece),
                 [&](Index piece) {
                   const Index end = std::min(C.rows(), (piece + 1) * per_piece);
                   for (Index i = piece * per_piece; i < end; ++i)
                     kernels::add_product(p, q, rows, {U.data(), 1, p}, of_left.row(i).data(), q,
                                          seen.row(i).data(), q);
                 });
    return seen;
  }

  /// The measurements of U · Xᵀ as a matrix that acts on X, stored column by column.
  Block seen_of_right(const Block& U, int threads) const {
    constexpr Index per_piece = 16;
    const Index rank = U.cols();
    Block seen = Block::Zero(C.rows(), rank * cols);
    parallel_for(worth_threads(threads, C.size() * rank), piece_count(C.rows(), per_piece),
                 [&](Index piece) {
                   const Index end = std::min(C.rows(), (piece + 1) * per_piece);
                   for (Index i = piece * per_piece; i < end; ++i)
                     kernels::add_product(rank, cols, rows, {U.data(), 1, rank}, matrix(i), cols,
                                          seen.row(i).data(), cols);
                 });
    return seen;
  }
};

/// Moves x to the minimum of ½‖S·x − y‖² + (ridge/2)‖x‖² by the normal equations, twice against
/// rounding. Along directions that S determines only up to rounding, x hardly moves.
inline void move_to_least_squares(const Block& S, ConstVectorView y, double ridge, VectorView x,
                                  int threads, const Poll& poll) {
  constexpr double told = 1e-13;
  poll();
  Basis system = gram(S, threads);
  system.diagonal().array() += ridge + told * system.diagonal().maxCoeff();
  poll();
  const Eigen::LLT<Basis> llt(system);
  if (llt.info() != Eigen::Success) return;
  for (int pass = 0; pass < 2; ++pass) {
    const Block residual = product(S, x, threads) - y;
    x -= llt.solve(inner_product(S, residual, threads) + ridge * x);
  }
}

/// One sweep over both factors, each moved to its minimum while the other stays.
inline Factors sweep(const DenseMeasurements& measured, ConstVectorView y, double ridge,
                     const Factors& A, int threads, const Poll& poll) {
  Block left = A.left();
  move_to_least_squares(measured.seen_of_left(A.V, threads), y, ridge,
                        Eigen::Map<Vector>(left.data(), left.size()), threads, poll);
  const QR of_left = thin_qr(left, threads);
  Basis right = product(A.V, Block(of_left.R.transpose()), threads);
  move_to_least_squares(measured.seen_of_right(of_left.Q, threads), y, ridge,
                        Eigen::Map<Vector>(right.data(), right.size()), threads, poll);
  const QR of_right = thin_qr(Block(right), threads);
  return Factors::of_product(of_left.Q, of_right.R.transpose(), of_right.Q, threads);
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
