#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "regiht/solver/run/support_run.hpp"
#include "regiht/solver/search/swap_patience.hpp"
#include "regiht/solver/search/swap_trials.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Swaps single entries, then small blocks of them (as in the splicing of Zhu et al. 2020), while
/// the minimum of f on the support falls.
///
/// Swaps are tried in order of their gain in the second-order model; for squared loss the first is
/// the best. Columns with large gradients come first; if none gains, as much as `reach` allows.
class SwapSearch {
 public:
  /// Values below `negligible` count as zero.
  SwapSearch(Objective& f, const Options& options, double negligible, SearchScope reach,
             Observer& observer = no_observer())
      : f_(f),
        options_(options),
        observer_(observer),
        negligible_(negligible),
        scope_(reach),
        swaps_(options.positive),
        trials_(f, options, observer) {}

  /// x must be the minimum on its support. `proceed(x, value)` is called after every swap and
  /// returns false to stop. True if every single swap was checked and none gains.
  template <class Proceed>
  bool operator()(SparseVector& x, double& value, Proceed&& proceed) {
    for (patience_ = SwapPatience(x.size());; patience_.count()) {
      if (std::abs(value) <= negligible_) return true;
      f_.move_to(x);
      const Outcome outcome = swap_one(x, value);
      if (observer_.interruption()) return false;
      if (outcome == Outcome::optimal && !swap_block(x, value)) return patience_.is_whole();
      if (outcome == Outcome::nothing && !swap_block(x, value)) return false;
      if (!proceed(x, value)) return false;
    }
  }

 private:
  enum class Outcome { improved, nothing, optimal };

  static constexpr Index most_at_once = 512;
  static constexpr Index cost_of_swap = 16;  // multiply-adds, beyond the cost per column

  /// The gain that a swap must reach under the prepared model.
  double least_gain(double value) const {
    return std::max({patience_.least_relative_gain() * std::abs(value), 1e-3 * negligible_,
                     swaps_.roundoff(value)});
  }

  Outcome swap_one(SparseVector& x, double& value) {
    SparseVector gradient;
    f_.gradient_off_support(0.0, gradient);
    if (gradient.size() == 0) return Outcome::optimal;
    if (!is_finite(gradient)) return Outcome::nothing;
    // If no positive entry can lower f by joining, x is the minimum for any s.
    if (options_.positive && *std::min_element(gradient.values.begin(), gradient.values.end()) >= 0)
      return Outcome::optimal;
    if (!swaps_.prepare(f_, options_.keep, observer_)) return Outcome::nothing;
    trials_.minimize().remember(x.indices, swaps_.hessian());
    if (!swaps_.any()) return Outcome::optimal;
    Vector curvatures(f_.dimension());
    f_.approximate_curvatures(curvatures);
    const std::vector<std::size_t> steepest = rank(gradient, curvatures, 2 * x.size() + 64);
    // The bounds need an unconstrained minimum, which x is not if a kept entry is held at zero.
    all_tried_ =
        !options_.positive || std::find(x.values.begin(), x.values.end(), 0.0) == x.values.end();
    if (try_among(selected(gradient, steepest), x, value)) return Outcome::improved;
    const SparseVector rest = others(gradient, curvatures, steepest);
    if (rest.size() == 0) return all_tried_ ? Outcome::optimal : Outcome::nothing;
    if (scope_ != SearchScope::everything) return Outcome::nothing;
    if (try_among(rest, x, value)) return Outcome::improved;
    return all_tried_ ? Outcome::optimal : Outcome::nothing;
  }

  /// Whether a column of this slope and curvature can gain anything by itself.
  static bool may_gain(double slope, double curvature) { return curvature > 0.0 && slope != 0.0; }

