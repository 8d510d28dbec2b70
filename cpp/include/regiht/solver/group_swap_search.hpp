#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "regiht/solver/exchanges.hpp"
#include "regiht/solver/support_run.hpp"

namespace regiht {

/// Exchanges single groups for as long as the minimum of f on the support falls: SwapSearch, group
/// by group.
///
/// As in Exchanges, let P be the inverse of the second derivatives H on the support S at its
/// minimum x. For a group I of S with P_II = LLᵀ, taking it out costs ½‖ℓ‖² with ℓ = L⁻¹x_I. For a
/// group J outside let F = P H_SJ, σ = H_JJ − H_JS F and T = L⁻¹F_I. When I is out and J comes in,
/// f falls by ½rᵀ(σ + TᵀT)⁻¹r with r = g_J − Tᵀℓ. For squared loss that is f itself, and with
/// positive entries it is a bound.
class GroupSwapSearch {
 public:
  GroupSwapSearch(Objective& f, const Options& options, double negligible, bool thorough)
      : f_(f),
        options_(options),
        groups_(*options.groups),
        negligible_(negligible),
        thorough_(thorough),
        minimize_(options) {}

  /// As SwapSearch.
  template <class Proceed>
  bool operator()(SparseVector& x, double& value, Proceed&& proceed) {
    for (;;) {
      if (std::abs(value) <= negligible_) return true;
      f_.move_to(x);
      const std::optional<bool> left = exchange_one(x, value);
      if (left) return *left;
      if (!proceed(x, value)) return false;
    }
  }

 private:
  struct Swap {
    Index leaving, entering;
    double gain;
  };

  /// What leaves: where it stands in x, and L and ℓ.
  struct Leaving {
    Index group;
    std::vector<Index> places;
    Eigen::LLT<Matrix> factor;
    Vector cost;
  };

  static constexpr double least_relative_gain = 1e-9;
  static constexpr std::size_t most_trials = 12, most_bounded_trials = 200, chunk = 128;

  /// Nothing if something better was found; else whether every exchange was looked at.
  std::optional<bool> exchange_one(SparseVector& x, double& value) {
    SparseVector gradient;
    f_.gradient_outside(0.0, gradient);
    if (gradient.size() == 0) return true;
    // Where no positive entry can join with profit, x is the minimum for any s.
    if (options_.positive && *std::min_element(gradient.values.begin(), gradient.values.end()) >= 0)
      return true;
    // On the entries at zero x need not be the free minimum: the model leaves them where they are.
    bool all_tried = true;
    if (options_.positive) {
      SparseVector inner = x;
      LargestEntries(x.size(), {}).apply(inner);
      all_tried = inner.size() == x.size();
      f_.move_to(inner);
    }
    if (!inverse_.prepare(f_, options_.keep)) return false;
    list_leaving(f_.point());
    if (leaving_.empty()) return true;
    const Support ranked = rank_outside(gradient);
    const std::size_t likely = std::min(ranked.size(), 2 * leaving_.size() + std::size_t{64});
    if (try_among(x, gradient, {ranked.begin(), ranked.begin() + static_cast<Index>(likely)}, value,
                  all_tried))
      return std::nullopt;
    if (likely == ranked.size()) return all_tried;
    if (!thorough_) return false;
    if (try_among(x, gradient, {ranked.begin() + static_cast<Index>(likely), ranked.end()}, value,
                  all_tried))
      return std::nullopt;
    return all_tried;
  }

  void list_leaving(const SparseVector& x) {
    const Support kept = groups_.of_all(options_.keep);
    leaving_.clear();
    for (const Index g : groups_.of_all(x.indices)) {
      if (std::binary_search(kept.begin(), kept.end(), g)) continue;
      Leaving one{g, {}, {}, {}};
      for (const Index j : groups_.members(g))
        if (x.lists(j)) one.places.push_back(static_cast<Index>(x.position(j)));
      one.cost.resize(static_cast<Index>(one.places.size()));
      for (std::size_t k = 0; k < one.places.size(); ++k)
        one.cost[static_cast<Index>(k)] = x.values[static_cast<std::size_t>(one.places[k])];
      one.factor.compute(inverse_.inverse()(one.places, one.places));
      one.factor.matrixL().solveInPlace(one.cost);
      leaving_.push_back(std::move(one));
    }
  }

  /// The groups outside with some gradient, the most promising first.
  Support rank_outside(const SparseVector& gradient) {
    Vector curvatures(f_.dimension());
    f_.rough_curvatures(curvatures);
    std::vector<double> promise(static_cast<std::size_t>(groups_.count()), 0.0);
    for (std::size_t k = 0; k < gradient.indices.size(); ++k) {
      const Index j = gradient.indices[k];
      const double slope = gradient.values[k];
      if (curvatures[j] > 0.0)
        promise[static_cast<std::size_t>(groups_.of(j))] += slope * slope / curvatures[j];
    }
    Support ranked;
    for (const Index g : groups_.of_all(gradient.indices))
      if (promise[static_cast<std::size_t>(g)] > 0.0) ranked.push_back(g);
    std::stable_sort(ranked.begin(), ranked.end(), [&](Index a, Index b) {
      return promise[static_cast<std::size_t>(a)] > promise[static_cast<std::size_t>(b)];
    });
    return ranked;
  }

