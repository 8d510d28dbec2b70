#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/selection.hpp"
#include "regiht/solver/refit/hessian_cache.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Where a path that begins at this strength ends, at a share of it: not below the normal numbers,
/// among which alone a share of a number is less than the number.
inline double weakest_strength(double share, double largest) {
  return std::max(share * largest, std::numeric_limits<double>::min());
}

/// Minimises f(x) + Σ penalty(xⱼ) for one strength λ after another, each from the last solution.
///
/// The penalty is λ|x| (concavity 0), or the minimax concave penalty of Zhang 2010, which flattens
/// out at |x| = γλ for a column of unit curvature (concavity 1/γ). Proximal Newton steps on a
/// working set, each by coordinate descent; columns outside that violate the optimality condition
/// |∇ⱼf| ≤ λ join the set until there is none. Kept entries are not penalized.
class PenalizedPath {
 public:
  /// A solution is good enough when a Newton step changes it by less than this share, and a sweep
  /// of coordinate descent by a hundredth of it.
  PenalizedPath(Objective& f, const Options& options, Observer& observer, double concavity,
                double tolerance = 1e-7)
      : f_(f),
        options_(options),
        observer_(observer),
        concavity_(concavity),
        tolerance_(tolerance) {
    x_ = restricted({}, options.keep);
    f_.move_to(x_);
  }

  const SparseVector& x() const { return x_; }

  /// Whether gradients were finite so far, and what the observer asked to stop with, if it did:
  /// then x is somewhere on the way.
  bool is_finite() const { return is_finite_; }
  const std::optional<Status>& interruption() const { return interruption_; }

  /// The least λ for which no penalized entry is selected. Fits those that are not penalized.
  double largest_strength() {
    SparseVector entries;
    const double start = f_.move_to(x_);
    if (x_.size() > 0) descend(start, true);
    f_.move_to(x_);
    steepest_off_support(f_, options_, 1, entries);
    return entries.size() == 0 ? 0.0 : std::abs(entries.values.front());
  }

  /// Goes to the solution for λ, or stops on the way when more than `most` entries are in.
  void move_to(double strength, Index most) {
    strength_ = strength;
    for (int round = 0; round < most_rounds; ++round) {
      descend(f_.move_to(x_), round == 0);
      x_ = restricted(x_, selected());
      f_.move_to(x_);
      if (is_over() || x_.size() > most || !add_violators()) return;
    }
  }

  /// Back to an earlier point of the path.
  void restart_from(SparseVector x) { x_ = std::move(x); }

 private:
  static constexpr int most_rounds = 50;
  static constexpr int most_newton_steps = 20;
  static constexpr int most_sweeps = 200;
  static constexpr Index cost_of_threshold = 16;  // in multiply-adds

  bool is_over() const { return interruption_ || !is_finite_; }

  bool is_penalized(Index j) const {
    return options_.keep.empty() ||
           !std::binary_search(options_.keep.begin(), options_.keep.end(), j);
  }

  Support selected() const {
    Support chosen;
    for (std::size_t k = 0; k < x_.indices.size(); ++k)
      if (x_.values[k] != 0.0 || !is_penalized(x_.indices[k])) chosen.push_back(x_.indices[k]);
    return chosen;
  }

  bool add_violators() {
    SparseVector entries;
    f_.gradient_off_support(strength_ * (1.0 + 1e-7), entries);
    // Many leave again when the worst are in.
    negate(entries);
    make_projection(options_, 16 + x_.size() / 2, {})->apply(entries);
    if (entries.size() == 0) return false;
    x_ = restricted(x_, united(x_.indices, entries.indices));
    return true;
  }

  double penalty(const SparseVector& x) const {
    double total = 0.0;
    for (std::size_t k = 0; k < x.indices.size(); ++k) {
      if (!is_penalized(x.indices[k])) continue;
      const double size = std::abs(x.values[k]);
      const double c = concavity_ * model_(static_cast<Index>(k), static_cast<Index>(k));
      total += c * size < strength_ ? size * (strength_ - 0.5 * c * size)
                                    : 0.5 * strength_ * strength_ / c;
    }
    return total;
  }

