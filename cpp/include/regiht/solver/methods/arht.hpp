#pragma once

#include <random>
#include <utility>

#include "regiht/solver/run/ridge_decorator.hpp"
#include "regiht/solver/run/support_run.hpp"
#include "regiht/solver/step/step_size.hpp"

namespace regiht { inline namespace REGIHT_ABI {
namespace detail {

/// Adaptively regularized hard thresholding towards an assumed optimal value f*.
class TowardsTarget {
 public:
  TowardsTarget(Objective& f, const Options& options, Observer& observer, double smoothness,
                Tracker& run)
      : f_(f),
        options_(options),
        smoothness_(smoothness),
        run_(run),
        weights_(Vector::Zero(f.dimension())),
        random_(options.seed),
        minimize_(observer) {}

  /// Starts on the support of x and makes at most `iterations`; leaves the best x and its value.
  /// True if f came within the tolerance of the target.
  bool operator()(double target, double tolerance, Index iterations, SparseVector& x,
                  double& value) {
    RidgeDecorator g(f_, smoothness_);
    SparseVector point = x;
    double regularized = minimum(g, point);
    for (Index i = 0; i < iterations && run_.goes_on(); ++i) {
      if (g.plain_value() < value) {
        value = g.plain_value();
        x = point;
      }
      if (value <= target + tolerance) return true;
      const SparseVector before = point;
      if (!swap(g, target, point, regularized) && !release(g, point, regularized)) break;
      run_.record(before, point, weights_, g.plain_value(), regularized, not_at_rest);
    }
    return value <= target + tolerance;
  }

 private:
  // Releasing an entry changes the function, so an unchanged x does not mean the run is stationary.
  static constexpr double not_at_rest = 1.0;

  /// Swaps the smallest entry for the one with the largest gradient, if that makes enough progress.
  bool swap(RidgeDecorator& g, double target, SparseVector& x, double& regularized) {
    SparseVector entries;
    steepest_off_support(g, options_, 1, entries);
    const Index leaving = smallest_not_kept(options_, x);
    if (entries.size() == 0 || leaving < 0) return false;
    SparseVector trial = with_entries(without_entry(x, leaving), entries.indices);
    const double value = minimum(g, trial);
    const double wanted = (regularized - target) / static_cast<double>(options_.sparsity);
    if (regularized - value < std::max(wanted, 0.0) || !(value < regularized)) {
      g.move_to(x);
      return false;
    }
    x = std::move(trial);
    regularized = value;
    return true;
  }

  /// Stops regularizing one entry, drawn with probability proportional to its square.
  bool release(RidgeDecorator& g, SparseVector& x, double& regularized) {
    double total = 0.0;
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      if (g.regularizes(x.indices[k])) total += x.values[k] * x.values[k];
    if (!(total > 0.0)) return false;
    // The 53 high bits of a draw are the same on every platform, unlike the standard distributions.
    double place = static_cast<double>(random_() >> 11U) * 0x1p-53 * total;
    Index drawn = -1;
    for (std::size_t k = 0; k < x.indices.size() && place >= 0.0; ++k)
      if (g.regularizes(x.indices[k]) && x.values[k] != 0.0) {
        drawn = x.indices[k];
        place -= x.values[k] * x.values[k];
      }
    g.release(drawn);
    regularized = minimum(g, x);
    return true;
  }

  double minimum(RidgeDecorator& g, SparseVector& x) {
    const Refit refit = minimize_(g, x);
    if (refit.interruption) run_.cut_short(*refit.interruption);
    if (!refit.finite) run_.cut_short(Status::diverged);
    return refit.value;
  }

  Objective& f_;
  const Options& options_;
  double smoothness_;
  Tracker& run_;
  Vector weights_;
  std::mt19937_64 random_;
  RestrictedMinimizer minimize_;
};

}  // namespace detail

/// ARHT (Axiotis and Sviridenko 2021): swaps entries of a ridge-regularized f and, when a swap
/// makes too little progress towards f*, releases a random entry from the ridge.
///
/// Unless options.target_value gives f*, it is bisected between the best value seen and a lower
/// end: zero or, for a function that falls below zero, as far below the first value as that lies
/// below f(0). Each guess gets an equal share of max_iter. The answer is refitted without
/// regularization.
inline Result arht(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  constexpr Index guesses = 12;
  LargestEntries projection(options.sparsity, options.keep);
  ThresholdedStep gradient_step(f, projection);
  StepSize size(options, 1.0);
  RestrictedMinimizer minimize(observer);
  Tracker run(options, observer);

  const double value_at_zero = f.move_to({});
  SparseVector x = options.x0;
  projection.apply(x);
  const Index missing = options.sparsity - x.size();
  f.move_to(x);
  if (missing > 0) {
    SparseVector entries;
    steepest_off_support(f, options, missing, entries);
    x = with_entries(x, entries.indices);
  }
  const Refit first = minimize(f, x);
  double value = first.value;
  run.begin(x, value, value_at_zero);
  if (first.interruption) run.end(*first.interruption);
  if (!first.finite) run.end(Status::diverged);
  if (run.goes_on()) size.start(f, x, value, gradient_step);

  detail::TowardsTarget towards(f, options, observer, 1.0 / size.step(), run);
  if (options.target_value) {
    towards(*options.target_value, 1e-9 * std::abs(value_at_zero), options.max_iter, x, value);
  } else {
    double lower = value >= 0.0 ? 0.0 : value - std::abs(value_at_zero - value);
    const double tolerance = 1e-3 * std::abs(value_at_zero - lower);
    const Index share = std::max<Index>(1, options.max_iter / guesses);
    while (run.goes_on() && value - lower > tolerance) {
      const double guess = 0.5 * lower + 0.5 * value;  // avoids overflow
      if (!(guess > lower && guess < value)) break;
      if (!towards(guess, 0.1 * tolerance, share, x, value)) lower = guess;
    }
  }
  run.end(Status::finished);
  const Refit refit = minimize(f, x);
  if (refit.interruption) run.cut_short(*refit.interruption);
  if (!refit.finite) run.cut_short(Status::diverged);
  Result result = run.finish(std::move(x), refit.value, Vector::Zero(f.dimension()), size.step(),
                             f.gradients_spent());
  result.rank_deficient = refit.rank_deficient;
  result.attained = refit.attained;
  projection.apply(result.x);  // entries still zero when the run was cut short
  return result;
}

}}  // namespace regiht::REGIHT_ABI
