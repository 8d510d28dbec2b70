#pragma once

#include <algorithm>
#include <utility>

#include "regiht/solver/methods/cosamp.hpp"
#include "regiht/solver/methods/omp.hpp"
#include "regiht/solver/methods/regularized_iht.hpp"
#include "regiht/solver/run/phase_observer.hpp"
#include "regiht/solver/search/candidate_pool.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace detail {

inline void add_omp(Objective& f, const Options& options, PhaseObserver& phases,
                    CandidatePool& found) {
  found.add(omp(f, options, phases).x);
}

/// Regularized IHT with its own choice of step, and with shorter and longer ones.
inline void add_steps(Objective& f, const Options& options, PhaseObserver& phases,
                      CandidatePool& found) {
  Options each = options;
  each.step.reset();
  each.weight_step.reset();
  each.adaptive_weight_step = false;
  each.max_iter = std::max<Index>(1, options.max_iter / 4);
  Result first = regularized_iht(f, each, phases);
  found.add(std::move(first.x));
  for (const double factor : {0.5, 2.0, 4.0}) {
    if (phases.stopped() || found.exact() || !(first.step > 0.0)) return;
    each.step = factor * first.step;
    found.add(regularized_iht(f, each, phases).x);
  }
}

inline void add_group_sampling(Objective& f, const Options& options, PhaseObserver& phases,
                               CandidatePool& found) {
  found.add(cosamp(f, options, phases).x);
}

}}}  // namespace regiht::REGIHT_ABI::detail
