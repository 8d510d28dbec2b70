#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "regiht/solver/group_swap_search.hpp"
#include "regiht/solver/phases.hpp"
#include "regiht/solver/support_run.hpp"
#include "regiht/solver/swap_search.hpp"

namespace regiht {

/// Supports of s entries found in different ways, each once, with the minimum of f on them.
class Candidates {
 public:
  /// What is done is shown to `phases`, and ends where they are told to stop.
  Candidates(Objective& f, const Options& options, double value_at_zero, Phases& phases)
      : f_(f),
        options_(options),
        phases_(phases),
        negligible_(1e-20 * std::abs(value_at_zero)),
        minimize_(options) {}

  /// Cuts x to s entries, or fills it up with those of the largest gradients, and refits.
  void add(SparseVector x) {
    cut(x);
    if (!seen_.insert(x.indices).second) return;
    Alternative one{std::move(x), 0.0};
    one.value = minimize_(f_, one.x, {tight}).value;
    fill(one);
    keep(std::move(one));
  }

  /// Exchanges entries of one that was found, and adds what comes of it.
  void polish(Alternative one) {
    exchange(one, false);
    keep(std::move(one));
  }

  /// Exchanges entries for as long as that gains. True if every single exchange was looked at and
  /// none gains.
  bool exchange(Alternative& one, bool thorough) {
    if (options_.groups)
      return exchange_by(GroupSwapSearch(f_, options_, negligible_, thorough), one);
    return exchange_by(SwapSearch(f_, options_, negligible_, thorough), one);
  }

  /// Whether nothing better can be had.
  bool exact() const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Alternative& one) { return std::abs(one.value) <= negligible_; });
  }

  /// All of them, the best first; equal values in the order found.
  std::vector<Alternative> sorted() const {
    std::vector<Alternative> out = found_;
    std::stable_sort(out.begin(), out.end(),
                     [](const Alternative& a, const Alternative& b) { return a.value < b.value; });
    return out;
  }

  double negligible() const { return negligible_; }

 private:
  template <class Swap>
  bool exchange_by(Swap swap, Alternative& one) {
    for (;;) {
      const bool optimal = swap(one.x, one.value, [&](const SparseVector& x, double value) {
        return phases_.show(x, value);
      });
      if (!has_room(options_, one.x)) return optimal;
      // Entries that must be positive have left a place free.
      const double before = one.value;
      f_.move_to(one.x);
      fill(one);
      if (phases_.stopped() || !(one.value < before)) return optimal;
    }
  }

  /// Leaves the s largest entries, none of them zero but those that must stay.
  void cut(SparseVector& x) const { make_projection(options_)->apply(x); }

  /// Adds the entries of the largest gradients while there is room, each with a refit. Entries that
  /// must be positive may leave again, so there is an end to it.
  void fill(Alternative& one) {
    SparseVector entries;
    for (Index tries = 3 * options_.sparsity; tries > 0 && has_room(options_, one.x); --tries) {
      if (phases_.stopped()) return;
      steepest_outside(f_, options_, 1, entries);
      if (entries.size() == 0) return;
      one.x = with_entries(one.x, entries.indices);
      one.value = minimize_(f_, one.x, {tight}).value;
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
  Phases& phases_;
  double negligible_;
  ConstrainedMinimizer minimize_;
  std::set<Support> seen_;
  std::vector<Alternative> found_;
};

}  // namespace regiht
