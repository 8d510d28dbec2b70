#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "regiht/restricted_minimum.hpp"
#include "regiht/solver/exchanges.hpp"
#include "regiht/solver/support_run.hpp"

namespace regiht {

/// Exchanges single entries, then small blocks of them (as in the splicing of Zhu et al. 2020), for
/// as long as the minimum of f on the support falls.
///
/// Exchanges are ranked by their gain in the second-order model and tried in that order: for
/// squared loss the first is the best there is. At first only columns with large gradients are
/// looked at; when none of those gains, all are, if `thorough`.
class SwapSearch {
 public:
  /// Values below `negligible` are not told from zero.
  SwapSearch(Objective& f, const Support& keep, double negligible, bool thorough)
      : f_(f), keep_(keep), negligible_(negligible), thorough_(thorough) {}

  /// From the minimum x on its support. `proceed(x, value)` is told of every exchange and may
  /// answer false to stop. True if every single exchange was looked at and none gains.
  template <class Proceed>
  bool operator()(SparseVector& x, double& value, Proceed&& proceed) {
    for (;;) {
      if (std::abs(value) <= negligible_) return true;
      f_.move_to(x);
      const Outcome outcome = exchange_one(x, value);
      if (outcome == Outcome::optimal && !exchange_block(x, value)) return true;
      if (outcome == Outcome::nothing && !exchange_block(x, value)) return false;
      if (!proceed(x, value)) return false;
    }
  }

 private:
  enum class Outcome { improved, nothing, optimal };

  static constexpr double least_relative_gain = 1e-9;
  static constexpr std::size_t most_trials = 12;
  static constexpr Index chunk = 512;

  double least_gain(double value) const {
    return std::max(least_relative_gain * std::abs(value), 1e-3 * negligible_);
  }

  Outcome exchange_one(SparseVector& x, double& value) {
    SparseVector gradient;
    f_.gradient_outside(0.0, gradient);
    if (gradient.size() == 0) return Outcome::optimal;
    if (!exchanges_.prepare(f_, keep_)) return Outcome::nothing;
    if (!exchanges_.any()) return Outcome::optimal;
    Vector curvatures(f_.dimension());
    f_.rough_curvatures(curvatures);
    SparseVector likely, rest;
    split(gradient, curvatures, x.size(), likely, rest);
    if (try_among(likely, x, value)) return Outcome::improved;
    if (rest.size() == 0) return Outcome::optimal;
    if (!thorough_) return Outcome::nothing;
    return try_among(rest, x, value) ? Outcome::improved : Outcome::optimal;
  }

  /// The columns with the largest |gⱼ|/√hⱼⱼ, and the others.
  static void split(const SparseVector& gradient, const Vector& curvatures, Index support,
                    SparseVector& likely, SparseVector& rest) {
    const std::size_t count = static_cast<std::size_t>(2 * support + 64);
    std::vector<std::pair<double, std::size_t>> scores;
    for (std::size_t k = 0; k < gradient.indices.size(); ++k) {
      const double curvature = curvatures[gradient.indices[k]];
      if (!(curvature > 0.0) || gradient.values[k] == 0.0) continue;
      scores.emplace_back(-std::abs(gradient.values[k]) / std::sqrt(curvature), k);
    }
    const std::size_t taken = std::min(count, scores.size());
    std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(taken),
                     scores.end());
    const auto list = [&](std::size_t first, std::size_t last, SparseVector& out) {
      std::vector<std::size_t> places;
      for (std::size_t k = first; k < last; ++k) places.push_back(scores[k].second);
      std::sort(places.begin(), places.end());
      for (const std::size_t k : places) out.append(gradient.indices[k], gradient.values[k]);
    };
    list(0, taken, likely);
    list(taken, scores.size(), rest);
  }

  /// f stands at x before, and after unless it found something better.
  bool try_among(const SparseVector& gradient, SparseVector& x, double& value) {
    const double least = least_gain(value);
    // Where the model is not f, exchanges that lose a little in the model are tried as well.
    const double doubt =
        f_.is_quadratic() ? 0.0 : 0.25 * exchanges_.least_loss() * exchanges_.least_loss();
    std::vector<Exchange> found;
    for (Index first = 0; first < gradient.size(); first += chunk) {
      SparseVector part;
      for (Index k = first; k < std::min(first + chunk, gradient.size()); ++k)
        part.append(gradient.indices[static_cast<std::size_t>(k)],
                    gradient.values[static_cast<std::size_t>(k)]);
      exchanges_.look(f_, part, least - doubt, found);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Exchange& a, const Exchange& b) { return a.gain > b.gain; });
    for (std::size_t k = 0; k < std::min(found.size(), most_trials); ++k) {
      SparseVector trial = with_entry(without_entry(x, found[k].leaving), found[k].entering);
      if (improves(trial, least, x, value)) return true;
    }
    f_.move_to(x);
    return false;
  }

  /// Several of the entries that cost least to lose, for those that then gain most.
  bool exchange_block(SparseVector& x, double& value) {
    const double least = least_gain(value);
    f_.move_to(x);
    if (!exchanges_.prepare(f_, keep_)) return false;
    std::vector<std::pair<double, Index>> order;
    for (Index k = 0; k < x.size(); ++k)
      if (std::isfinite(exchanges_.losses()[k]))
        order.emplace_back(std::abs(exchanges_.losses()[k]),
                           x.indices[static_cast<std::size_t>(k)]);
    std::sort(order.begin(), order.end());
    SparseVector entries;
    for (std::size_t size = 2; size <= std::min<std::size_t>(order.size(), 5); ++size) {
      SparseVector trial = x;
      for (std::size_t k = 0; k < size; ++k) trial = without_entry(trial, order[k].second);
      minimize_(f_, trial, {loose});
      f_.largest_outside(static_cast<Index>(size), entries);
      LargestEntries(static_cast<Index>(size), {}).apply(entries);
      trial = restricted(trial, united(trial.indices, entries.indices));
      if (improves(trial, least, x, value)) return true;
    }
    f_.move_to(x);
    return false;
  }

  bool improves(SparseVector& trial, double least, SparseVector& x, double& value) {
    const double next = minimize_(f_, trial, {tight, value - least}).value;
    if (!(next < value - least)) return false;
    x = std::move(trial);
    value = next;
    return true;
  }

  Objective& f_;
  const Support& keep_;
  double negligible_;
  bool thorough_;
  Exchanges exchanges_;
  RestrictedMinimizer minimize_;
};

}  // namespace regiht
