#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "regiht/options/options.hpp"
#include "regiht/solver/search/swap_model.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Predicts the gains of single-group swaps: SwapModel for groups.
///
/// Let P be the inverse of the second derivatives H on the support S at its minimum x. Removing a
/// group I of S, with P_II = LLᵀ, costs ½‖ℓ‖² with ℓ = L⁻¹x_I. For a group J outside let
/// F = P H_SJ, σ = H_JJ − H_JS F and T = L⁻¹F_I. Swapping I for J lowers f by ½rᵀ(σ + TᵀT)⁻¹r with
/// r = g_J − Tᵀℓ. For squared loss the model is exact. If entries must be positive, and none of S
/// is zero, the gain is an upper bound.
class GroupSwapModel {
 public:
  explicit GroupSwapModel(const Options& options) : options_(options), groups_(*options.groups) {}

  /// As in SwapModel.
  bool prepare(Objective& f, Observer& observer = no_observer()) {
    if (!inverse_.prepare(f, options_.keep, observer)) return false;
    const SparseVector& x = f.point();
    inside_ = x.indices;
    const Support kept = groups_.of_all(options_.keep);
    leaving_.clear();
    for (const Index g : groups_.of_all(inside_))
      if (!std::binary_search(kept.begin(), kept.end(), g)) leaving_.push_back(take_out(x, g));
    return true;
  }

  double roundoff(double value) const { return inverse_.roundoff(value); }

  /// How many groups may leave.
  std::size_t count() const { return leaving_.size(); }

  /// The least cost of removing a group.
  double least_cost() const {
    double least = std::numeric_limits<double>::infinity();
    for (const Leaving& one : leaving_) least = std::min(least, 0.5 * one.cost.squaredNorm());
    return least;
  }

  /// Appends to `found` the best swap for each entering group if it gains more than `least`; all
  /// swaps that may, if gains are bounds. Swaps refer to group numbers.
  void look(Objective& f, const SparseVector& gradient, const Support& entering, double least,
            std::vector<Swap>& found) {
    const SparseVector slopes = restricted(gradient, groups_.members_of_all(entering));
    f.second_derivatives(inside_, slopes.indices, cross_);
    followed_ = inverse_.inverse() * cross_;
    for (const Index g : entering) look_at(f, slopes, g, least, found);
  }

 private:
  /// A group that may leave: its positions in x, L and ℓ.
  struct Leaving {
    Index group;
    std::vector<Index> slots;
    Eigen::LLT<Matrix> factor;
    Vector cost;
  };

  Leaving take_out(const SparseVector& x, Index group) const {
    Leaving one{group, {}, {}, {}};
    for (const Index j : groups_.members(group))
      if (x.lists(j)) one.slots.push_back(static_cast<Index>(x.position(j)));
    one.cost.resize(static_cast<Index>(one.slots.size()));
    for (std::size_t k = 0; k < one.slots.size(); ++k)
      one.cost[static_cast<Index>(k)] = x.values[static_cast<std::size_t>(one.slots[k])];
    one.factor.compute(inverse_.inverse()(one.slots, one.slots));
    one.factor.matrixL().solveInPlace(one.cost);
    return one;
  }

  void look_at(Objective& f, const SparseVector& slopes, Index entering, double least,
               std::vector<Swap>& found) {
    const Support columns = groups_.members(entering);
    const Index size = static_cast<Index>(columns.size());
    Matrix cross(cross_.rows(), size), followed(cross_.rows(), size);
    Vector slope(size);
    for (Index k = 0; k < size; ++k) {
      const std::size_t at = slopes.position(columns[static_cast<std::size_t>(k)]);
      cross.col(k) = cross_.col(static_cast<Index>(at));
      followed.col(k) = followed_.col(static_cast<Index>(at));
      slope[k] = slopes.values[at];
    }
    f.second_derivatives(columns, columns, own_);
    Vector floor = dependent * own_.diagonal();
    for (Index k = 0; k < size; ++k)
      if (!(floor[k] > 0.0)) floor[k] = 1.0;  // a column of zeros
    own_ -= cross.transpose() * followed;
    own_.diagonal() += floor;
    Swap best{-1, entering, least};
    for (const Leaving& one : leaving_) {
      const double gain = gain_of(one, followed, slope);
      if (!(gain > best.gain)) continue;
      if (options_.positive)
        found.push_back({one.group, entering, gain});
      else
        best = {one.group, entering, gain};
    }
    if (best.leaving >= 0) found.push_back(best);
  }

  /// The gain of swapping `one` for the group with these F and g and σ = own_.
  double gain_of(const Leaving& one, const Matrix& followed, const Vector& slope) const {
    Matrix t(static_cast<Index>(one.slots.size()), slope.size());
    for (Index k = 0; k < t.rows(); ++k)
      t.row(k) = followed.row(one.slots[static_cast<std::size_t>(k)]);
    one.factor.matrixL().solveInPlace(t);
    const Vector rest = slope - t.transpose() * one.cost;
    const Eigen::LLT<Matrix> factor(own_ + t.transpose() * t);
    if (factor.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
    return 0.5 * (rest.dot(factor.solve(rest)) - one.cost.squaredNorm());
  }

  /// A column that S explains up to this share counts as dependent on it.
  static constexpr double dependent = 1e-10;

  const Options& options_;
  const Groups& groups_;
  SwapModel inverse_;
  Support inside_;
  std::vector<Leaving> leaving_;
  Matrix cross_, followed_, own_;  // H_SJ and F of several groups, σ of one
};

}}  // namespace regiht::REGIHT_ABI
