#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

#include "regiht/solver/portfolio/allowance.hpp"
#include "regiht/solver/portfolio/group_starts.hpp"
#include "regiht/solver/portfolio/starts.hpp"
#include "regiht/solver/refit/refit_result.hpp"

namespace regiht {
namespace detail {

/// The ways to find a support, those that find the best one most often for their price first.
struct Start {
  std::string_view name;
  void (*add)(Objective&, const Options&, PhaseObserver&, CandidatePool&);
};
inline constexpr Start greedy_start = {"forward selection", &add_forward};
inline constexpr Start regularized_start = {"regularized IHT", &add_regularized_iht};
inline constexpr std::array<Start, 7> more_starts = {{
    {"continuation", &add_continuation},
    {"concave penalty, in large steps", &add_coarse_concave_path},
    {"matching pursuit with replacement", &add_ompr},
    {"elimination", &add_elimination},
    {"compressive sampling", &add_cosamp},
    {"regularized IHT, slowly", &add_slow_regularized_iht},
    {"concave penalty", &add_concave_paths},
}};
inline constexpr std::array<Start, 3> group_starts = {{
    {"matching pursuit", &add_omp},
    {"regularized IHT", &add_steps},
    {"compressive sampling", &add_group_sampling},
}};

/// A search for the best candidate, in rounds of starts and what improves on the best they found.
class Portfolio {
 public:
  Portfolio(Objective& f, const Options& options, PhaseObserver& phases, CandidatePool& found)
      : f_(f), options_(options), phases_(phases), found_(found), allowance_(f) {}

  void search() {
    if (options_.groups) {
      for (const Start& start : group_starts) run(start);
      polish(is_cheap(f_) ? 4 : 2);
      return;
    }
    run(greedy_start);
    allowance_.measure();
    polish_singles();
    const double greedy = found_.least();
    run(regularized_start);
    polish_singles();
    // Where two ways that have little in common come to one place, it is the best as a rule.
    if (allowance_.is_large() && found_.least() == greedy && found_.agree()) return;
    splice_and_polish(1);
    for (const Start& start : more_starts) {
      if (!allowance_.is_left()) return;
      run(start);
      splice_and_polish(1);
    }
    finish();
  }

 private:
  bool goes_on() const { return !phases_.stopped() && !found_.exact(); }

  void run(const Start& start) {
    if (goes_on()) start.add(f_, options_, phases_, found_);
    trace(start.name.data());
  }

  /// So many of the best, of those that were not improved on before.
  template <class How>
  void improve(std::size_t count, How&& how) {
    std::size_t done = 0;
    for (Alternative& one : found_.sorted())
      if (done < count && goes_on() && how(one)) ++done;
  }

  void polish_singles() {
    improve(1, [&](Alternative& one) { return found_.polish(one, SearchScope::singles); });
    trace("  polished");
  }

  void trace(const char* what) {
#ifdef REGIHT_TRACE
    std::fprintf(stderr, "  %-36s least %.10g spent %.3g\n", what, found_.least(),
                 allowance_.spent());
#else
    (void)what;
#endif
  }

  void polish(std::size_t count) {
    improve(count, [&](Alternative& one) { return found_.polish(one, SearchScope::blocks); });
  }

  /// What splicing comes to is not improved on by blocks as a rule, so single swaps will do.
  void splice_and_polish(std::size_t count) {
    improve(count, [&](Alternative& one) {
      const bool is_new = found_.splice(one, Splicing::some(one.x.size()));
      if (is_new && goes_on()) found_.polish(one, SearchScope::singles);
      return is_new;
    });
    trace("  spliced, polished");
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
  Allowance allowance_;
};

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
  detail::Portfolio(f, options, phases, found).search();

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
    refit_result(f, options, result);
  }
  result.weights = Vector::Zero(f.dimension());
  result.iterations = phases.iterations();
  result.gradients = f.gradients_spent();
  result.history = phases.take_history();
  return result;
}

}  // namespace regiht