  /// f stands where it was prepared before, and after unless it found something better.
  bool try_among(SparseVector& x, const SparseVector& gradient, const Support& entering,
                 double& value, bool& all_tried) {
    const double least = std::max(least_relative_gain * std::abs(value), 1e-3 * negligible_);
    // Where the model is not f, exchanges that lose a little in the model are tried as well.
    double doubt = f_.is_quadratic() ? 0.0 : leaving_.front().cost.squaredNorm();
    for (const Leaving& one : leaving_) doubt = std::min(doubt, one.cost.squaredNorm());
    const SparseVector prepared = f_.point();
    std::vector<Swap> found;
    for (std::size_t first = 0; first < entering.size(); first += chunk)
      look(gradient,
           {entering.begin() + static_cast<Index>(first),
            entering.begin() + static_cast<Index>(std::min(first + chunk, entering.size()))},
           least - 0.25 * doubt, found);
    std::stable_sort(found.begin(), found.end(),
                     [](const Swap& a, const Swap& b) { return a.gain > b.gain; });
    const std::size_t most = options_.positive ? most_bounded_trials : most_trials;
    all_tried = all_tried && (!options_.positive || found.size() <= most);
    for (std::size_t k = 0; k < std::min(found.size(), most); ++k) {
      Support rest;
      for (const Index j : x.indices)
        if (groups_.of(j) != found[k].leaving) rest.push_back(j);
      SparseVector trial = restricted(x, united(rest, groups_.members(found[k].entering)));
      const double next = minimize_(f_, trial, {tight, value - least}).value;
      if (!(next < value - least)) continue;
      x = std::move(trial);
      value = next;
      return true;
    }
    f_.move_to(prepared);
    return false;
  }

  /// The best exchange for each of some groups, or every one if gains are bounds, if it gains more
  /// than `least`.
  void look(const SparseVector& gradient, const Support& entering, double least,
            std::vector<Swap>& found) {
    const SparseVector slopes = restricted(gradient, groups_.members_of_all(entering));
    const Support inside = f_.point().indices;
    f_.second_derivatives(inside, slopes.indices, cross_);
    followed_ = inverse_.inverse() * cross_;
    for (const Index g : entering) look_at(slopes, g, least, found);
  }

  void look_at(const SparseVector& slopes, Index entering, double least, std::vector<Swap>& found) {
    const Support columns = groups_.members(entering);
    const Index size = static_cast<Index>(columns.size());
    std::vector<Index> places;
    for (const Index j : columns) places.push_back(static_cast<Index>(slopes.position(j)));
    Vector slope(size);
    for (Index k = 0; k < size; ++k) slope[k] = slopes.at(columns[static_cast<std::size_t>(k)]);
    f_.second_derivatives(columns, columns, own_);
    const Matrix cross = columns_of(cross_, places);
    const Matrix followed = columns_of(followed_, places);
    Vector floor = dependent * own_.diagonal();
    for (Index k = 0; k < size; ++k)
      if (!(floor[k] > 0.0)) floor[k] = 1.0;  // a column of zeros
    own_ -= cross.transpose() * followed;
    own_.diagonal() += floor;
    Swap best{-1, entering, least};
    for (const Leaving& one : leaving_) {
      Matrix t(static_cast<Index>(one.places.size()), size);
      for (Index k = 0; k < t.rows(); ++k)
        t.row(k) = followed.row(one.places[static_cast<std::size_t>(k)]);
      one.factor.matrixL().solveInPlace(t);
      const Vector rest = slope - t.transpose() * one.cost;
      const Eigen::LLT<Matrix> factor(own_ + t.transpose() * t);
      if (factor.info() != Eigen::Success) continue;
      const double gain = 0.5 * (rest.dot(factor.solve(rest)) - one.cost.squaredNorm());
      if (!(gain > best.gain)) continue;
      if (options_.positive)
        found.push_back({one.group, entering, gain});
      else
        best = {one.group, entering, gain};
    }
    if (best.leaving >= 0) found.push_back(best);
  }

  static Matrix columns_of(const Matrix& matrix, const std::vector<Index>& places) {
    Matrix out(matrix.rows(), static_cast<Index>(places.size()));
    for (Index k = 0; k < out.cols(); ++k)
      out.col(k) = matrix.col(places[static_cast<std::size_t>(k)]);
    return out;
  }

  /// A column that S explains up to this share is taken to depend on it.
  static constexpr double dependent = 1e-10;

  Objective& f_;
  const Options& options_;
  const Groups& groups_;
  double negligible_;
  bool thorough_;
  Exchanges inverse_;
  ConstrainedMinimizer minimize_;
  std::vector<Leaving> leaving_;
  Matrix cross_, followed_, own_;
};

}  // namespace regiht
