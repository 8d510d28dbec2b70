#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "regiht/solver/refit/constrained.hpp"
#include "regiht/solver/search/swap_model.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Tries a limited number of swaps, in order of predicted gain, until f falls.
class SwapTrials {
 public:
  SwapTrials(Objective& f, const Options& options, Observer& observer)
      : f_(f), gains_are_bounds_(options.positive), minimize_(options, observer) {}

  ConstrainedMinimizer& minimize() { return minimize_; }

  /// Replaces x by the result of the first swap that lowers f by more than `least`; `after(swap)`
  /// is the point from which to refit.
  template <class After>
  bool improve(std::vector<Swap>& swaps, double least, SparseVector& x, double& value,
               After&& after) {
    std::stable_sort(swaps.begin(), swaps.end(),
                     [](const Swap& a, const Swap& b) { return a.gain > b.gain; });
    for (std::size_t k = 0; k < std::min(swaps.size(), most()); ++k)
      if (improve(after(swaps[k]), least, x, value)) return true;
    return false;
  }

  /// Refits from this point and accepts it if f falls by more than `least`.
  bool improve(SparseVector trial, double least, SparseVector& x, double& value) {
    const double next = minimize_(f_, trial, {tight, value - least, true}).value;
    if (!(next < value - least)) return false;
    x = std::move(trial);
    value = next;
    return true;
  }

  /// Whether all of this many candidates get tried: where gains are bounds there may be too many;
  /// where they are predictions, late ones do not count.
  bool are_all(std::size_t swaps) const { return !gains_are_bounds_ || swaps <= most(); }

 private:
  std::size_t most() const { return gains_are_bounds_ ? 200 : 12; }

  Objective& f_;
  bool gains_are_bounds_;
  ConstrainedMinimizer minimize_;
};

}}  // namespace regiht::REGIHT_ABI
