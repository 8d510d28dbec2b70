#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "regiht/solver/phases.hpp"
#include "regiht/solver/support_run.hpp"
#include "regiht/solver/swap_search.hpp"

namespace regiht {

/// Supports of s entries found in different ways, each once, with the minimum of f on them.
class Candidates {
 public:
  /// What is done is shown to `phases`, and ends where they are told to stop.
  Candidates(Objective& f, const Options& options, double value_at_zero, Phases& phases)
      : f_(f), options_(options), phases_(phases), negligible_(1e-20 * std::abs(value_at_zero)) {}

  /// Cuts x to s entries, or fills it up with those of the largest gradients, and refits.
  void add(SparseVector x) {
    cut(x);
    if (!seen_.insert(x.indices).second) return;
    double value = minimize_(f_, x, {tight}).value;
    SparseVector entries;
    while (x.size() < options_.sparsity && !phases_.stopped()) {
      f_.largest_outside(1, entries);
      const Index entering = largest_entry(entries);
      if (entering < 0) break;
      x = with_entry(x, entering);
      value = minimize_(f_, x, {tight}).value;
      phases_.show(x, value);
    }
    keep({std::move(x), value});
  }

  /// Exchanges entries of one that was found, and adds what comes of it.
  void polish(Alternative one) {
    SwapSearch swap(f_, options_.keep, negligible_, false);
    swap(one.x, one.value,
         [&](const SparseVector& x, double value) { return phases_.show(x, value); });
    keep(std::move(one));
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
  /// Leaves the s largest entries, none of them zero but those that must stay.
  void cut(SparseVector& x) const { LargestEntries(options_.sparsity, options_.keep).apply(x); }

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
  RestrictedMinimizer minimize_;
  std::set<Support> seen_;
  std::vector<Alternative> found_;
};

}  // namespace regiht
