#pragma once

#include <set>

#include "regiht/solver/run/support_run.hpp"
#include "regiht/solver/step/step_size.hpp"
#include "regiht/solver/step/thresholded_step.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Hard thresholding pursuit (Foucart 2011): refits on the support of H_s(x − step·∇f(x)) until a
/// support repeats. The default step is one over the smoothness, halved whenever the value would
/// rise.
inline Result htp(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  SupportRun run(f, options, observer);
  ThresholdedStep gradient_step(f, run.projection());
  StepSize size(options, 1.0);
  if (run.goes_on()) size.start(f, run.x(), run.value(), gradient_step);
  double move = size.move();
  const double least_move = 1e-20 * move;
  std::set<Support> seen;
  while (run.goes_on()) {
    SparseVector x;
    gradient_step.start_from(run.x());
    gradient_step.propose(run.x(), nullptr, move, x);
    if (x.indices == run.x().indices || (options.step && !seen.insert(x.indices).second)) break;
    // Refit from the current values, since f may not be finite after a long step.
    x = restricted(run.x(), x.indices);
    const double value = run.minimum(x);
    if (!run.goes_on() && !(value < run.value())) break;
    if (!options.step && !(value < run.value())) {
      run.go_back();
      move *= 0.5;
      if (move < least_move) break;
      continue;
    }
    run.accept(std::move(x), value);
  }
  run.end();
  return run.finish(move);
}

}}  // namespace regiht::REGIHT_ABI
