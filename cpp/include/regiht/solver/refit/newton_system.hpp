#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "regiht/solver/refit/faint_curvature.hpp"
#include "regiht/solver/refit/unit_cholesky.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Solves Hd = −g for a symmetric H ≥ 0.
///
/// Uses Cholesky after scaling to unit curvature; if a pivot is near rounding, the eigenvalues and
/// the solution of least norm instead, or FaintCurvature where f knows more than H about directions
/// that seem flat.
class NewtonSystem {
 public:
  /// `multiply(V, out)` writes VᵀHV as sums of squares, or returns false.
  template <class Multiply>
  void factorize(const Matrix& hessian, Multiply&& multiply) {
    const Index n = hessian.rows();
    deficient_ = is_faint_ = false;
    usable_ = hessian.allFinite();
    if (!usable_) return;
    scale_ = unit_scales(hessian, 0.0);
    cholesky_.compute(scale_.asDiagonal() * hessian * scale_.asDiagonal());
    deficient_ = is_near_singular(cholesky_);
    if (!deficient_) return;
    eigen_.compute(hessian);
    usable_ = eigen_.info() == Eigen::Success;
    if (!usable_) return;
    Index flat = 0;
    for (Index k = 0; k < n; ++k) flat += is_curved(k) ? 0 : 1;
    is_faint_ = faint_.find(hessian, flat, multiply);
  }

  void factorize(const Matrix& hessian) {
    factorize(hessian, [](const Matrix&, Matrix&) { return false; });
  }

  /// False if H is not finite or its eigenvalues were not found.
  bool usable() const { return usable_; }

  /// Approximate cost of the factorization in multiply-adds; eigenvectors cost far more.
  double work() const { return cholesky_work(scale_.size()) * (deficient_ ? 40.0 : 1.0); }

  /// Whether the Cholesky factorization found H singular, and whether it is.
  bool seems_deficient() const { return deficient_ && usable_; }
  bool rank_deficient() const { return seems_deficient() && (!is_faint_ || faint_.has_flat()); }

  /// Whether some curvatures are far below the others, so that steps along them may be very long.
  bool is_faint() const { return is_faint_; }

  /// Whether f has slope where it has no curvature, as a loss that is linear far out.
  bool slopes_where_flat(const Vector& gradient) const {
    if (!rank_deficient()) return false;
    double lost = 0.0;
    if (is_faint_) {
      lost = faint_.flat_part(gradient).squaredNorm();
    } else {
      const Vector along = eigen_.eigenvectors().transpose() * gradient;
      for (Index k = 0; k < along.size(); ++k)
        if (!is_curved(k)) lost += along[k] * along[k];
    }
    return lost > 1e-12 * gradient.squaredNorm();
  }

  Vector solve(const Vector& gradient) const {
    if (!deficient_) return -scale_.cwiseProduct(cholesky_.solve(scale_.cwiseProduct(gradient)));
    if (is_faint_) return faint_.solve(gradient);
    const Vector along = eigen_.eigenvectors().transpose() * gradient;
    Vector step = Vector::Zero(gradient.size());
    for (Index k = 0; k < along.size(); ++k)
      if (is_curved(k)) step -= along[k] / eigen_.eigenvalues()[k] * eigen_.eigenvectors().col(k);
    return step;
  }

  /// Solves (H + damping·I)d = −g; only if seems_deficient().
  Vector solve_damped(const Vector& gradient, double damping) const {
    const Vector along = eigen_.eigenvectors().transpose() * gradient;
    return -eigen_.eigenvectors() *
           (along.array() / (eigen_.eigenvalues().array().max(0.0) + damping)).matrix();
  }

  /// With less damping, rounding in flat directions would act like a slope.
  double least_damping() const { return 1e-8 * std::max(eigen_.eigenvalues().maxCoeff(), 0.0); }

  /// The projection of x onto the curved directions; x itself if all are curved.
  Vector without_flat_part(const Vector& x) const {
    if (is_faint_) return x - faint_.flat_part(x);
    Vector out = Vector::Zero(x.size());
    for (Index k = 0; k < x.size(); ++k)
      if (is_curved(k)) out += eigen_.eigenvectors().col(k).dot(x) * eigen_.eigenvectors().col(k);
    return out;
  }

 private:
  bool is_curved(Index k) const {
    return eigen_.eigenvalues()[k] >
           eigenvalue_rounding * std::max(eigen_.eigenvalues().maxCoeff(), 0.0);
  }

  static constexpr double eigenvalue_rounding = 1e-12;

  Vector scale_;
  Eigen::LLT<Matrix> cholesky_;
  Eigen::SelfAdjointEigenSolver<Matrix> eigen_;
  FaintCurvature faint_;
  bool usable_ = true, deficient_ = false, is_faint_ = false;
};

}}  // namespace regiht::REGIHT_ABI
