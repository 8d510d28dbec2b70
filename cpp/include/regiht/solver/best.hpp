#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "regiht/solver/candidates.hpp"
#include "regiht/solver/cosamp.hpp"
#include "regiht/solver/group_lanes.hpp"
#include "regiht/solver/omp.hpp"
#include "regiht/solver/ompr.hpp"
#include "regiht/solver/penalized_path.hpp"
#include "regiht/solver/phases.hpp"
#include "regiht/solver/regularized_iht.hpp"

namespace regiht {
namespace detail {

/// Whether time need not be saved: refits are cheap for a quadratic function, and exchanges where
/// there are few columns.
inline bool is_cheap(const Objective& f) {
  constexpr Index few_columns = 2000;
  return f.is_quadratic() || f.dimension() <= few_columns;
}

inline void add_ompr(Objective& f, const Options& options, Phases& phases, Candidates& found) {
  found.add(ompr(f, options, phases).x);
}

inline void add_regularized_iht(Objective& f, const Options& options, Phases& phases,
                                Candidates& found) {
  Options each = options;
  each.step.reset();
  each.weight_step.reset();
  each.adaptive_weight_step = false;
  if (f.is_quadratic() || !is_cheap(f)) each.max_iter = std::max<Index>(1, options.max_iter / 4);
  found.add(regularized_iht(f, each, phases).x);
}

/// The supports along a path of the minimax concave penalty from where it comes to s entries: cut
/// to s, each is a candidate.
inline void add_concave_path(Objective& f, const Options& options, Phases& phases,
                             Candidates& found, double concavity) {
  // Where second derivatives change, every λ costs several factorizations.
  const double ratio = is_cheap(f) ? 0.9 : 0.7;
  const int most_beyond = is_cheap(f) ? 30 : 2;
  constexpr double least = 1e-4;
  PenalizedPath path(f, options, concavity);
  const double largest = path.largest_strength();
  double strength = ratio * largest;
  int beyond = 0;
  while (strength > least * largest && beyond < most_beyond) {
    path.move_to(strength, 2 * options.sparsity + 8);
    strength *= ratio;
    const SparseVector x = path.x();
    if (x.size() >= options.sparsity) {
      ++beyond;
      found.add(x);
    }
    if (!phases.show(x, f.move_to(x)) || found.exact()) return;
  }
  found.add(path.x());
}

/// Two strengths of concavity: far from the lasso it finds strong entries early, near it it makes
/// fewer mistakes along the way.
inline void add_concave_paths(Objective& f, const Options& options, Phases& phases,
                              Candidates& found) {
  if (is_cheap(f)) add_concave_path(f, options, phases, found, 1.0 / 4.0);
  if (!phases.stopped() && !found.exact()) add_concave_path(f, options, phases, found, 1.0 / 16.0);
}

inline void add_cosamp(Objective& f, const Options& options, Phases& phases, Candidates& found) {
  if (!f.is_quadratic() && is_cheap(f)) found.add(cosamp(f, options, phases).x);
}

/// Backward elimination from a larger support that omp finds: what costs least to lose leaves
/// first. Not for many entries where that takes long.
inline void add_elimination(Objective& f, const Options& options, Phases& phases,
                            Candidates& found) {
  constexpr Index most = 60;
  if (!is_cheap(f) && options.sparsity > most / 3) return;
  Options larger = options;
  larger.sparsity = std::min(f.dimension(), std::min(most, 2 * options.sparsity + 8));
  if (larger.sparsity <= options.sparsity) return;
  SparseVector x = omp(f, larger, phases).x;
  ConstrainedMinimizer minimize(options);
  Exchanges costs;
  while (x.size() > options.sparsity && !phases.stopped()) {
    f.move_to(x);
    if (!costs.prepare(f, options.keep)) return;
    Index least = 0;
    costs.losses().cwiseAbs().minCoeff(&least);
    x = without_entry(x, x.indices[static_cast<std::size_t>(least)]);
    if (!phases.show(x, minimize(f, x, {loose}).value)) break;
  }
  found.add(std::move(x));
}

/// Forward selection in which, at a growing number of entries, exchanges are made. Only where
/// exchanges are cheap.
inline void add_continuation(Objective& f, const Options& options, Phases& phases,
                             Candidates& found) {
  if (!is_cheap(f)) return;
  ConstrainedMinimizer minimize(options);
  SwapSearch swap(f, options, found.negligible(), false);
  SparseVector x = restricted({}, options.keep), entries;
  minimize(f, x);
  Index next_swap = 2;
  for (Index tries = 3 * options.sparsity; tries > 0 && has_room(options, x); --tries) {
    steepest_outside(f, options, 1, entries);
    if (entries.size() == 0) break;
    x = with_entries(x, entries.indices);
    double value = minimize(f, x, {loose}).value;
    if (x.size() >= next_swap) {
      swap(x, value, [&](const SparseVector& at, double there) { return phases.show(at, there); });
      if (phases.stopped()) break;
      f.move_to(x);
      next_swap = std::max(next_swap + 1, next_swap * 5 / 4);
    }
    if (!phases.show(x, value)) break;
  }
  found.add(std::move(x));
}

/// The one list of ways to find a support, and that of the ways to find groups.
struct Lane {
  std::string_view name;
  void (*add)(Objective&, const Options&, Phases&, Candidates&);
};
inline constexpr std::array<Lane, 6> lanes = {{
    {"matching pursuit with replacement", &add_ompr},
    {"concave penalty", &add_concave_paths},
    {"regularized IHT", &add_regularized_iht},
    {"compressive sampling", &add_cosamp},
    {"elimination", &add_elimination},
    {"continuation", &add_continuation},
}};
inline constexpr std::array<Lane, 3> group_lanes = {{
    {"matching pursuit", &add_omp},
    {"regularized IHT", &add_steps},
    {"compressive sampling", &add_group_sampling},
}};

}  // namespace detail

/// The best of several methods, refitted, with exchanges: a portfolio.
///
/// Deterministic. A quarter of `options.max_iter` is the length of the run of regularized IHT.
inline Result best(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  Phases phases(observer, options.history, f.dimension());
  const double value_at_zero = f.move_to({});
  Candidates found(f, options, value_at_zero, phases);
  if (options.x0.size() > 0) found.add(options.x0);
  const auto run_all = [&](const auto& lanes) {
    for (const detail::Lane& lane : lanes) {
      if (phases.stopped() || found.exact()) break;
      lane.add(f, options, phases, found);
    }
  };
  if (options.groups)
    run_all(detail::group_lanes);
  else
    run_all(detail::lanes);
  const std::size_t polished = detail::is_cheap(f) ? 4 : 2;
  const std::vector<Alternative> ranked = found.sorted();
  for (std::size_t k = 0; k < std::min(polished, ranked.size()) && !phases.stopped(); ++k)
    found.polish(ranked[k]);

  Result result;
  result.value = value_at_zero;
  result.status = phases.stopped().value_or(Status::finished);
  result.alternatives = found.sorted();
  if (result.alternatives.empty()) {
    result.status = Status::diverged;
  } else {
    result.x = std::move(result.alternatives.front().x);
    result.value = result.alternatives.front().value;
    result.alternatives.erase(result.alternatives.begin());
    SparseVector again = result.x;
    result.rank_deficient = ConstrainedMinimizer(options)(f, again).rank_deficient;
  }
  result.weights = Vector::Zero(f.dimension());
  result.iterations = phases.iterations();
  result.gradients = f.gradients_spent();
  result.history = phases.take_history();
  return result;
}

}  // namespace regiht
