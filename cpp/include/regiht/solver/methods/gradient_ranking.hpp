#pragma once

#include "regiht/solver/run/support_run.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Marginal screening: a refit on the s entries with the largest gradients at the start. The
/// baseline for every other method.
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
