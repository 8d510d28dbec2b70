#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "regiht/solver/search/elimination.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Swaps many entries at once while the minimum of f on the support falls: those with the largest
/// gradients join, f is minimised on all, and the cheapest leave (splicing, Zhu et al. 2020, with
/// elimination in place of ranking).
class Splicing {
 public:
  /// How many entries join a support of this size: some, or many for a longer search.
  static Index some(Index size) { return std::min<Index>(40, size + 8); }
  static Index many(Index size) { return size + size / 2 + 8; }

  Splicing(Objective& f, const Options& options, Observer& observer = no_observer())
      : f_(f), options_(options), observer_(observer), minimize_(options, observer) {}

  /// x must be the minimum on its support. `proceed(x, value)` is called after every refit and
  /// returns false to stop.
  template <class Proceed>
  void operator()(SparseVector& x, double& value, Index joining, Proceed&& proceed) {
    joining = std::min(joining, f_.dimension() - x.size());
    SparseVector entries;
    while (joining > 0) {
      f_.move_to(x);
      steepest_off_support(f_, options_, joining, entries);
      SparseVector trial = with_entries(x, entries.indices);
      double next = minimize_(f_, trial, {model_tolerance, infinity, true}).value;
      if (observer_.interruption() ||
          !eliminate(f_, options_.keep, x.size(), trial, next, minimize_, observer_, proceed))
        return;
      next = minimize_(f_, trial, {tight, infinity, true}).value;
      if (!(next < value - least_relative_gain * std::abs(value))) return;
      x = std::move(trial);
      value = next;
    }
  }

 private:
  static constexpr double least_relative_gain = 1e-9;

  Objective& f_;
  const Options& options_;
  Observer& observer_;
  ConstrainedMinimizer minimize_;
};

}}  // namespace regiht::REGIHT_ABI
