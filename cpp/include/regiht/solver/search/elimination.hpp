#pragma once

#include <utility>

#include "regiht/solver/refit/constrained.hpp"
#include "regiht/solver/run/support_run.hpp"
#include "regiht/solver/search/swap_model.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Removes entries, cheapest first, until `count` are left; x ends at the minimum on those.
///
/// Costs come from a second-order model, renewed when three quarters of the surplus are out unless
/// it is exact. f must be at x, a minimum on its support. `proceed(x, value)` is called after every
/// refit and returns false to stop; the result is false if it did, or if a model failed.
template <class Proceed>
bool eliminate(Objective& f, const Support& keep, Index count, SparseVector& x, double& value,
               ConstrainedMinimizer& minimize, Observer& observer, Proceed&& proceed) {
  SwapModel model;
  while (x.size() > count) {
    if (!model.prepare(f, keep, observer)) return false;
    const Index surplus = x.size() - count;
    x = model.without_cheapest(f.is_quadratic() ? surplus : (3 * surplus + 3) / 4);
    if (x.size() == count + surplus) return false;
    minimize.remember(model.support(), model.hessian());
    value = minimize(f, x, {model_tolerance, infinity, true}).value;
    if (observer.interruption() || !proceed(x, value)) return false;
  }
  return true;
}

}}  // namespace regiht::REGIHT_ABI
