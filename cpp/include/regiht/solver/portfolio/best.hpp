#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "regiht/solver/portfolio/allowance.hpp"
#include "regiht/solver/portfolio/group_starts.hpp"
#include "regiht/solver/portfolio/reselection.hpp"
#include "regiht/solver/portfolio/starts.hpp"
#include "regiht/solver/refit/refit_result.hpp"
#include "regiht/solver/search/swap_trials.hpp"

namespace regiht { inline namespace REGIHT_ABI {
namespace detail {

/// A way to find a support.
using Start = void (*)(Objective&, const Options&, PhaseObserver&, CandidatePool&);

/// Starts tried while the allowance lasts, most productive for their cost first.
inline constexpr Start next_starts[] = {&add_continuation, &add_elimination};
inline constexpr Start more_starts[] = {&add_cosamp, &add_coarse_concave_path, &add_ompr};
inline constexpr Start group_starts[] = {&add_omp, &add_steps, &add_group_sampling};

/// Searches for the best candidate: runs starts, cheap ones first, and improves on the best found.
class Portfolio {
 public:
  Portfolio(Objective& f, const Options& options, PhaseObserver& phases, CandidatePool& found)
      : f_(f),
        options_(options),
        phases_(phases),
        found_(found),
        allowance_(f, phases, options.effort) {}

  void search() {
    if (options_.groups)
      search_groups();
    else
      search_entries();
  }

 private:
  void search_entries() {
    run(&add_forward);
    allowance_.measure_first();
    polish_singles();
    greedy_ = found_.least();
    all_agree_ = true;
    const double before = allowance_.spent();
    run(&add_regularized_iht);
    // Its extra iterations are cheaper: later ones look at fewer columns.
    const double slow_cost = 4.0 * (allowance_.spent() - before);
    polish_singles();
    // When two unrelated starts lead to the same support, it is usually the best.
    if (allowance_.is_large() && all_agree_) return;
    if (options_.effort == 0.0) return;

    phases_.end_runs_when([this] { return !allowance_.is_left(); });
    allowance_.grant_large_share();
    splice_and_polish();
    // The next best may lead somewhere else.
    splice_and_polish();
    allowance_.grant_small_share();
    try_each(next_starts);
    // Small data need more than two starts to agree; where all is cheap, all is tried.
    if (all_agree_ && !allowance_.is_tiny()) return;
    // On a tiny quadratic, reselections find what is left sooner than more starts do.
    if (all_agree_ && f_.is_quadratic()) {
      run(&add_reselections);
      compare();
      if (all_agree_) return finish();
    }
    try_each(more_starts);
    if (allowance_.affords(slow_cost)) {
      allowance_.grant_large_share();
      run(&add_slow_regularized_iht);
      polish_singles();
    }
    if (f_.is_quadratic() || options_.effort == infinity)
      follow_paths_and_reselect();
    else if (allowance_.is_left())
      reselect_and_follow_paths();
    else
      return;
    allowance_.grant_small_share();
    finish();
  }

  /// Paths are cheap for a quadratic f and, where cost does not matter, a better point to reselect
  /// from.
  void follow_paths_and_reselect() {
    allowance_.grant_little();
    follow_concave_paths();
    allowance_.grant_little();
    run(&add_reselections);
  }

  /// Otherwise reselections find more for their cost.
  void reselect_and_follow_paths() {
    allowance_.grant_as_much_again();
    run(&add_reselections);
    if (allowance_.is_large()) return;
    allowance_.grant_as_much_again();
    try_one(&add_concave_paths);
  }

  void follow_concave_paths() {
    try_one(&add_concave_paths);
    if (!allowance_.is_left()) return;
    run(&add_fine_concave_paths);
    improve(10, [&](Alternative& one) { return found_.polish(one, SearchScope::blocks); });
  }

  void search_groups() {
    for (const Start start : group_starts) run(start);
    allowance_.measure_first();
    phases_.end_runs_when([this] { return !allowance_.is_left(); });
    allowance_.grant_large_share();
    improve(options_.effort == 0.0 ? 1 : 4,
            [&](Alternative& one) { return found_.polish(one, SearchScope::blocks); });
  }

  bool goes_on() const { return !phases_.stopped() && !found_.exact(); }

  void run(Start start) {
    if (goes_on()) start(f_, options_, phases_, found_);
  }

  void try_one(Start start) {
    run(start);
    splice_and_polish();
  }

