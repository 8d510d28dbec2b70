#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <random>
#include <utility>

#include "regiht/solver/run/phase_observer.hpp"
#include "regiht/solver/search/candidate_pool.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace detail {

/// Drops some entries of the best support, selects as many others forward, then makes single swaps;
/// repeats from the better one. The selection is a candidate before and after the swaps.
///
/// Where columns are similar, single swaps end far from the best support: several entries have to
/// change at once. Which ones leave is random, but the same in every run.
class Reselection {
 public:
  Reselection(Objective& f, const Options& options, PhaseObserver& phases, CandidatePool& found)
      : f_(f),
        options_(options),
        found_(found),
        interruptions_(phases),
        minimize_(options, interruptions_),
        swap_(f, options, found.negligible(), SearchScope::singles, interruptions_),
        show_([&phases](const SparseVector& x, double value) { return phases.show(x, value); }) {}

  /// Runs until many rounds in a row fail to improve or the run is interrupted.
  void operator()() {
    const auto known = found_.sorted();
    if (known.empty()) return;
    best_ = known.front();
    const Index patience = options_.effort == infinity ? 10 : 1;
    const Index enough = patience * (10 + 2 * options_.sparsity);
    for (Index in_vain = 0; in_vain < enough && !found_.exact(); ++in_vain) {
      if (interruptions_.interruption()) return;
      if (improve()) in_vain = 0;
    }
  }

 private:
  /// Makes one round; true if it improved the best.
  bool improve() {
    const Support leaving = draw_leaving();
    if (leaving.empty()) return false;
    SparseVector x = best_.x;
    for (const Index j : leaving) x = without_entry(x, j);
    double value = select_without(leaving, x);
    found_.add(x);
    swap_(x, value, show_);
    found_.add(std::move(x));
    if (!(value < best_.value - least_gain * std::abs(best_.value))) return false;
    best_ = found_.sorted().front();
    return true;
  }

  /// Up to a third of the entries that may leave.
  Support draw_leaving() {
    Support free;
    std::set_difference(best_.x.indices.begin(), best_.x.indices.end(), options_.keep.begin(),
                        options_.keep.end(), std::back_inserter(free));
    const std::size_t most = std::max<std::size_t>(2, free.size() / 3);
    const std::size_t count = std::min(free.size(), 1 + random_() % most);
    for (std::size_t k = 0; k < count; ++k)
      std::swap(free[k], free[k + random_() % (free.size() - k)]);
    free.resize(count);
    std::sort(free.begin(), free.end());
    return free;
  }

  /// Fills x up with entries other than these and returns f at the minimum. The number of tries is
  /// bounded since entries that must be positive may leave again.
  double select_without(const Support& left, SparseVector& x) {
    double value = minimize_(f_, x, {loose, infinity, true}).value;
    for (std::size_t tries = 3 * left.size(); tries > 0 && has_room(options_, x); --tries) {
      const Index entering = steepest_without(left);
      if (entering < 0 || interruptions_.interruption()) break;
      x = with_entries(x, {entering});
      value = minimize_(f_, x, {loose, infinity, true}).value;
    }
    return value;
  }

  /// The entry with the steepest slope other than these; −1 if there is none.
  Index steepest_without(const Support& left) {
    steepest_off_support(f_, options_, 1 + static_cast<Index>(left.size()), entries_);
    Index steepest = -1;
    double slope = 0.0;
    for (std::size_t k = 0; k < entries_.indices.size(); ++k) {
      const Index j = entries_.indices[k];
      if (!(std::abs(entries_.values[k]) > slope)) continue;
      if (std::binary_search(left.begin(), left.end(), j)) continue;
      steepest = j;
      slope = std::abs(entries_.values[k]);
    }
    return steepest;
  }

  static constexpr double least_gain = 1e-9;

  Objective& f_;
  const Options& options_;
  CandidatePool& found_;
  RunInterruptions interruptions_;
  ConstrainedMinimizer minimize_;
  SwapSearch swap_;
  std::function<bool(const SparseVector&, double)> show_;
  std::minstd_rand random_;
  Alternative best_;
  SparseVector entries_;
};

inline void add_reselections(Objective& f, const Options& options, PhaseObserver& phases,
                             CandidatePool& found) {
  Reselection(f, options, phases, found)();
}

}}}  // namespace regiht::REGIHT_ABI::detail
