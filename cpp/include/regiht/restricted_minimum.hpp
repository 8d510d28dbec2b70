#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "regiht/objective.hpp"

namespace regiht {

/// What came of a refit.
struct Refit {
  double value = 0.0;           ///< f at the point reached
  bool rank_deficient = false;  ///< the minimum is not unique; this is the one of least norm
  bool attained = true;         ///< false: the values still fell when the steps ran out
};

/// When a refit may end.
struct RefitGoal {
  double tolerance = 0.0;  ///< when a step promises less than this times |f|
  /// When f will hardly come down to this value.
  double hopeless_above = std::numeric_limits<double>::infinity();
};

/// Solves Hd = −g for a symmetric H ≥ 0.
///
/// Columns are scaled to unit curvature before the Cholesky factorization; a pivot near rounding
/// sends the system to its eigenvalues, and the answer is then the one of least norm.
class NewtonSystem {
 public:
  void factorize(const Matrix& hessian) {
    const Index n = hessian.rows();
    scale_.resize(n);
    for (Index k = 0; k < n; ++k)
      scale_[k] = hessian(k, k) > 0.0 ? 1.0 / std::sqrt(hessian(k, k)) : 0.0;
    cholesky_.compute(scale_.asDiagonal() * hessian * scale_.asDiagonal());
    const double least = n == 0 ? 1.0 : cholesky_.matrixLLT().diagonal().minCoeff();
    deficient_ = cholesky_.info() != Eigen::Success || !(least * least > pivot_rounding);
    if (deficient_ && hessian.allFinite()) eigen_.compute(hessian);
  }

  bool rank_deficient() const { return deficient_; }

  Vector solve(const Vector& gradient) const {
    if (!deficient_) return -scale_.cwiseProduct(cholesky_.solve(scale_.cwiseProduct(gradient)));
    const Vector along = eigen_.eigenvectors().transpose() * gradient;
    const double cutoff = eigenvalue_rounding * std::max(eigen_.eigenvalues().maxCoeff(), 0.0);
    Vector step = Vector::Zero(gradient.size());
    double lost = 0.0;
    for (Index k = 0; k < along.size(); ++k) {
      if (eigen_.eigenvalues()[k] > cutoff)
        step -= along[k] / eigen_.eigenvalues()[k] * eigen_.eigenvectors().col(k);
      else
        lost += along[k] * along[k];
    }
    // A slope where there is no curvature: a loss that is linear far out. Go downhill.
    if (lost > 1e-12 * gradient.squaredNorm()) step -= gradient / std::max(cutoff, gradient.norm());
    return step;
  }

  /// The part of x that changes the curved directions: x itself if all are.
  Vector without_flat_part(const Vector& x) const {
    Vector out = Vector::Zero(x.size());
    const double cutoff = eigenvalue_rounding * std::max(eigen_.eigenvalues().maxCoeff(), 0.0);
    for (Index k = 0; k < x.size(); ++k)
      if (eigen_.eigenvalues()[k] > cutoff)
        out += eigen_.eigenvectors().col(k).dot(x) * eigen_.eigenvectors().col(k);
    return out;
  }

 private:
  static constexpr double pivot_rounding = 1e-11;
  static constexpr double eigenvalue_rounding = 1e-12;

  Vector scale_;
  Eigen::LLT<Matrix> cholesky_;
  Eigen::SelfAdjointEigenSolver<Matrix> eigen_;
  bool deficient_ = false;
};

/// Moves x, over the entries that it lists, to the minimum of f there, by damped Newton steps.
///
/// Ends when the goal says so, or when rounding stops the descent. A factorization serves until its
/// steps no longer gain a digit each. f stands at x afterwards.
class RestrictedMinimizer {
 public:
  Refit operator()(Objective& f, SparseVector& x, const RefitGoal& goal = {}) {
    Refit refit;
    refit.value = f.move_to(x);
    if (x.size() == 0 || !std::isfinite(refit.value)) return refit;
    gradient_.resize(x.size());
    bool fresh = false;
    double last_promise = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_steps; ++i) {
      f.gradient_inside(gradient_);
      if (!fresh) factorize(f, x);
      Vector step = system_.solve(gradient_);
      double promise = -gradient_.dot(step);
      if (fresh && !f.is_quadratic() && promise > 0.1 * last_promise) {
        factorize(f, x);
        step = system_.solve(gradient_);
        promise = -gradient_.dot(step);
      }
      fresh = true;
      last_promise = promise;
      // A Newton step comes down by about half its promise.
      if (refit.value - promise > goal.hopeless_above) return refit;
      if (!(promise > goal.tolerance * std::abs(refit.value)) ||
          !descend(f, x, step, promise, refit)) {
        finish(f, x, refit);
        return refit;
      }
    }
    refit.attained = false;
    return refit;
  }

 private:
  static constexpr int most_steps = 60;

  void factorize(Objective& f, const SparseVector& x) {
    f.second_derivatives(x.indices, x.indices, hessian_);
    system_.factorize(hessian_);
  }

  /// Goes along the step until the value falls, and further while it falls much; false if it does
  /// not fall.
  bool descend(Objective& f, SparseVector& x, const Vector& step, double promise, Refit& refit) {
    const auto go = [&](double length) {
      trial_.indices = x.indices;
      trial_.values.resize(x.values.size());
      for (std::size_t k = 0; k < x.values.size(); ++k)
        trial_.values[k] = x.values[k] + length * step[static_cast<Index>(k)];
      return f.move_to(trial_);
    };
    double length = 1.0;
    double value = go(length);
    while (!(value <= refit.value - 1e-4 * length * promise)) {
      // The last digits: no fall can be told from rounding any more.
      if (std::abs(value - refit.value) <= 4.0 * epsilon * std::abs(refit.value)) break;
      length *= 0.5;
      if (length < 1e-12) break;
      value = go(length);
    }
    if (!(value < refit.value)) {
      f.move_to(x);
      return false;
    }
    while (system_.rank_deficient() && value <= refit.value - 0.4 * length * promise &&
           length < 1e6) {
      const double further = go(2.0 * length);
      if (!(further < value)) {
        value = go(length);
        break;
      }
      length *= 2.0;
      value = further;
    }
    std::swap(x, trial_);
    refit.value = value;
    return true;
  }

  /// Takes the flat part out of x, if there is one and it makes no difference.
  void finish(Objective& f, SparseVector& x, Refit& refit) {
    if (!system_.rank_deficient()) return;
    const Vector before = Eigen::Map<const Vector>(x.values.data(), x.size());
    trial_ = x;
    Eigen::Map<Vector>(trial_.values.data(), x.size()) = system_.without_flat_part(before);
    const double value = f.move_to(trial_);
    refit.rank_deficient = value <= refit.value + 1e-12 * std::abs(refit.value);
    if (refit.rank_deficient) {
      x = trial_;
      refit.value = value;
    } else {
      f.move_to(x);
    }
  }

  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  Matrix hessian_;
  NewtonSystem system_;
  Vector gradient_;
  SparseVector trial_;
};

}  // namespace regiht
