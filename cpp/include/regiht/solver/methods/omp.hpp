#pragma once

#include "regiht/solver/run/support_run.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Orthogonal matching pursuit (Pati, Rezaiifar and Krishnaprasad 1993; for convex f
/// Shalev-Shwartz, Srebro and Zhang 2010, fully corrective forward selection): the entry with the
/// largest gradient enters, followed by a refit, until s entries are in.
inline Result omp(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  SupportRun run(f, options, observer);
  SparseVector entries;
  while (run.goes_on() && has_room(options, run.x())) {
    steepest_off_support(f, options, 1, entries);
    if (entries.size() == 0) break;
    SparseVector x = with_entries(run.x(), entries.indices);
    const double value = run.minimum(x, loose);
    if (!run.goes_on() && !(value < run.value())) break;
    if (x.indices == run.x().indices) break;  // with `positive`, rounding can keep it at zero
    run.accept(std::move(x), value);
  }
  run.end();
  return run.finish();
}

}}  // namespace regiht::REGIHT_ABI
