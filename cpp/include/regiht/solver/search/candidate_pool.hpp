#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "regiht/solver/run/phase_observer.hpp"
#include "regiht/solver/run/support_run.hpp"
#include "regiht/solver/search/group_swap_search.hpp"
#include "regiht/solver/search/splicing.hpp"
#include "regiht/solver/search/swap_search.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The distinct supports found so far, each with the minimum of f on it.
class CandidatePool {
 public:
  /// Steps are shown to `phases`, which may stop the work.
  CandidatePool(Objective& f, const Options& options, double value_at_zero, PhaseObserver& phases)
      : f_(f),
        options_(options),
        phases_(phases),
        negligible_(1e-20 * std::abs(value_at_zero)),
        minimize_(options, phases) {}

  /// Cuts x to s entries, or fills it up with those of the largest gradients, refits and adds it.
  void add(SparseVector x) {
    cut(x);
    if (!seen_.insert(x.indices).second) return;
    Alternative one{std::move(x), 0.0};
    one.value = minimize_(f_, one.x, {tight, infinity, true}).value;
    fill(one);
    keep(std::move(one));
  }

  /// Improves a candidate by swaps and adds the result, unless the swaps reach a support polished
  /// before. False if this candidate was polished already.
  bool polish(Alternative one, SearchScope reach) {
    std::set<Support>& polished = polished_[reach];
    joined_ = true;
    if (!polished.insert(one.x.indices).second) return false;
    bool known = false;
    swap(one, reach, [&](const SparseVector& x) {
      known = !polished.insert(x.indices).second;
      return !known;
    });
    joined_ = known;
    if (!known) keep(std::move(one));
    return true;
  }

  /// Splices `one` and adds the result. False if that was done already.
  bool splice(Alternative& one, Index joining) {
    std::set<Support>& spliced = spliced_[joining];
    if (!spliced.insert(one.x.indices).second) return false;
    Splicing splicing(f_, options_, phases_);
    splicing(one.x, one.value, joining,
             [&](const SparseVector& x, double value) { return phases_.show(x, value); });
    spliced.insert(one.x.indices);
    keep(one);
    return true;
  }

  /// Swaps entries while f falls and `is_new(x)` holds. True if every single swap was checked and
  /// none gains.
  template <class IsNew>
  bool swap(Alternative& one, SearchScope reach, IsNew&& is_new) {
    if (options_.groups)
      return swap_by(GroupSwapSearch(f_, options_, negligible_, reach, phases_), one, is_new);
    return swap_by(SwapSearch(f_, options_, negligible_, reach, phases_), one, is_new);
  }

  /// Whether some value is as good as zero, so that nothing better can be found.
  bool exact() const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Alternative& one) { return std::abs(one.value) <= negligible_; });
  }

  /// All candidates, best first; ties in the order found.
  std::vector<Alternative> sorted() const {
    std::vector<Alternative> out = found_;
    std::stable_sort(out.begin(), out.end(),
                     [](const Alternative& a, const Alternative& b) { return a.value < b.value; });
    return out;
  }

  /// The lowest value found; infinite if there is none.
  double least() const { return found_.empty() ? infinity : sorted().front().value; }

  /// Whether the last polish reached a support polished before.
  bool joined() const { return joined_; }

  double negligible() const { return negligible_; }

 private:
  template <class Swap, class IsNew>
  bool swap_by(Swap swap, Alternative& one, IsNew& is_new) {
    for (;;) {
      bool goes_on = true;
      const bool optimal = swap(one.x, one.value, [&](const SparseVector& x, double value) {
        goes_on = phases_.show(x, value) && is_new(x);
        return goes_on;
      });
      if (!goes_on || !has_room(options_, one.x)) return optimal;
      // Entries that must be positive have left a slot free.
      const double before = one.value;
      f_.move_to(one.x);
      fill(one);
      if (phases_.stopped() || !(one.value < before)) return optimal;
    }
  }

  /// Keeps the s largest entries, dropping zeros other than kept entries.
  void cut(SparseVector& x) const { make_projection(options_)->apply(x); }

  /// Adds the entries of the largest gradients while there is room, each with a refit. Tries are
  /// bounded since entries that must be positive may leave again.
  void fill(Alternative& one) {
    SparseVector entries;
    for (Index tries = 3 * options_.sparsity; tries > 0 && has_room(options_, one.x); --tries) {
      if (phases_.stopped()) return;
      steepest_off_support(f_, options_, 1, entries);
      if (entries.size() == 0) return;
      one.x = with_entries(one.x, entries.indices);
      one.value = minimize_(f_, one.x, {tight, infinity, true}).value;
      phases_.show(one.x, one.value);
    }
  }

  void keep(Alternative one) {
    if (!std::isfinite(one.value)) return;
    cut(one.x);
    for (const Alternative& other : found_)
      if (other.x.indices == one.x.indices) return;
    found_.push_back(std::move(one));
  }

  Objective& f_;
  const Options& options_;
  PhaseObserver& phases_;
  double negligible_;
  ConstrainedMinimizer minimize_;
  std::set<Support> seen_;
  std::map<Index, std::set<Support>> spliced_;         // by number joining
  std::map<SearchScope, std::set<Support>> polished_;  // by scope
  std::vector<Alternative> found_;
  bool joined_ = true;
};

}}  // namespace regiht::REGIHT_ABI
