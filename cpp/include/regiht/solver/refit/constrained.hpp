#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "regiht/options/options.hpp"
#include "regiht/projection/selection.hpp"
#include "regiht/solver/refit/newton.hpp"

namespace regiht { inline namespace REGIHT_ABI {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Moves x to the minimum of f on the entries that it lists, subject to the options.
///
/// Entries that must be positive are treated by active sets (Lawson and Hanson 1974, for convex f):
/// minimise over the free entries, holding those that would fall below zero there one after
/// another; then free a held entry along which f still falls, until there is none. Each round
/// lowers f, so this ends, and at a point where the Karush–Kuhn–Tucker conditions hold. Entries
/// that end at zero are dropped unless kept.
class ConstrainedMinimizer {
 public:
  explicit ConstrainedMinimizer(const Options& options, Observer& observer = no_observer())
      : options_(options), minimize_(observer) {}

  Refit operator()(Objective& f, SparseVector& x, const RefitGoal& goal = {}) {
    if (!options_.positive) return minimize_(f, x, goal);
    for (double& value : x.values) value = std::max(value, 0.0);
    const Refit refit = minimize_positive(f, x, goal);
    drop_zeros(options_, x);
    f.move_to(x);
    return refit;
  }

  /// Gives second derivatives that refits may reuse.
  void remember(const Support& support, const Matrix& hessian) {
    minimize_.remember(support, hessian);
  }

 private:
  static bool is_over(const Refit& refit) { return refit.interruption || !refit.finite; }

  Refit minimize_positive(Objective& f, SparseVector& x, const RefitGoal& goal) {
    Support free = x.indices;
    // With all entries free, a support hopeless without the constraint is hopeless with it.
    Refit refit = minimize_free(f, x, free, goal);
    if (is_over(refit) || !(refit.value <= goal.abandon_above)) return refit;
    for (Index rounds = 0; free.size() < x.indices.size(); ++rounds) {
      const Index freed = most_promising(f, x, free, refit.value, goal.tolerance);
      if (freed < 0) break;
      if (rounds == 3 * x.size()) {
        refit.attained = false;
        break;
      }
      SparseVector next = x;
      Support wider = united(free, {freed});
      const Refit lower = minimize_free(f, next, wider, {goal.tolerance, infinity, goal.reuse});
      if (!(lower.value < refit.value)) {
        refit.interruption = lower.interruption;
        break;
      }
      refit = lower;
      x = std::move(next);
      free = std::move(wider);
      if (is_over(refit)) break;
    }
    return refit;
  }

  /// Goes to the minimum over the free entries. Where an entry would fall below zero, the move
  /// stops, the entry is held at zero, and the search continues without it.
  Refit minimize_free(Objective& f, SparseVector& x, Support& free, RefitGoal goal) {
    for (;;) {
      const SparseVector start = restricted(x, free);
      SparseVector end = start;
      const Refit refit = minimize_(f, end, goal);
      if (!(refit.value <= goal.abandon_above)) return refit;
      goal.abandon_above = infinity;
      // The share of the move that each entry allows.
      const auto share = [&](std::size_t k) {
        const double from = start.values[k], to = end.values[k];
        return to < 0.0 ? from / (from - to) : 2.0;
      };
      double length = 2.0;
      for (std::size_t k = 0; k < end.values.size(); ++k) length = std::min(length, share(k));
      const bool arrives = length > 1.0;
      free.clear();
      for (std::size_t k = 0; k < end.values.size(); ++k) {
        const bool is_held = !arrives && share(k) == length;
        const double from = start.values[k], to = end.values[k];
        const double reached = arrives ? to : std::max(0.0, from + length * (to - from));
        x.values[x.position(end.indices[k])] = is_held ? 0.0 : reached;
        if (!is_held) free.push_back(end.indices[k]);
      }
      if (arrives) return refit;
    }
  }

  /// The held entry whose release lowers f most in the model of its own curvature; −1 if none
  /// lowers it by more than rounding or the tolerance.
  Index most_promising(Objective& f, const SparseVector& x, const Support& free, double value,
                       double tolerance) {
    constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
    f.move_to(x);
    gradient_.resize(x.size());
    f.gradient_on_support(gradient_);
    curvatures_.resize(x.size());
    f.curvatures(x.indices, curvatures_);
    double most = std::max(tolerance, rounding) * std::abs(value);
    Index best = -1;
    for (Index k = 0; k < x.size(); ++k) {
      const Index j = x.indices[static_cast<std::size_t>(k)];
      if (!(gradient_[k] < 0.0) || std::binary_search(free.begin(), free.end(), j)) continue;
      const double predicted_decrease = gradient_[k] * gradient_[k] / curvatures_[k];
      if (predicted_decrease > most) {
        most = predicted_decrease;
        best = j;
      }
    }
    return best;
  }

  const Options& options_;
  RestrictedMinimizer minimize_;
  Vector gradient_, curvatures_;
};

}}  // namespace regiht::REGIHT_ABI
