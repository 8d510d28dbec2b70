#pragma once

#include <utility>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/make_projection.hpp"
#include "regiht/result.hpp"
#include "regiht/solver/run/tracker.hpp"
#include "regiht/solver/step/step_size.hpp"
#include "regiht/solver/step/thresholded_step.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Iterative hard thresholding, x ← H_s(x − step·∇f(x)); listing `IHT` of the paper.
inline Result iht(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  const Vector weights = Vector::Zero(f.dimension());
  const auto projection = make_projection(options);
  ThresholdedStep gradient_step(f, *projection);
  StepSize size(options, 1.0);
  Tracker run(options, observer);

  SparseVector x, next;
  double value = run.begin(f, *projection, x);
  if (run.goes_on()) size.start(f, x, value, gradient_step);

  while (run.goes_on()) {
    gradient_step.start_from(x);
    double next_value = 0.0;
    for (;;) {
      gradient_step.propose(x, nullptr, size.move(), next);
      next_value = f.move_to(next);
      if (!size.adaptive()) break;
      if (size.accepts(value, next_value,
                       gradient_step.displacement(x, nullptr, size.move(), next)))
        break;
      f.move_to(x);
    }
    std::swap(x, next);
    value = next_value;
    run.record(next, x, weights, value, value, 0.0);
  }
  return run.finish(std::move(x), value, weights, size.step(), f.gradients_spent());
}

}}  // namespace regiht::REGIHT_ABI