  /// The slots of the `count` columns with the largest |gⱼ|/√hⱼⱼ, in order; the first among equals.
  static std::vector<std::size_t> rank(const SparseVector& gradient, const Vector& curvatures,
                                       Index count) {
    constexpr double rounding = 1.0 - 8.0 * std::numeric_limits<double>::epsilon();
    const std::size_t enough = static_cast<std::size_t>(count);
    std::vector<std::pair<double, std::size_t>> scores;
    double passed = 0.0;  // a square that `enough` of the columns seen reach
    const auto cut = [&] {
      std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(enough) - 1,
                       scores.end());
      scores.resize(enough);
      passed = scores.back().first * scores.back().first * rounding;
    };
    for (std::size_t k = 0; k < gradient.indices.size(); ++k) {
      const double slope = gradient.values[k], curvature = curvatures[gradient.indices[k]];
      if (slope * slope < passed * curvature || !may_gain(slope, curvature)) continue;
      scores.emplace_back(-std::abs(slope) / std::sqrt(curvature), k);
      if (scores.size() == 4 * enough) cut();
    }
    if (scores.size() > enough) cut();
    std::vector<std::size_t> slots;
    slots.reserve(scores.size());
    for (const auto& score : scores) slots.push_back(score.second);
    std::sort(slots.begin(), slots.end());
    return slots;
  }

  static SparseVector selected(const SparseVector& gradient,
                               const std::vector<std::size_t>& slots) {
    SparseVector out;
    for (const std::size_t k : slots) out.append(gradient.indices[k], gradient.values[k]);
    return out;
  }

  /// Those not in these slots that may gain.
  static SparseVector others(const SparseVector& gradient, const Vector& curvatures,
                             const std::vector<std::size_t>& slots) {
    SparseVector out;
    auto next = slots.begin();
    for (std::size_t k = 0; k < gradient.indices.size(); ++k) {
      if (next != slots.end() && *next == k)
        ++next;
      else if (may_gain(gradient.values[k], curvatures[gradient.indices[k]]))
        out.append(gradient.indices[k], gradient.values[k]);
    }
    return out;
  }

  /// Tries swaps for these columns; f is at x before, and after unless one improved it.
  bool try_among(const SparseVector& gradient, SparseVector& x, double& value) {
    const double least = least_gain(value);
    // Where the model is not exact, swaps that lose a little in it are tried too.
    const double doubt = f_.is_quadratic() ? 0.0 : 0.25 * swaps_.least_loss() * swaps_.least_loss();
    std::vector<Swap> found;
    const Index chunk = std::min(most_at_once, columns_at_once(f_, x.size()));
    for (Index first = 0; first < gradient.size(); first += chunk) {
      if (observer_.interruption()) return false;
      SparseVector part;
      for (Index k = first; k < std::min(first + chunk, gradient.size()); ++k)
        part.append(gradient.indices[static_cast<std::size_t>(k)],
                    gradient.values[static_cast<std::size_t>(k)]);
      swaps_.look(f_, part, least - doubt, found);
      observer_.spend(static_cast<double>(part.size() * x.size() * (x.size() + cost_of_swap)));
    }
    all_tried_ = all_tried_ && trials_.are_all(found.size());
    const auto after = [&](const Swap& swap) {
      return with_entries(without_entry(x, swap.leaving), {swap.entering});
    };
    if (trials_.improve(found, least, x, value, after)) return true;
    all_tried_ = all_tried_ && !observer_.interruption();
    f_.move_to(x);
    return false;
  }

  /// Swaps several of the cheapest entries for those that then gain most.
  bool swap_block(SparseVector& x, double& value) {
    if (scope_ == SearchScope::singles) return false;
    f_.move_to(x);
    if (!swaps_.prepare(f_, options_.keep, observer_)) return false;
    const double least = least_gain(value);
    std::vector<std::pair<double, Index>> order;
    for (Index k = 0; k < x.size(); ++k)
      if (std::isfinite(swaps_.losses()[k]))
        order.emplace_back(std::abs(swaps_.losses()[k]), x.indices[static_cast<std::size_t>(k)]);
    std::sort(order.begin(), order.end());
    SparseVector entries;
    for (std::size_t size = 2; size <= std::min<std::size_t>(order.size(), 5); ++size) {
      SparseVector trial = x;
      for (std::size_t k = 0; k < size; ++k) trial = without_entry(trial, order[k].second);
      trials_.minimize()(f_, trial, {loose, infinity, true});
      steepest_off_support(f_, options_, static_cast<Index>(size), entries);
      trial = with_entries(trial, entries.indices);
      if (trials_.improve(std::move(trial), least, x, value)) return true;
    }
    f_.move_to(x);
    return false;
  }

  Objective& f_;
  const Options& options_;
  Observer& observer_;
  double negligible_;
  SearchScope scope_;
  SwapPatience patience_;
  bool all_tried_ = true;  // swaps that may gain
  SwapModel swaps_;
  SwapTrials trials_;
};

}}  // namespace regiht::REGIHT_ABI
