#pragma once

#include <utility>

#include "regiht/solver/refit/constrained.hpp"
#include "regiht/solver/run/support_run.hpp"
#include "regiht/solver/search/swap_model.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Entries leave, what costs least first, until `count` are left; x ends at the minimum on those.
///
/// Costs are those of a second-order model. One serves until three quarters of the surplus are out,
/// or to the end where it is f itself. x is a minimum, where f stands. `proceed(x, value)` is told
/// of every refit and may answer false to stop; false if that, or a model, came to nothing.
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
