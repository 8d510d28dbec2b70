#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/solver/refit/hessian_blocks.hpp"
#include "regiht/solver/refit/unit_cholesky.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The scope of a swap search: single swaps for columns with large gradients; small blocks as well;
/// single swaps for all columns as well.
enum class SearchScope { singles, blocks, everything };

/// One entry for another, and the predicted decrease of f.
struct Swap {
  Index leaving, entering;
  double gain;
};

/// Predicts the gains of single swaps at the minimum x of f on a support S.
///
/// Let H be the second derivatives at x and P the inverse of H on S. In the second-order model,
/// removing i from S costs ½Lᵢ² with Lᵢ = xᵢ/√Pᵢᵢ. For j outside let σⱼ be its curvature when S is
/// re-optimised (the Schur complement) and tᵢⱼ = (P h_Sj)ᵢ/√Pᵢᵢ. Swapping i for j lowers f by
/// ½(gⱼ − tᵢⱼLᵢ)²/(σⱼ + tᵢⱼ²). For squared loss the model is exact. Since tᵢⱼ² ≤ hⱼⱼ − σⱼ = ρ²hⱼⱼ,
/// a swap gains nothing unless |gⱼ| > (1 − ρ)√hⱼⱼ·min|Lᵢ|: columns with a small gradient matter
/// only if S nearly spans them.
///
/// If entries must be positive, the gain ignores this constraint on S: an upper bound, since x is
/// the unconstrained minimum on S. Swaps whose entering entry would be negative gain nothing and
/// are left out.
class SwapModel {
 public:
  explicit SwapModel(bool positive = false) : positive_(positive) {}

  /// Builds the model at x, where f must be. False, and unusable, if second derivatives are not
  /// finite or the observer interrupts.
  bool prepare(Objective& f, const Support& keep, Observer& observer = no_observer()) {
    x_ = f.point();
    if (!evaluate_blocks(f, x_.indices, x_.indices, hessian_, observer)) return false;
    observer.spend(4.0 * cholesky_work(x_.size()));  // a factorization and the inverse
    if (!hessian_.allFinite() || !invert()) return false;
    losses_.resize(x_.size());
    least_loss_ = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < x_.size(); ++k) {
      const std::size_t at = static_cast<std::size_t>(k);
      losses_[k] = x_.values[at] / std::sqrt(inverse_(k, k));
      if (std::binary_search(keep.begin(), keep.end(), x_.indices[at]))
        losses_[k] = std::numeric_limits<double>::infinity();
      least_loss_ = std::min(least_loss_, std::abs(losses_[k]));
    }
    return true;
  }

  /// S, and H on it.
  const Support& support() const { return x_.indices; }
  const Matrix& hessian() const { return hessian_; }

  /// Whether some entry may leave.
  bool any() const { return std::isfinite(least_loss_); }

  /// Lᵢ for the entries of x in order; infinite for those that must stay.
  const Vector& losses() const { return losses_; }
  double least_loss() const { return least_loss_; }

  /// A bound on the rounding error of f(x) = value: predictions carry that of the terms they sum,
  /// and the slope of a convex loss is at most √(2ℓ) in units of its curvature.
  double roundoff(double value) const {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    double terms = 0.0;
    for (Index k = 0; k < x_.size(); ++k)
      terms += std::abs(x_.values[static_cast<std::size_t>(k)]) *
               std::sqrt(std::max(hessian_(k, k), 0.0));
    return 8.0 * epsilon * (std::abs(value) + std::sqrt(2.0 * std::abs(value)) * terms);
  }

  /// P.
  const Matrix& inverse() const { return inverse_; }

  /// The minimum of the model after removing `count` entries one by one, cheapest first; fewer if
  /// the others must stay.
  SparseVector without_cheapest(Index count) const {
    Matrix inverse = inverse_;
    Vector values = Eigen::Map<const Vector>(x_.values.data(), x_.size());
    std::vector<bool> leaves(x_.values.size(), false);
    for (; count > 0; --count) {
      Index cheapest = -1;
      double least = std::numeric_limits<double>::infinity();
      for (Index k = 0; k < x_.size(); ++k) {
        const double loss = std::abs(values[k]) / std::sqrt(inverse(k, k));
        if (leaves[static_cast<std::size_t>(k)] || !std::isfinite(losses_[k]) || !(loss < least))
          continue;
        cheapest = k;
        least = loss;
      }
      if (cheapest < 0) break;
      leaves[static_cast<std::size_t>(cheapest)] = true;
      const Vector direction = inverse.col(cheapest) / inverse(cheapest, cheapest);
      values -= values[cheapest] * direction;
      inverse -= direction * inverse.row(cheapest);
    }
    SparseVector out;
    for (std::size_t k = 0; k < leaves.size(); ++k)
      if (!leaves[k]) out.append(x_.indices[k], values[static_cast<Index>(k)]);
    return out;
  }

  /// Appends to `found` the best swap for each of these columns if it gains more than `least`; all
  /// swaps that may, if gains are bounds.
  void look(Objective& f, const SparseVector& gradient, double least, std::vector<Swap>& found) {
    Vector curvatures(gradient.size());
    f.curvatures(gradient.indices, curvatures);
    f.second_derivatives(x_.indices, gradient.indices, cross_);
    const Matrix followed = inverse_ * cross_;
    for (Index l = 0; l < gradient.size(); ++l) {
      const double slope = gradient.values[static_cast<std::size_t>(l)];
      const double own =
          std::max(curvatures[l] - cross_.col(l).dot(followed.col(l)), dependent * curvatures[l]);
      Swap best{-1, gradient.indices[static_cast<std::size_t>(l)], least};
      for (Index k = 0; k < x_.size(); ++k) {
        if (!std::isfinite(losses_[k])) continue;
        const double t = followed(k, l) / std::sqrt(inverse_(k, k));
        const double rest = slope - t * losses_[k];
        const double gain = 0.5 * (rest * rest / (own + t * t) - losses_[k] * losses_[k]);
        const Index leaving = x_.indices[static_cast<std::size_t>(k)];
        if (positive_) {
          if (rest < 0.0 && gain > least) found.push_back({leaving, best.entering, gain});
        } else if (gain > best.gain) {
          best.gain = gain;
          best.leaving = leaving;
        }
      }
      if (best.leaving >= 0) found.push_back(best);
    }
  }

 private:
  /// Computes P, adding a little to the diagonal of H where columns of S are dependent: removing
  /// such an entry then costs next to nothing, as it should.
  bool invert() {
    constexpr double share = 1e-9;
    const Vector scale = unit_scales(hessian_, 1.0);
    Matrix unit = scale.asDiagonal() * hessian_ * scale.asDiagonal();
    unit.diagonal().setOnes();
    Eigen::LLT<Matrix> factor(unit);
    if (is_near_singular(factor)) {
      unit.diagonal().array() += share;
      factor.compute(unit);
    }
    if (factor.info() != Eigen::Success) return false;
    inverse_ = factor.solve(Matrix::Identity(unit.rows(), unit.cols()));
    inverse_ = scale.asDiagonal() * inverse_ * scale.asDiagonal();
    return inverse_.allFinite();
  }

  /// A column that S explains up to this share counts as dependent on it.
  static constexpr double dependent = 1e-10;

  bool positive_;
  SparseVector x_;
  Matrix hessian_, inverse_, cross_;
  Vector losses_;
  double least_loss_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
