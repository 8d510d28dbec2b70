#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "regiht/options/groups.hpp"
#include "regiht/projection/projection.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Hard thresholding by groups: keeps the s groups with the largest Euclidean norms; ties go to the
/// lowest first column.
///
/// A group that stays is listed in full, zeros included. Groups of `kept` columns always stay and
/// count towards s; other groups that are zero are dropped. With `positive`, entries below zero
/// count as zero.
class LargestGroups final : public Projection {
 public:
  LargestGroups(Index sparsity, const Support& kept, bool positive,
                std::shared_ptr<const Groups> groups)
      : groups_(std::move(groups)),
        kept_(groups_->of_all(kept)),
        free_(static_cast<std::size_t>(sparsity) - kept_.size()),
        positive_(positive) {}

  /// A group of many small entries can win, so no single entry can be left out.
  double entry_magnitude(const SparseVector&) const override {
    return free_ == 0 ? std::numeric_limits<double>::infinity() : 0.0;
  }

  /// x ← H_s(x), in time linear in the listed entries and the groups.
  void apply(SparseVector& x) override {
    if (positive_)
      for (double& value : x.values)
        if (value < 0.0) value = 0.0;
    measure(x);
    ranked_.clear();
    for (Index g = 0; g < groups_->count(); ++g)
      if (norms_[static_cast<std::size_t>(g)] != 0.0 && !is_kept(g)) ranked_.push_back(g);
    if (ranked_.size() > free_) {
      const auto boundary = ranked_.begin() + static_cast<std::ptrdiff_t>(free_);
      std::nth_element(ranked_.begin(), boundary, ranked_.end(), [&](Index a, Index b) {
        const double first = norms_[static_cast<std::size_t>(a)];
        const double second = norms_[static_cast<std::size_t>(b)];
        return first > second || (first == second && a < b);
      });
      ranked_.resize(free_);
    }
    ranked_.insert(ranked_.end(), kept_.begin(), kept_.end());
    x = restricted(x, groups_->members_of_all(ranked_));
  }

 private:
  bool is_kept(Index group) const { return std::binary_search(kept_.begin(), kept_.end(), group); }

  /// Computes the norm of every group. That of a single column is its exact magnitude, and a NaN
  /// counts as infinite, as without groups.
  void measure(const SparseVector& x) {
    norms_.assign(static_cast<std::size_t>(groups_->count()), 0.0);
    for (std::size_t k = 0; k < x.indices.size(); ++k) {
      const Index g = groups_->of(x.indices[k]);
      const double value = x.values[k];
      norms_[static_cast<std::size_t>(g)] +=
          groups_->size_of(g) == 1 ? std::abs(value) : value * value;
    }
    for (Index g = 0; g < groups_->count(); ++g) {
      double& norm = norms_[static_cast<std::size_t>(g)];
      if (groups_->size_of(g) > 1) norm = std::sqrt(norm);
      if (std::isnan(norm)) norm = std::numeric_limits<double>::infinity();
    }
  }

  std::shared_ptr<const Groups> groups_;
  Support kept_;  // groups
  std::size_t free_;
  bool positive_;
  std::vector<double> norms_;
  Support ranked_;
};

}}  // namespace regiht::REGIHT_ABI
