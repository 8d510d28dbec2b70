#pragma once

#include "regiht/solver/support_run.hpp"

namespace regiht {

/// Orthogonal matching pursuit (Pati, Rezaiifar and Krishnaprasad 1993; for convex f
/// Shalev-Shwartz, Srebro and Zhang 2010, fully corrective forward selection): the entry with the
/// largest gradient enters, and f is minimised on the support; until s have entered.
inline Result omp(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  SupportRun run(f, options, observer);
  SparseVector entries;
  while (run.goes_on() && run.x().size() < options.sparsity) {
    f.largest_outside(1, entries);
    const Index entering = largest_entry(entries);
    if (entering < 0) break;
    SparseVector x = with_entry(run.x(), entering);
    const double value = run.minimum(x, loose);
    run.accept(std::move(x), value);
  }
  run.end();
  return run.finish();
}

}  // namespace regiht
