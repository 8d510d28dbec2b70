#pragma once

#include <cmath>
#include <utility>

#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/make_projection.hpp"
#include "regiht/result.hpp"
#include "regiht/solver/run/tracker.hpp"
#include "regiht/solver/search/penalized_path.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The ℓ₁ path (Tibshirani 1996; by coordinate descent as in Friedman, Hastie and Tibshirani 2010)
/// from the λ where nothing is selected down to where s entries are in. If it jumps over s, λ is
/// bisected between. Each iterate is cut to its s largest entries, which stay shrunk: nothing is
/// refitted. Kept entries are not penalized.
inline Result lasso(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  constexpr double ratio = 0.9, least = 1e-6, resolution = 1e-4;
  constexpr double not_at_rest = 1.0;  // the path goes on, even if the cut iterate stays
  const auto projection = make_projection(options);
  const Vector weights = Vector::Zero(f.dimension());
  Tracker run(options, observer);
  const double value_at_zero = f.move_to({});
  PenalizedPath path(f, options, observer, 0.0);
  double too_strong = path.largest_strength();
  SparseVector fewer = path.x();
  SparseVector x = path.x();
  double value = f.move_to(x);
  run.begin(x, value, value_at_zero);
  if (!std::isfinite(too_strong)) run.end(Status::diverged);

  const double weakest = weakest_strength(least, too_strong);
  double too_weak = 0.0;  // once some λ lets in more than s
  while (run.goes_on() && too_strong > weakest && too_strong - too_weak > resolution * too_strong) {
    const double strength = too_weak == 0.0 ? ratio * too_strong : std::sqrt(too_weak * too_strong);
    path.restart_from(fewer);
    path.move_to(strength, options.sparsity + options.sparsity / 2 + 8);
    if (!path.is_finite()) run.cut_short(Status::diverged);
    if (path.interruption()) run.cut_short(*path.interruption());
    const Index selected = path.x().size();
    if (selected > options.sparsity)
      too_weak = strength;
    else
      too_strong = strength, fewer = path.x();
    SparseVector before = path.x();
    projection->apply(before);
    std::swap(x, before);
    value = f.move_to(x);
    run.record(before, x, weights, value, value, not_at_rest);
    if (selected == options.sparsity) break;
  }
  run.end(Status::finished);
  return run.finish(std::move(x), value, weights, 0.0, f.gradients_spent());
}

}}  // namespace regiht::REGIHT_ABI
