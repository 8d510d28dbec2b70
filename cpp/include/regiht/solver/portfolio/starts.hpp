#pragma once

#include <algorithm>
#include <utility>

#include "regiht/solver/methods/cosamp.hpp"
#include "regiht/solver/methods/omp.hpp"
#include "regiht/solver/methods/ompr.hpp"
#include "regiht/solver/methods/regularized_iht.hpp"
#include "regiht/solver/run/phase_observer.hpp"
#include "regiht/solver/search/candidate_pool.hpp"
#include "regiht/solver/search/elimination.hpp"
#include "regiht/solver/search/penalized_path.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace detail {

inline void add_ompr(Objective& f, const Options& options, PhaseObserver& phases,
                     CandidatePool& found) {
  found.add(ompr(f, options, phases).x);
}

/// Regularized IHT with steps of its own, in so many iterations.
inline void add_iterations(Objective& f, const Options& options, PhaseObserver& phases,
                           CandidatePool& found, Index iterations) {
  Options each = options;
  each.step.reset();
  each.weight_step.reset();
  each.adaptive_weight_step = false;
  each.max_iter = iterations;
  found.add(regularized_iht(f, each, phases).x);
}

inline void add_regularized_iht(Objective& f, const Options& options, PhaseObserver& phases,
                                CandidatePool& found) {
  add_iterations(f, options, phases, found, std::min<Index>(100, options.max_iter));
}

inline void add_slow_regularized_iht(Objective& f, const Options& options, PhaseObserver& phases,
                                     CandidatePool& found) {
  add_iterations(f, options, phases, found, options.max_iter);
}

/// The supports along a path of the minimax concave penalty from where it comes to s entries: cut
/// to s, each is a candidate.
struct ConcavePath {
  double concavity;
  double ratio;     ///< of a strength to the one before
  int most_beyond;  ///< supports of s entries and more
};

inline void add_concave_path(Objective& f, const Options& options, PhaseObserver& phases,
                             CandidatePool& found, const ConcavePath& along) {
  constexpr double least = 1e-4;
  constexpr double rough = 1e-3;  // as no more than supports are taken from it
  RunInterruptions interruptions(phases);
  PenalizedPath path(f, options, interruptions, along.concavity, rough);
  const double largest = path.largest_strength();
  const double weakest = weakest_strength(least, largest);
  double strength = along.ratio * largest;
  int beyond = 0;
  while (strength > weakest && beyond < along.most_beyond) {
    path.move_to(strength, 2 * options.sparsity + 8);
    if (path.interruption()) return;
    if (!path.is_finite()) break;
    strength *= along.ratio;
    const SparseVector x = path.x();
    if (x.size() >= options.sparsity) {
      ++beyond;
      found.add(x);
    }
    if (!phases.show(x, f.move_to(x)) || found.exact()) return;
  }
  found.add(path.x());
}

inline void add_coarse_concave_path(Objective& f, const Options& options, PhaseObserver& phases,
                                    CandidatePool& found) {
  add_concave_path(f, options, phases, found, {1.0 / 16.0, 0.7, 2});
}

/// Two strengths of concavity: far from the lasso it finds strong entries early, near it it makes
/// fewer mistakes along the way.
inline void add_concave_paths(Objective& f, const Options& options, PhaseObserver& phases,
                              CandidatePool& found) {
  add_concave_path(f, options, phases, found, {1.0 / 4.0, 0.9, 30});
  if (!phases.stopped() && !found.exact())
    add_concave_path(f, options, phases, found, {1.0 / 16.0, 0.9, 30});
}

/// More strengths and concavities than pay as a rule.
inline void add_fine_concave_paths(Objective& f, const Options& options, PhaseObserver& phases,
                                   CandidatePool& found) {
  for (const double concavity : {1.0 / 2.0, 1.0 / 3.0, 1.0 / 8.0, 1.0 / 32.0})
    if (!phases.stopped() && !found.exact())
      add_concave_path(f, options, phases, found, {concavity, 0.95, 60});
}

inline void add_cosamp(Objective& f, const Options& options, PhaseObserver& phases,
                       CandidatePool& found) {
  if (!f.is_quadratic()) found.add(cosamp(f, options, phases).x);
}

/// Backward elimination from a larger support that omp finds: what costs least to lose leaves
/// first.
inline void add_elimination(Objective& f, const Options& options, PhaseObserver& phases,
                            CandidatePool& found) {
  constexpr Index most = 60;
  Options larger = options;
  larger.sparsity = std::min(f.dimension(), std::min(most, 2 * options.sparsity + 8));
  if (larger.sparsity <= options.sparsity) return;
  SparseVector x = omp(f, larger, phases).x;
  double value = f.move_to(x);
  ConstrainedMinimizer minimize(options, phases);
  const auto show = [&](const SparseVector& at, double there) { return phases.show(at, there); };
  if (!phases.stopped() &&
      eliminate(f, options.keep, options.sparsity, x, value, minimize, phases, show))
    found.add(std::move(x));
}

/// Forward selection in which, at a growing number of entries, swaps are made.
inline void add_continuation(Objective& f, const Options& options, PhaseObserver& phases,
                             CandidatePool& found) {
  ConstrainedMinimizer minimize(options, phases);
  SwapSearch swap(f, options, found.negligible(), SearchScope::blocks, phases);
  SparseVector x = restricted({}, options.keep), entries;
  minimize(f, x);
  Index next_swap = 2;
  for (Index tries = 3 * options.sparsity; tries > 0 && has_room(options, x); --tries) {
    steepest_off_support(f, options, 1, entries);
    if (entries.size() == 0) break;
    x = with_entries(x, entries.indices);
    double value = minimize(f, x, {loose, infinity, true}).value;
    if (x.size() >= next_swap) {
      swap(x, value, [&](const SparseVector& at, double there) { return phases.show(at, there); });
      if (phases.stopped()) return;
      f.move_to(x);
      next_swap = std::max(next_swap + 1, next_swap * 5 / 4);
    }
    if (!phases.show(x, value)) return;
  }
  found.add(std::move(x));
}

/// Forward selection in which more enter at a time the more there are.
inline void add_forward(Objective& f, const Options& options, PhaseObserver& phases,
                        CandidatePool& found) {
  ConstrainedMinimizer minimize(options, phases);
  SparseVector x = restricted({}, options.keep), entries;
  minimize(f, x);
  // Entries that must be positive may leave again, so there is an end to it.
  for (Index tries = 3 * options.sparsity; tries > 0 && has_room(options, x); --tries) {
    const Index entering = std::min(std::max<Index>(1, x.size() / 8), options.sparsity - x.size());
    steepest_off_support(f, options, entering, entries);
    if (entries.size() == 0) break;
    x = with_entries(x, entries.indices);
    if (!phases.show(x, minimize(f, x, {loose, infinity, true}).value)) break;
  }
  found.add(std::move(x));
}

}}}  // namespace regiht::REGIHT_ABI::detail
