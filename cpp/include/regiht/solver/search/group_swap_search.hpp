#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "regiht/solver/run/support_run.hpp"
#include "regiht/solver/search/group_swap_model.hpp"
#include "regiht/solver/search/swap_patience.hpp"
#include "regiht/solver/search/swap_trials.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Swaps single groups while the minimum of f on the support falls: SwapSearch for groups.
class GroupSwapSearch {
 public:
  GroupSwapSearch(Objective& f, const Options& options, double negligible, SearchScope reach,
                  Observer& observer = no_observer())
      : f_(f),
        options_(options),
        observer_(observer),
        groups_(*options.groups),
        negligible_(negligible),
        thorough_(reach == SearchScope::everything),
        swaps_(options),
        trials_(f, options, observer) {}

  /// As in SwapSearch.
  template <class Proceed>
  bool operator()(SparseVector& x, double& value, Proceed&& proceed) {
    for (patience_ = SwapPatience(options_.count_units(x.indices));; patience_.count()) {
      if (std::abs(value) <= negligible_) return true;
      f_.move_to(x);
      const std::optional<bool> left = swap_one(x, value);
      if (observer_.interruption()) return false;
      if (left) return *left && patience_.is_whole();
      if (!proceed(x, value)) return false;
    }
  }

 private:
  static constexpr Index chunk = 128;

  /// Nothing if a swap improved x; else whether every swap was checked.
  std::optional<bool> swap_one(SparseVector& x, double& value) {
    SparseVector gradient;
    f_.gradient_off_support(0.0, gradient);
    if (gradient.size() == 0) return true;
    if (!is_finite(gradient)) return false;
    // If no positive entry can lower f by joining, x is the minimum for any s.
    if (options_.positive && *std::min_element(gradient.values.begin(), gradient.values.end()) >= 0)
      return true;
    // Where entries are zero, x need not be the unconstrained minimum: the model leaves them out.
    all_tried_ = true;
    if (options_.positive) {
      SparseVector inner = x;
      LargestEntries(x.size(), {}).apply(inner);
      all_tried_ = inner.size() == x.size();
      f_.move_to(inner);
    }
    if (!swaps_.prepare(f_, observer_)) return false;
    if (swaps_.count() == 0) return true;
    const Support ranked = rank_outside(gradient);
    const Index all = static_cast<Index>(ranked.size());
    const Index likely = std::min(all, 2 * static_cast<Index>(swaps_.count()) + 64);
    if (try_among(x, gradient, ranked, 0, likely, value)) return std::nullopt;
    if (likely == all) return all_tried_;
    if (!thorough_) return false;
    if (try_among(x, gradient, ranked, likely, all, value)) return std::nullopt;
    return all_tried_;
  }

  /// The groups outside with a nonzero gradient, most promising first.
  Support rank_outside(const SparseVector& gradient) {
    Vector curvatures(f_.dimension());
    f_.approximate_curvatures(curvatures);
    std::vector<double> predicted_decrease(static_cast<std::size_t>(groups_.count()), 0.0);
    for (std::size_t k = 0; k < gradient.indices.size(); ++k) {
      const Index j = gradient.indices[k];
      const double slope = gradient.values[k];
      if (curvatures[j] > 0.0)
        predicted_decrease[static_cast<std::size_t>(groups_.of(j))] +=
            slope * slope / curvatures[j];
    }
    Support ranked;
    for (const Index g : groups_.of_all(gradient.indices))
      if (predicted_decrease[static_cast<std::size_t>(g)] > 0.0) ranked.push_back(g);
    std::stable_sort(ranked.begin(), ranked.end(), [&](Index a, Index b) {
      return predicted_decrease[static_cast<std::size_t>(a)] >
             predicted_decrease[static_cast<std::size_t>(b)];
    });
    return ranked;
  }

  /// Tries swaps for ranked groups [first, last). f must be where the swaps were prepared, and
  /// returns there unless a swap improved x.
  bool try_among(SparseVector& x, const SparseVector& gradient, const Support& ranked, Index first,
                 Index last, double& value) {
    const double least = std::max({patience_.least_relative_gain() * std::abs(value),
                                   1e-3 * negligible_, swaps_.roundoff(value)});
    // Where the model is not exact, swaps that lose a little in it are tried too.
    const double doubt = f_.is_quadratic() ? 0.0 : 0.5 * swaps_.least_cost();
    const SparseVector prepared = f_.point();
    std::vector<Swap> found;
    for (; first < last; first += chunk) {
      if (observer_.interruption()) return false;
      swaps_.look(f_, gradient,
                  {ranked.begin() + first, ranked.begin() + std::min(first + chunk, last)},
                  least - doubt, found);
    }
    all_tried_ = all_tried_ && trials_.are_all(found.size());
    const auto after = [&](const Swap& swap) {
      Support rest;
      for (const Index j : x.indices)
        if (groups_.of(j) != swap.leaving) rest.push_back(j);
      return restricted(x, united(rest, groups_.members(swap.entering)));
    };
    if (trials_.improve(found, least, x, value, after)) return true;
    f_.move_to(prepared);
    return false;
  }

  Objective& f_;
  const Options& options_;
  Observer& observer_;
  const Groups& groups_;
  double negligible_;
  bool thorough_;
  SwapPatience patience_;
  bool all_tried_ = true;  // swaps that may gain
  GroupSwapModel swaps_;
  SwapTrials trials_;
};

}}  // namespace regiht::REGIHT_ABI
