#pragma once

#include <Eigen/Cholesky>
#include <cmath>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// 1/√Hₖₖ, by which rows and columns of H have unit curvature; `flat` where there is none.
inline Vector unit_scales(const Matrix& hessian, double flat) {
  return hessian.diagonal().unaryExpr(
      [flat](double curvature) { return curvature > 0.0 ? 1.0 / std::sqrt(curvature) : flat; });
}

/// About what a factorization of n rows takes, in multiply-adds: for a small one, what is around
/// it.
inline double cholesky_work(Index n) {
  const double size = static_cast<double>(n);
  return size * size * (0.5 * size + 4.0) + 1e3;
}

/// Whether a factorization of a matrix of unit diagonal failed, or all but did: a pivot that
/// rounding could have made.
inline bool is_near_singular(const Eigen::LLT<Matrix>& factor) {
  constexpr double pivot_rounding = 1e-11;
  if (factor.info() != Eigen::Success) return true;
  const double least = factor.rows() == 0 ? 1.0 : factor.matrixLLT().diagonal().minCoeff();
  return !(least * least > pivot_rounding);
}

}}  // namespace regiht::REGIHT_ABI
