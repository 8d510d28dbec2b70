#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "regiht/solver/group_lanes.hpp"
#include "regiht/solver/searches.hpp"

namespace regiht {
namespace detail {

/// The ways to find a support: all of them where f is cheap, and else one, then perhaps some more;
/// and those to find groups.
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
inline constexpr std::array<Lane, 1> first_lane = {{{"forward selection", &add_forward}}};
inline constexpr std::array<Lane, 3> more_lanes = {{
    {"matching pursuit with replacement", &add_ompr},
    {"concave penalty", &add_concave_paths},
    {"regularized IHT", &add_regularized_iht},
}};

/// A search for the best candidate, in rounds of lanes and what improves on the best they found.
class Portfolio {
 public:
  Portfolio(Objective& f, const Options& options, Phases& phases, Candidates& found)
      : f_(f), options_(options), phases_(phases), found_(found) {}

  void search(double value_at_zero) {
    if (options_.groups) return round(group_lanes, 0, is_cheap(f_) ? 4 : 2);
    if (is_cheap(f_)) return round(lanes, 4, 4);
    run(first_lane);
    const double greedy = found_.least();
    round(std::array<Lane, 0>{}, 1, 1);
    // Where the greedy choice was hard to improve on, other starts are not worth a long time.
    constexpr double large = 1e7, little = 2e-3;
    if (f_.size() <= large || greedy - found_.least() > little * (value_at_zero - found_.least()))
      round(more_lanes, 1, 2);
  }

 private:
  bool goes_on() const { return !phases_.stopped() && !found_.exact(); }

  template <class Lanes>
  void run(const Lanes& all) {
    for (const Lane& lane : all)
      if (goes_on()) lane.add(f_, options_, phases_, found_);
  }

  template <class Lanes>
  void round(const Lanes& all, std::size_t spliced, std::size_t polished) {
    run(all);
    improve(spliced, &Candidates::splice);
    improve(polished, &Candidates::polish);
  }

  /// So many of the best, of those that were not improved on before.
  void improve(std::size_t count, bool (Candidates::*how)(Alternative)) {
    std::size_t done = 0;
    for (const Alternative& one : found_.sorted())
      if (done < count && goes_on() && (found_.*how)(one)) ++done;
  }

  Objective& f_;
  const Options& options_;
  Phases& phases_;
  Candidates& found_;
};

}  // namespace detail

/// The best of several methods, refitted, with exchanges: a portfolio.
///
/// Deterministic. What it does depends on the kind and the size of f, not on how long things take.
inline Result best(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  Phases phases(observer, options, f.dimension());
  const double value_at_zero = f.move_to({});
  Candidates found(f, options, value_at_zero, phases);
  if (options.x0.size() > 0) found.add(options.x0);
  detail::Portfolio(f, options, phases, found).search(value_at_zero);

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
    const Refit refit = ConstrainedMinimizer(options)(f, again);
    result.rank_deficient = refit.rank_deficient;
    result.attained = refit.attained;
  }
  result.weights = Vector::Zero(f.dimension());
  result.iterations = phases.iterations();
  result.gradients = f.gradients_spent();
  result.history = phases.take_history();
  return result;
}

}  // namespace regiht
