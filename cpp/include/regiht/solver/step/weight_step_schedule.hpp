#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/result.hpp"
#include "regiht/solver/run/phase_observer.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Chooses a weight step c and when to stop: rounds from the same start, each with half the c of
/// the one before.
///
/// Round k has c = s/(100·2ᵏ). It ends when the weights are at rest and x has settled (changes by
/// at most tol·‖x‖, 10⁻⁶ if no tol was given), or after 4s/c iterations. Rounds go on until
/// c ≤ s/800 and two in a row did not improve on the best by a ten-thousandth of f(0) − best, or
/// c = s/6400. If the best round had not settled, it is then continued. options.max_iter caps the
/// iterations of all rounds together.
class WeightStepSchedule {
 public:
  using Solver = Result (*)(Objective&, const Options&, Observer&);

  WeightStepSchedule(Objective& f, const Options& options, Observer& observer, Solver solve)
      : f_(f), options_(options), phases_(observer, options, f.dimension()), solve_(solve) {
    best_.value = std::numeric_limits<double>::infinity();
  }

  Result run() {
    const double value_at_zero = f_.move_to({});
    int idle_rounds = 0;
    for (Index length = first_length;; length *= 2) {
      const double before = best_.value;
      Options round = options_;
      round.max_iter = std::min(4 * length, iterations_left());
      if (play(std::move(round), length)) return finish();
      idle_rounds =
          best_.value < before - least_gain * (value_at_zero - before) ? 0 : idle_rounds + 1;
      if (iterations_left() == 0) return finish(Status::completed);
      if (length == last_length || (length >= enough_length && idle_rounds >= 2)) break;
    }
    if (best_.status == Status::completed) {
      Options rest = options_;
      rest.x0 = best_.x;
      rest.w0 = best_.weights;
      rest.max_iter = iterations_left();
      play(std::move(rest), best_length_);
      best_.status = last_status_;
    }
    return finish();
  }

 private:
  // Lengths of rounds: c = s/length.
  static constexpr Index first_length = 100, enough_length = 800, last_length = 6400;
  static constexpr double least_gain = 1e-4;
  static constexpr double default_tolerance = 1e-6;

  Index iterations_left() const { return options_.max_iter - phases_.iterations(); }

  /// Runs one round with c = s/length and keeps the best result. True if the schedule must end.
  bool play(Options round, Index length) {
    round.adaptive_weight_step = false;
    round.weight_step = static_cast<double>(options_.sparsity) / static_cast<double>(length);
    if (round.tol == 0.0) round.tol = default_tolerance;
    round.history = false;  // phases_ keeps it
    Result result = solve_(f_, round, phases_);
    gradients_ = result.gradients;
    last_status_ = result.status;
    const bool over = result.status == Status::stopped || result.status == Status::time_limit ||
                      result.status == Status::diverged;
    if (result.value < best_.value || best_.weights.size() == 0) {
      best_ = std::move(result);
      best_length_ = length;
    }
    if (over) best_.status = last_status_;
    return over;
  }

  Result finish(Status status) {
    best_.status = status;
    return finish();
  }

  /// The result of the best round, with the counts of all rounds.
  Result finish() {
    best_.iterations = phases_.iterations();
    best_.gradients = gradients_;
    best_.history = phases_.take_history();
    return std::move(best_);
  }

  Objective& f_;
  const Options& options_;
  PhaseObserver phases_;
  Solver solve_;

  Result best_;
  Index best_length_ = first_length;
  double gradients_ = 0.0;
  Status last_status_ = Status::completed;
};

}}  // namespace regiht::REGIHT_ABI
