#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "regiht/solver/portfolio/group_starts.hpp"
#include "regiht/solver/portfolio/starts.hpp"
#include "regiht/solver/refit/refit_result.hpp"

namespace regiht {
namespace detail {

/// The ways to find a support: all of them where f is cheap, and else one, then perhaps some more;
/// and those to find groups.
struct Start {
  std::string_view name;
  void (*add)(Objective&, const Options&, PhaseObserver&, CandidatePool&);
};
inline constexpr std::array<Start, 6> starts = {{
    {"matching pursuit with replacement", &add_ompr},
    {"concave penalty", &add_concave_paths},
    {"regularized IHT", &add_regularized_iht},
    {"compressive sampling", &add_cosamp},
    {"elimination", &add_elimination},
    {"continuation", &add_continuation},
}};
inline constexpr std::array<Start, 3> group_starts = {{
    {"matching pursuit", &add_omp},
    {"regularized IHT", &add_steps},
    {"compressive sampling", &add_group_sampling},
}};
inline constexpr std::array<Start, 1> first_start = {{{"forward selection", &add_forward}}};
inline constexpr std::array<Start, 3> more_starts = {{
    {"matching pursuit with replacement", &add_ompr},
    {"concave penalty", &add_concave_paths},
    {"regularized IHT", &add_regularized_iht},
}};

/// A search for the best candidate, in rounds of starts and what improves on the best they found.
class Portfolio {
 public:
  Portfolio(Objective& f, const Options& options, PhaseObserver& phases, CandidatePool& found)
      : f_(f), options_(options), phases_(phases), found_(found) {}

  void search(double value_at_zero) {
    if (options_.groups) {
      run(group_starts);
      polish(is_cheap(f_) ? 4 : 2);
    } else if (is_cheap(f_)) {
      run(starts);
      splice(4);
      polish(4);
    } else {
      search_large(value_at_zero);
    }
  }

 private:
  void search_large(double value_at_zero) {
    run(first_start);
    const double greedy = found_.least();
    splice_and_polish(1);
    // Where the greedy choice was hard to improve on, other starts are not worth a long time.
    constexpr double large = 1e7, little = 2e-3;
    const double gain = greedy - found_.least();
    if (f_.size() > large && !(gain > little * (value_at_zero - found_.least()))) return;
    run(more_starts);
    splice_and_polish(3);
    finish();
  }

  bool goes_on() const { return !phases_.stopped() && !found_.exact(); }

  template <class Starts>
  void run(const Starts& all) {
    for (const Start& start : all)
      if (goes_on()) start.add(f_, options_, phases_, found_);
  }

  /// So many of the best, of those that were not improved on before.
  template <class How>
  void improve(std::size_t count, How&& how) {
    std::size_t done = 0;
    for (Alternative& one : found_.sorted())
      if (done < count && goes_on() && how(one)) ++done;
  }

  bool splice_one(Alternative& one) { return found_.splice(one, Splicing::some(one.x.size())); }

  void splice(std::size_t count) {
    improve(count, [&](Alternative& one) { return splice_one(one); });
  }

  void polish(std::size_t count) {
    improve(count, [&](Alternative& one) { return found_.polish(one, SearchScope::blocks); });
  }

  /// What splicing comes to is not improved on by blocks as a rule, so single swaps will do.
  void splice_and_polish(std::size_t count) {
    improve(count, [&](Alternative& one) {
      const bool is_new = splice_one(one);
      if (is_new && goes_on()) found_.polish(one, SearchScope::singles);
      return is_new;
    });
  }

  /// Improves on the best in every way there is, until that comes to nothing.
  void finish() {
    for (double before = infinity; goes_on() && found_.least() < before;) {
      before = found_.least();
      Alternative one = found_.sorted().front();
      found_.splice(one, Splicing::many(one.x.size()));
      if (goes_on()) found_.polish(found_.sorted().front(), SearchScope::blocks);
    }
  }

  Objective& f_;
  const Options& options_;
  PhaseObserver& phases_;
  CandidatePool& found_;
};

/// Whether the slopes along which an entry might join x are numbers.
inline bool slopes_are_finite(Objective& f, const Options& options, const SparseVector& x) {
  f.move_to(x);
  SparseVector entries;
  steepest_off_support(f, options, 1, entries);
  return is_finite(entries);
}

}  // namespace detail

/// The best of several methods, refitted, with swaps: a portfolio.
///
/// Deterministic. What it does depends on the kind and the size of f, not on how long things take.
inline Result best(Objective& f, const Options& options, Observer& observer) {
  options.check(f.dimension());
  PhaseObserver phases(observer, options, f.dimension());
  const double value_at_zero = f.move_to({});
  CandidatePool found(f, options, value_at_zero, phases);
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
    refit_result(f, options, phases, result);
    if (has_room(options, result.x) && !detail::slopes_are_finite(f, options, result.x))
      result.status = Status::diverged;
  }
  result.weights = Vector::Zero(f.dimension());
  result.iterations = phases.iterations();
  result.gradients = f.gradients_spent();
  result.history = phases.take_history();
  return result;
}

}  // namespace regiht
