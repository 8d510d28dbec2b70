#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "regiht/solver/methods.hpp"
#include "regiht/solver/refit/refit_result.hpp"
#include "regiht/solver/run/phase_observer.hpp"
#include "regiht/solver/search/swap_search.hpp"

namespace regiht { inline namespace REGIHT_ABI {
namespace detail {

/// Whether the observer stopped the run.
inline bool was_cut_short(Status status) {
  return status == Status::time_limit || status == Status::stopped;
}

/// Swaps entries in the result until no swap improves.
inline void swap_entries(Objective& f, const Options& options, PhaseObserver& phases,
                         Result& result) {
  const double value_at_zero = f.move_to({});
  CandidatePool filled(f, options, value_at_zero, phases);
  filled.add(result.x);
  if (filled.sorted().empty()) return;
  Alternative one = filled.sorted().front();
  if (!phases.stopped())
    result.swap_optimal =
        filled.swap(one, SearchScope::everything, [](const SparseVector&) { return true; });
  if (phases.stopped()) result.status = *phases.stopped();
  result.x = std::move(one.x);
  result.value = one.value;
}

inline Result run_and_refit(Objective& f, const Method& method, const Options& options,
                            Observer& observer) {
  if (!options.refit && !options.swap) return method.run(f, options, observer);
  PhaseObserver phases(observer, options, f.dimension());
  Options alone = options;
  alone.refit = alone.swap = false;
  Result result = method.run(f, alone, phases);
  if (options.swap && std::isfinite(result.value) && !was_cut_short(result.status))
    swap_entries(f, options, phases, result);
  if (std::isfinite(result.value)) refit_result(f, options, phases, result);
  if (!std::isfinite(result.value) && !was_cut_short(result.status))
    result.status = Status::diverged;
  result.iterations = phases.iterations();
  result.gradients = f.gradients_spent();
  result.history = phases.take_history();
  return result;
}

}  // namespace detail

/// Runs a method, then the swaps and refit that the options ask for. A step that the method does
/// not read is withheld, lest it have side effects. If f has an intercept, f ends at the answer.
inline Result solve(Objective& f, const Method& method, const Options& options,
                    Observer& observer) {
  if (options.positive && !method.knows_positive)
    throw std::invalid_argument("this method does not support positive entries");
  if (options.groups && !method.knows_groups)
    throw std::invalid_argument("this method does not support groups");
  if (options.step && !method.reads_step) {
    Options without = options;
    without.step.reset();
    return solve(f, method, without, observer);
  }
  Result result = detail::run_and_refit(f, method, options, observer);
  if (f.has_intercept()) {
    f.move_to(result.x);
    result.intercept = f.intercept();
  }
  return result;
}

}}  // namespace regiht::REGIHT_ABI
