#pragma once

#include "regiht/lowrank/factors.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// W = I − Q · diag(d) · Qᵀ with 0 ⪯ W ⪯ I and d falling; memory is that of Q.
struct SpaceWeights {
  Block Q;
  Vector d;

  /// Full weight on every direction.
  static SpaceWeights identity(Index size) { return {Block(size, 0), Vector(0)}; }

  /// W · X.
  Block times(ConstBlockView X, int threads) const { return without(X, d, threads); }

  /// W^{1/2} · X.
  Block root_times(ConstBlockView X, int threads) const {
    return without(X, 1.0 - (1.0 - d.array()).sqrt(), threads);
  }

  /// W − X · Xᵀ, which must not be negative.
  SpaceWeights lowered_by(ConstBlockView X, int threads) const {
    constexpr double negligible = 1e-14;
    const QR qr = thin_qr(beside(Q * d.cwiseSqrt().asDiagonal(), X), threads);
    // What is removed is wanted beside one, so that squares do.
    const SymmetricEigen found = symmetric_eigen(qr.R * qr.R.transpose());
    const Vector removed = found.values.reverse().cwiseMin(1.0);
    const Index kept = (removed.array() > negligible).count();
    return {product(qr.Q, Block(found.vectors.rowwise().reverse().leftCols(kept)), threads),
            removed.head(kept)};
  }

  /// Weights at or below the threshold become zero; only the `most` lowest weights are kept low.
  SpaceWeights rounded(double threshold, Index most) const {
    const Index kept = std::min<Index>(most, d.size());
    return {Q.leftCols(kept), (1.0 - d.array() <= threshold).select(1.0, d).head(kept)};
  }

 private:
  /// X − Q · diag(part) · Qᵀ · X.
  Block without(ConstBlockView X, const Vector& part, int threads) const {
    Block rest = X;
    if (part.size() > 0)
      add_product(Q, part.asDiagonal() * inner_product(Q, X, threads), rest, threads, -1.0);
    return rest;
  }
};

/// Φ(A) = (β/4)(⟨W, AAᵀ⟩ + ⟨Y, AᵀA⟩).
struct Regularizer {
  SpaceWeights W, Y;
  double beta;

  static Regularizer full(Index rows, Index cols, double beta) {
    return {SpaceWeights::identity(rows), SpaceWeights::identity(cols), beta};
  }

  double value(const Factors& A, int threads) const {
    return 0.25 * beta *
           (W.root_times(A.left(), threads).squaredNorm() +
            Y.root_times(A.right(), threads).squaredNorm());
  }
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
