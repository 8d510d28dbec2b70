#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "regiht/solver/support_run.hpp"
#include "regiht/solver/swap_search.hpp"

namespace regiht {

/// Supports of s entries found in different ways, each once, with the minimum of f on them.
class Candidates {
 public:
  Candidates(Objective& f, const Options& options, double value_at_zero)
      : f_(f), options_(options), negligible_(1e-20 * std::abs(value_at_zero)) {}

  /// Cuts x to s entries, or fills it up with those of the largest gradients, and refits.
  void add(SparseVector x) {
    LargestEntries(options_.sparsity, options_.keep).apply(x);
    if (!seen_.insert(x.indices).second) return;
    double value = minimize_(f_, x, {tight}).value;
    SparseVector entries;
    while (x.size() < options_.sparsity) {
      f_.largest_outside(1, entries);
      const Index entering = largest_entry(entries);
      if (entering < 0) break;
      x = with_entry(x, entering);
      value = minimize_(f_, x, {tight}).value;
    }
    keep({std::move(x), value});
  }

  /// Exchanges entries of one that was found, and adds what comes of it.
  void polish(Alternative one, Observer& observer) {
    const Vector weights = Vector::Zero(f_.dimension());
    SwapSearch swap(f_, options_.keep, negligible_, false);
    swap(one.x, one.value, [&](const SparseVector& x, double value) {
      return !observer.observe({0, value, value, x, weights, 1, 0.0});
    });
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
  void keep(Alternative one) {
    if (!std::isfinite(one.value)) return;
    for (const Alternative& other : found_)
      if (other.x.indices == one.x.indices) return;
    found_.push_back(std::move(one));
  }

  Objective& f_;
  const Options& options_;
  double negligible_;
  RestrictedMinimizer minimize_;
  std::set<Support> seen_;
  std::vector<Alternative> found_;
};

}  // namespace regiht
