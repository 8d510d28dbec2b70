#pragma once

#include <utility>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/make_projection.hpp"
#include "regiht/result.hpp"
#include "regiht/solver/run/tracker.hpp"
#include "regiht/solver/step/adaptive_weights.hpp"
#include "regiht/solver/step/step_size.hpp"
#include "regiht/solver/step/thresholded_step.hpp"
#include "regiht/solver/step/weight_step_schedule.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Regularized IHT: listing `RegIHT` of the paper or, with options.safeguard, its Algorithm 1.
///
///     x ← H_s((1 − ½w)∘x − ½·step·∇f(x))
///     w ← w∘(1 − c·w∘x²/Σwx²), rounded to zero at the threshold; both from the old x and w.
///
/// step = 1/β = 2η of Algorithm 1. With an adaptive c, WeightStepSchedule runs this in rounds.
inline Result regularized_iht(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  if (options.adaptive_weight_step)
    return WeightStepSchedule(f, options, observer, &regularized_iht).run();
  AdaptiveWeights weights(
      options.w0.value_or(Vector::Ones(f.dimension())), options.effective_weight_step(),
      options.round_threshold,
      options.safeguard ? AdaptiveWeights::Rounding::below : AdaptiveWeights::Rounding::at_or_below,
      options.groups.get());
  const auto projection = make_projection(options);
  ThresholdedStep gradient_step(f, *projection);
  StepSize size(options, 0.5);
  Tracker run(options, observer);

  SparseVector x, next;
  double value = run.begin(f, *projection, x);
  if (run.goes_on()) size.start(f, x, value, gradient_step);

  while (run.goes_on()) {
    gradient_step.start_from(x);
    double next_value = 0.0, step = 0.0;
    for (;;) {
      step = size.step();
      gradient_step.propose(x, &weights.values(), size.move(), next);
      next_value = f.move_to(next);
      if (!size.adaptive()) break;
      const Displacement d = gradient_step.displacement(x, &weights.values(), size.move(), next);
      if (size.accepts(value, next_value, d)) break;
      f.move_to(x);
    }
    const double weight_change = weights.update(x);
    const auto regularized = [&](double at, const SparseVector& point) {
      return at + weights.weighted_square(point) / (2.0 * step);
    };
    if (options.safeguard && regularized(next_value, next) > regularized(value, x)) {
      next = x;
      next_value = f.move_to(x);
    }
    std::swap(x, next);
    value = next_value;
    run.record(next, x, weights.values(), value, regularized(value, x), weight_change);
  }
  return run.finish(std::move(x), value, weights.values(), size.step(), f.gradients_spent());
}

}}  // namespace regiht::REGIHT_ABI
