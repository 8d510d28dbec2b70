#pragma once

#include <Eigen/Cholesky>
#include <cmath>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// 1/√Hₖₖ, which scales rows and columns of H to unit curvature; `flat` where there is none.
inline Vector unit_scales(const Matrix& hessian, double flat) {
  return hessian.diagonal().unaryExpr(
      [flat](double curvature) { return curvature > 0.0 ? 1.0 / std::sqrt(curvature) : flat; });
}

/// Approximate cost of a factorization of n rows in multiply-adds, overhead included.
inline double cholesky_work(Index n) {
  const double size = static_cast<double>(n);
  return size * size * (0.5 * size + 4.0) + 1e3;
}

/// Whether a factorization of a matrix with unit diagonal failed or has a pivot as small as
/// rounding.
inline bool is_near_singular(const Eigen::LLT<Matrix>& factor) {
  constexpr double pivot_rounding = 1e-11;
  if (factor.info() != Eigen::Success) return true;
  const double least = factor.rows() == 0 ? 1.0 : factor.matrixLLT().diagonal().minCoeff();
  return !(least * least > pivot_rounding);
}

}}  // namespace regiht::REGIHT_ABI
