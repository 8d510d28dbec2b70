#pragma once

#include <Eigen/Eigenvalues>
#include <cmath>

#include "regiht/lowrank/decompositions.hpp"
#include "regiht/lowrank/orthonormalize.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// The eigenvector of the largest eigenvalue of a symmetric tridiagonal matrix, by inverse
/// iteration with a shift right above it, so that the shifted matrix is definite.
inline Vector leading_of_tridiagonal(const Vector& diagonal, const Vector& beside_diagonal,
                                     double largest) {
  constexpr double above = 1e-13;
  constexpr int iterations = 3;
  const Index size = diagonal.size();
  const double shift = largest * (1.0 + above), least = 0.1 * above * largest;
  Vector pivots(size), x(size);
  for (Index i = 0; i < size; ++i) {
    const double b = i == 0 ? 0.0 : beside_diagonal[i - 1];
    pivots[i] = std::max(shift - diagonal[i] - (i == 0 ? 0.0 : b * b / pivots[i - 1]), least);
  }
  FixedRandom random;
  random.fill(x);
  for (int done = 0; done < iterations; ++done) {
    for (Index i = 1; i < size; ++i) x[i] += beside_diagonal[i - 1] / pivots[i - 1] * x[i - 1];
    x[size - 1] /= pivots[size - 1];
    for (Index i = size - 1; i-- > 0;) x[i] = (x[i] + beside_diagonal[i] * x[i + 1]) / pivots[i];
    x /= x.norm();
  }
  return x;
}

/// The leading singular triplet by the eigenvalues of MᵀM, which takes a fraction of a whole
/// decomposition: only small singular values suffer from squares.
inline SingularTriplets leading_by_squares(const Block& matrix) {
  const double scale = matrix.cwiseAbs().maxCoeff();
  const Block scaled = matrix / scale;
  const Basis squares = inner_product(scaled, scaled, 1);
  Vector v = Vector::Ones(squares.cols());
  if (squares.cols() > 1) {
    const Eigen::Tridiagonalization<Basis> reduced(squares);
    const Vector diagonal = reduced.diagonal(), beside_diagonal = reduced.subDiagonal();
    Eigen::SelfAdjointEigenSolver<Basis> solver;
    solver.computeFromTridiagonal(diagonal, beside_diagonal, Eigen::EigenvaluesOnly);
    v = reduced.matrixQ() *
        leading_of_tridiagonal(diagonal, beside_diagonal, solver.eigenvalues().maxCoeff());
  }
  const Vector image = scaled * v;
  const double s = image.norm();
  return {image / s, Vector::Constant(1, s * scale), v};
}

/// The rank leading triplets of a small matrix, each with ‖Mᵀu − σv‖ ≤ tol · σ₁.
inline SingularTriplets leading_of_dense(const Block& matrix, Index rank, double tol) {
  if (rank == 1 && matrix.allFinite() && !matrix.isZero(0.0)) {
    const bool is_wide = matrix.cols() > matrix.rows();
    const Block tall = is_wide ? Block(matrix.transpose()) : matrix;
    SingularTriplets found = leading_by_squares(tall);
    const Vector missed = tall.transpose() * found.U.col(0) - found.s[0] * found.V.col(0);
    if (missed.norm() <= tol * found.s[0]) {
      if (is_wide) found.U.swap(found.V);
      return found;
    }
  }
  return truncate_rank(matrix, rank);
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
