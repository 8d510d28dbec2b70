#pragma once

#include <Eigen/Cholesky>

#include "regiht/lowrank/decompositions.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Solves systems with one symmetric matrix that is not negative. Directions in which it is no more
/// than rounding get no part of the answer.
class SymmetricSystem {
 public:
  explicit SymmetricSystem(const Basis& matrix) : llt_(matrix) {
    // Squares of the pivots lie between the extreme eigenvalues.
    constexpr double far_from_singular = 1e-8;
    const auto pivots = llt_.matrixLLT().diagonal().array().square();
    definite_ = llt_.info() == Eigen::Success &&
                pivots.minCoeff() > far_from_singular * matrix.diagonal().maxCoeff();
    if (!definite_) eigen_ = symmetric_eigen(matrix);
  }

  Vector solve(const Vector& b) const {
    if (definite_) return llt_.solve(b);
    constexpr double told = 1e-14;
    const double least = told * eigen_.values.cwiseAbs().maxCoeff();
    const Vector inverse =
        (eigen_.values.array().abs() > least).select(eigen_.values.cwiseInverse(), 0.0);
    return eigen_.vectors * (inverse.asDiagonal() * (eigen_.vectors.transpose() * b));
  }

 private:
  Eigen::LLT<Basis> llt_;
  SymmetricEigen eigen_;
  bool definite_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