  /// Proximal Newton steps on the working set, from where f stands and has this value. Second
  /// derivatives serve until the steps no longer gain a digit each; those of the last round begin.
  void descend(double value, bool first_round) {
    gradient_.resize(x_.size());
    bool fresh = first_round;
    double last_size = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_newton_steps; ++step) {
      if ((fresh || (step == 0 && !hessian_.adapt(f_, x_.indices, observer_))) &&
          !hessian_.evaluate(f_, x_.indices, observer_))
        interruption_ = observer_.interruption();
      if (is_over()) return;
      if (fresh || step == 0) take_model();
      f_.gradient_on_support(gradient_);
      is_finite_ = gradient_.allFinite();
      if (!is_finite_) return;
      const Vector start = Eigen::Map<const Vector>(x_.values.data(), x_.size());
      Vector end = start;
      sweep_until_still(end);
      if (is_over()) return;
      const Vector change = end - start;
      const double size = change.cwiseProduct(model_.diagonal()).dot(change);
      const double scale = end.cwiseProduct(model_.diagonal()).dot(end);
      if (!(size > tolerance_ * tolerance_ * scale)) break;
      if (!shorten(start, change, value)) break;
      if (f_.is_quadratic() && size <= 1e-10 * scale) break;
      fresh = !f_.is_quadratic() && !(size <= 1e-2 * last_size);
      last_size = size;
    }
  }

  void take_model() {
    model_ = hessian_.values();
    for (Index k = 0; k < model_.rows(); ++k)  // a zero column has nothing to gain
      if (!(model_(k, k) > 0.0)) model_(k, k) = 1.0;
  }

  /// Coordinate descent on the quadratic model around x, with the penalty.
  void sweep_until_still(Vector& end) {
    Vector slope = gradient_;  // of the model at end
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      interruption_ = observer_.interruption();
      if (interruption_) return;
      observer_.spend(static_cast<double>(end.size() * (end.size() + cost_of_threshold)));
      double largest = 0.0, size = 0.0;
      for (Index k = 0; k < end.size(); ++k) {
        const double curvature = model_(k, k);
        const double pull = curvature * end[k] - slope[k];
        double next = is_penalized(x_.indices[static_cast<std::size_t>(k)])
                          ? threshold(pull, curvature)
                          : pull / curvature;
        if (options_.positive) next = std::max(next, 0.0);
        const double change = next - end[k];
        if (change != 0.0) {
          slope += change * model_.col(k);
          end[k] = next;
        }
        largest = std::max(largest, std::abs(change) * std::sqrt(curvature));
        size = std::max(size, std::abs(next) * std::sqrt(curvature));
      }
      if (largest <= 1e-2 * tolerance_ * size) break;
    }
  }

  /// The minimum of ½·curvature·x² − pull·x + penalty(x).
  double threshold(double pull, double curvature) const {
    const double size = std::abs(pull);
    if (size <= strength_) return 0.0;
    if (concavity_ * size >= strength_) return pull / curvature;
    return std::copysign(size - strength_, pull) / (curvature * (1.0 - concavity_));
  }

  /// Takes as much of the change as lowers f plus the penalty; false if none does.
  bool shorten(const Vector& start, const Vector& change, double& value) {
    const double before = value + penalty(x_);
    SparseVector trial = x_;
    double length = 1.0;
    for (int halvings = 0; halvings < 20; ++halvings, length *= 0.5) {
      Eigen::Map<Vector>(trial.values.data(), trial.size()) = start + length * change;
      const double next = f_.move_to(trial);
      if (next + penalty(trial) <= before) {
        std::swap(x_, trial);
        value = next;
        return true;
      }
    }
    value = f_.move_to(x_);
    return false;
  }

  Objective& f_;
  const Options& options_;
  Observer& observer_;
  bool is_finite_ = true;
  std::optional<Status> interruption_;
  double concavity_;
  double strength_ = 0.0;
  SparseVector x_;
  double tolerance_;
  HessianCache hessian_;
  Matrix model_;  // of f on the working set
  Vector gradient_;
};

}}  // namespace regiht::REGIHT_ABI
