#pragma once

#include "regiht/solver/run/support_run.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Orthogonal matching pursuit with replacement (Jain, Tewari and Dhillon 2011), from the support
/// that omp finds: while the value falls, the entry with the largest gradient enters, f is
/// minimised on all s + 1, and the smallest leaves (in the paper, before that fit), followed by a
/// refit.
inline Result ompr(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  SupportRun run(f, options, observer);
  SparseVector entries;
  while (run.goes_on()) {
    steepest_off_support(f, options, 1, entries);
    if (entries.size() == 0) break;
    const Index entering = entries.indices.front();
    SparseVector x = with_entries(run.x(), entries.indices);
    double value = run.minimum(x, loose);
    if (!run.goes_on() && !(value < run.value())) break;
    if (x.indices == run.x().indices) break;  // with `positive`, rounding can keep it at zero
    if (x.size() > options.sparsity) {
      const Index leaving = smallest_not_kept(options, x);
      x = without_entry(x, leaving);
      value = run.minimum(x);
      if (leaving == entering || !(value < run.value())) break;
    }
    run.accept(std::move(x), value);
  }
  run.end();
  return run.finish();
}

}}  // namespace regiht::REGIHT_ABI
