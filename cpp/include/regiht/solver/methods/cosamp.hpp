#pragma once

#include "regiht/solver/run/support_run.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Compressive sampling matching pursuit (Needell and Tropp 2009; for convex f GraSP of Bahmani,
/// Raj and Boufounos 2013): while the value falls, the 2s entries with the largest gradients join
/// the support, f is minimised on all of it, and the s largest entries stay and are refitted.
inline Result cosamp(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  SupportRun run(f, options, observer);
  SparseVector entries;
  while (run.goes_on()) {
    const Index joining = std::min(2 * options.sparsity, f.dimension() - run.x().size());
    steepest_off_support(f, options, std::max<Index>(joining, 1), entries);
    SparseVector x = with_entries(run.x(), entries.indices);
    run.minimum(x);
    if (!run.goes_on()) break;
    run.projection().apply(x);
    const double value = run.minimum(x);
    if (!(value < run.value())) break;
    run.accept(std::move(x), value);
  }
  run.end();
  return run.finish();
}

}}  // namespace regiht::REGIHT_ABI
