#pragma once

#include "regiht/solver/run/support_run.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The entries with the s largest gradients at the start, refitted: marginal screening, the
/// baseline that every other method has to beat.
inline Result gradient_ranking(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  SupportRun run(f, options, observer);
  const Index missing = options.sparsity - options.count_units(run.x().indices);
  if (run.goes_on() && missing > 0) {
    SparseVector entries;
    steepest_off_support(f, options, missing, entries);
    SparseVector x = with_entries(run.x(), entries.indices);
    const double value = run.minimum(x);
    run.accept(std::move(x), value);
  }
  run.end();
  return run.finish();
}

}}  // namespace regiht::REGIHT_ABI