  template <std::size_t count>
  void try_each(const Start (&starts)[count]) {
    for (const Start start : starts)
      if (allowance_.is_left()) try_one(start);
  }

  /// Improves the best `count` candidates that were not improved before.
  template <class How>
  void improve(std::size_t count, How&& how) {
    std::size_t done = 0;
    for (Alternative& one : found_.sorted())
      if (done < count && goes_on() && how(one)) ++done;
  }

  void polish_singles() {
    improve(1, [&](Alternative& one) { return found_.polish(one, SearchScope::singles); });
    compare();
  }

  /// Block swaps rarely improve a spliced support, so single swaps will do.
  void splice_and_polish() {
    improve(1, [&](Alternative& one) {
      const bool is_new = found_.splice(one, Splicing::some(one.x.size()));
      if (is_new && goes_on()) found_.polish(one, SearchScope::singles);
      return is_new;
    });
    compare();
  }

  /// Notes whether the last improvement led back to the support from forward selection.
  void compare() { all_agree_ = all_agree_ && found_.least() >= greedy_ && found_.joined(); }

  /// Improves the best candidate in every way there is until none helps.
  void finish() {
    for (double before = infinity; goes_on() && found_.least() < before;) {
      before = found_.least();
      Alternative one = found_.sorted().front();
      found_.splice(one, Splicing::many(one.x.size()));
      if (goes_on()) found_.polish(found_.sorted().front(), SearchScope::blocks);
      if (goes_on() && !(found_.least() < before)) try_every_swap(found_.sorted().front());
    }
  }

  /// Tries single swaps, each with a refit, until f falls: where the second-order model is far from
  /// f, as near separation, nothing less will do.
  void try_every_swap(Alternative one) {
    constexpr Index most = 20'000;
    if (f_.is_quadratic() || one.x.size() * f_.dimension() > most) return;
    SwapTrials trials(f_, options_, phases_);
    const double least = 1e-9 * std::abs(one.value);
    const Support inside = one.x.indices;
    for (const Index leaving : inside) {
      if (std::binary_search(options_.keep.begin(), options_.keep.end(), leaving)) continue;
      for (Index entering = 0; entering < f_.dimension(); ++entering) {
        if (std::binary_search(inside.begin(), inside.end(), entering)) continue;
        if (!allowance_.is_left() || !goes_on()) return;
        if (!trials.improve(with_entries(without_entry(one.x, leaving), {entering}), least, one.x,
                            one.value))
          continue;
        phases_.show(one.x, one.value);
        found_.add(std::move(one.x));
        return;
      }
    }
  }

  Objective& f_;
  const Options& options_;
  PhaseObserver& phases_;
  CandidatePool& found_;
  Allowance allowance_;
  double greedy_ = -infinity;  // value reached by forward selection
  bool all_agree_ = false;     // everything since led back there
};

/// Whether the slopes of the entries that may join x are finite.
inline bool slopes_are_finite(Objective& f, const Options& options, const SparseVector& x) {
  f.move_to(x);
  SparseVector entries;
  steepest_off_support(f, options, 1, entries);
  return is_finite(entries);
}

}  // namespace detail

/// The best of several methods, refitted, with swaps: a portfolio.
///
/// Deterministic: what it tries depends on the work that f counts, not on time.
inline Result best(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  PhaseObserver phases(observer, options, f.dimension());
  const double value_at_zero = f.move_to({});
  CandidatePool found(f, options, value_at_zero, phases);
  if (options.x0.size() > 0) found.add(options.x0);
  detail::Portfolio(f, options, phases, found).search();

  Result result;
  result.value = value_at_zero;
  result.status = phases.stopped().value_or(Status::finished);
  result.alternatives = found.sorted();
  if (result.alternatives.empty()) {
    result.status = Status::diverged;
  } else {
    result.x = std::move(result.alternatives.front().x);
    result.value = result.alternatives.front().value;
    result.alternatives.erase(result.alternatives.begin());
    refit_result(f, options, phases, result);
    if (has_room(options, result.x) && !detail::slopes_are_finite(f, options, result.x))
      result.status = Status::diverged;
  }
  result.weights = Vector::Zero(f.dimension());
  result.iterations = phases.iterations();
  result.gradients = f.gradients_spent();
  result.history = phases.take_history();
  return result;
}

}}  // namespace regiht::REGIHT_ABI
