#pragma once

#include <limits>

#include "regiht/lowrank/decompositions.hpp"
#include "regiht/lowrank/orthonormalize.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// How many of the falling singular values of a matrix with that longest side are above rounding.
inline Index significant(const Vector& s, Index size) {
  if (s.size() == 0) return 0;
  const double rounding = static_cast<double>(size) * std::numeric_limits<double>::epsilon() * s[0];
  return (s.array() > rounding).count();
}

/// Columns of two blocks side by side.
inline Block beside(ConstBlockView a, ConstBlockView b) {
  Block both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

/// U · diag(s) · Vᵀ with orthonormal columns in U and V, and s falling.
struct Factors {
  Block U;
  Vector s;
  Block V;

  static Factors zero(Index rows, Index cols) {
    return {Block(rows, 0), Vector(0), Block(cols, 0)};
  }

  /// U · X · Vᵀ for orthonormal U and V, without singular values that are rounding.
  static Factors of_product(ConstBlockView U, ConstBlockView X, ConstBlockView V, int threads) {
    const SingularTriplets found = thin_svd(X);
    const Index kept = significant(found.s, std::max(U.rows(), V.rows()));
    return {product(U, Block(found.U.leftCols(kept)), threads), found.s.head(kept),
            product(V, Block(found.V.leftCols(kept)), threads)};
  }

  /// left · rightᵀ for any two blocks.
  static Factors of_terms(ConstBlockView left, ConstBlockView right, int threads) {
    const QR L = thin_qr(left, threads), R = thin_qr(right, threads);
    return of_product(L.Q, L.R * R.R.transpose(), R.Q, threads);
  }

  Index rows() const { return U.rows(); }
  Index cols() const { return V.rows(); }
  Index rank() const { return s.size(); }
  double squared_norm() const { return s.squaredNorm(); }

  /// U · diag(s), so that the matrix is left · Vᵀ.
  Block left() const { return U * s.asDiagonal(); }

  /// V · diag(s), so that the matrix is U · rightᵀ.
  Block right() const { return V * s.asDiagonal(); }
};

/// R of the decomposition Q · R.
inline Block triangle(ConstBlockView matrix, int threads) {
  if (matrix.rows() > rows_per_sum) return thin_qr(matrix, threads).R;
  const Index least = std::min(matrix.rows(), matrix.cols());
  const Eigen::HouseholderQR<Basis> qr{Basis(matrix)};
  return qr.matrixQR().topRows(least).triangularView<Eigen::Upper>();
}

/// ‖left · rightᵀ‖² without the cancellation of expanded squares.
inline double squared_norm(ConstBlockView left, ConstBlockView right, int threads) {
  if (left.cols() == 0) return 0.0;
  return (triangle(left, threads) * triangle(right, threads).transpose()).squaredNorm();
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
