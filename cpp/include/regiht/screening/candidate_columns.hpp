#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "regiht/model/design_cache.hpp"
#include "regiht/objective.hpp"
#include "regiht/screening/bound.hpp"

namespace regiht {

/// The gradients of the two last references, and the columns that can matter by them.
class CandidateColumns {
 public:
  explicit CandidateColumns(std::shared_ptr<const ColumnNorms> columns)
      : columns_(std::move(columns)),
        largest_norm_(columns_->norms.maxCoeff()),
        largest_magnitude_(columns_->roundoff_norms.maxCoeff()) {}

  bool has_gradient() const { return gradient_.size() != 0; }

  /// The gradient of a new reference; what was the newer one becomes the older.
  void take(ConstVectorView gradient) {
    older_gradient_.swap(gradient_);
    gradient_ = gradient;
    if (older_gradient_.size() == 0) older_gradient_ = gradient_;
    begin_reference();
  }

  /// The same for the gradient rest + newer·g₀ + older·g₁.
  void take_combination(const Vector& rest, double newer, double older) {
    older_gradient_ = rest + newer * gradient_ + older * older_gradient_;
    older_gradient_.swap(gradient_);
    begin_reference();
  }

  /// More columns than `most` are not worth listing.
  void begin_selection(Index most) {
    ++selections_;
    most_ = most;
  }

  /// Finds all columns that can win a place; some may be inside.
  void collect(ColumnBound bound, const EntryQuery& query, const Support& inside) {
    collect_reaching(bound);
    if (is_complete()) {
      narrow(bound, query, inside);
    } else if (narrowed_in_vain_ < patience || narrowed_in_vain_ % retry == 0) {
      narrow(bound, query, inside);
      narrowed_in_vain_ = is_complete() ? 0 : narrowed_in_vain_ + 1;
    } else {
      ++narrowed_in_vain_;
    }
  }

  /// Whether they are listed; there may be more than is worth it.
  bool is_complete() const { return found_count_ <= most_; }
  Index count() const { return found_count_; }
  Index column(Index k) const { return found_[static_cast<std::size_t>(k)]; }

  /// Fills `columns` with some that had large entries at the reference and are not inside.
  void likely_largest(Index count, const Support& inside, Support& columns) {
    sort_largest();
    columns.clear();
    for (const Index j : sorted_) {
      if (static_cast<Index>(columns.size()) >= count) break;
      if (!std::binary_search(inside.begin(), inside.end(), j)) columns.push_back(j);
    }
    std::sort(columns.begin(), columns.end());
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();
  static constexpr int selections_worth_sorting = 8;
  static constexpr Index cols_worth_sorting = 2048;
  // Where there were too many to list, and narrowing has not helped so often, it is tried once in a
  // while only.
  static constexpr Index patience = 16, retry = 16;

  void begin_reference() {
    selections_ = 0;
    is_sorted_ = false;
  }

  /// Leaves out columns that lose against others whatever the distance and the rounding have done.
  void narrow(ColumnBound bound, const EntryQuery& query, const Support& inside) {
    constexpr Index few = 16;
    for (int round = 0; round < 2; ++round) {  // the first may have seen some of the columns only
      if (found_count_ <= few) return;
      const double sure = reached_for_sure(bound, query, inside) * (1.0 - 8.0 * epsilon);
      if (!(sure > bound.magnitude)) return;
      bound.magnitude = sure;
      if (is_complete()) {
        keep_reaching(bound);
        return;
      }
      collect_reaching(bound);
    }
  }

  /// A magnitude that as many as there are slots, of the columns found and not inside and of their
  /// incumbents, reach whatever the distance and the rounding have done; zero if they are fewer.
  double reached_for_sure(const ColumnBound& bound, const EntryQuery& query,
                          const Support& inside) {
    sure_.clear();
    for (const double incumbent : query.incumbents)
      if (incumbent > bound.magnitude) sure_.push_back(incumbent);
    auto next = inside.begin();
    for (Index k = 0; k < found_count_; ++k) {
      const Index j = found_[static_cast<std::size_t>(k)];
      while (next != inside.end() && *next < j) ++next;
      if (next != inside.end() && *next == j) continue;
      const double least =
          predicted(bound, j) * (1.0 - 8.0 * epsilon) - margin(bound, j) * (1.0 + 8.0 * epsilon);
      if (least > bound.magnitude) sure_.push_back(least);
    }
    const Index slots = query.slots;
    if (static_cast<Index>(sure_.size()) < slots || slots < 1) return 0.0;
    std::nth_element(sure_.begin(), sure_.begin() + (slots - 1), sure_.end(),
                     std::greater<double>());
    return sure_[static_cast<std::size_t>(slots - 1)];
  }

  double predicted(const ColumnBound& bound, Index j) const {
    return std::abs(bound.newer * gradient_[j] + bound.older * older_gradient_[j]);
  }

  double margin(const ColumnBound& bound, Index j) const {
    return columns_->norms[j] * bound.distance + columns_->roundoff_norms[j] * bound.rounding;
  }

  /// Drops those of found_ that cannot reach a larger magnitude.
  void keep_reaching(const ColumnBound& bound) {
    const auto cannot = [&](Index j) {
      return predicted(bound, j) + margin(bound, j) < bound.magnitude;
    };
    const auto end = found_.begin() + found_count_;
    found_count_ = std::remove_if(found_.begin(), end, cannot) - found_.begin();
  }

  /// Fills found_ with all columns that can reach the magnitude.
  void collect_reaching(const ColumnBound& bound) {
    if (bound.older == 0.0 && collect_from_sorted(bound)) return;
    found_.resize(static_cast<std::size_t>(gradient_.size()));
    found_count_ = list_reaching(bound, gradient_.size(), gradient_.data(), older_gradient_.data(),
                                 columns_->norms.data(), columns_->roundoff_norms.data(), most_,
                                 found_.data());
  }

  /// When a reference is used often, candidates come from the top of a list; false if they may
  /// stand below its end.
  bool collect_from_sorted(const ColumnBound& bound) {
    if (selections_ < selections_worth_sorting || gradient_.size() < cols_worth_sorting)
      return false;
    sort_largest();
    const double slack = largest_norm_ * bound.distance + largest_magnitude_ * bound.rounding;
    if (!(least_sorted_ + slack < bound.magnitude)) return false;
    found_count_ = 0;
    for (const Index j : sorted_) {
      const double entry = std::abs(gradient_[j]);
      if (entry + slack < bound.magnitude) break;
      if (!(entry + margin(bound, j) < bound.magnitude))
        found_[static_cast<std::size_t>(found_count_++)] = j;
    }
    std::sort(found_.begin(), found_.begin() + found_count_);
    return true;
  }

  /// Sorts the largest entries of the reference gradient, which is where candidates come from.
  void sort_largest() {
    if (is_sorted_) return;
    is_sorted_ = true;
    const Index cols = gradient_.size();
    const Index count = std::min(cols, std::max<Index>(64, cols / 32));
    sorted_.resize(static_cast<std::size_t>(cols));
    std::iota(sorted_.begin(), sorted_.end(), Index{0});
    const auto larger = [&](Index a, Index b) {
      return std::abs(gradient_[a]) > std::abs(gradient_[b]);
    };
    if (count < cols)
      std::nth_element(sorted_.begin(), sorted_.begin() + count - 1, sorted_.end(), larger);
    sorted_.resize(static_cast<std::size_t>(count));
    std::sort(sorted_.begin(), sorted_.end(), larger);
    least_sorted_ = count < cols ? std::abs(gradient_[sorted_.back()]) : -1.0;
  }

  std::shared_ptr<const ColumnNorms> columns_;
  double largest_norm_, largest_magnitude_;
  Vector gradient_, older_gradient_;
  int selections_ = 0;  // with this reference

  Support found_;  // as long as there are columns; the first found_count_ count
  Index found_count_ = 0;
  Index most_ = 0;
  Index narrowed_in_vain_ = 0;
  std::vector<double> sure_;

  bool is_sorted_ = false;
  Support sorted_;
  double least_sorted_ = 0.0;  // no entry outside sorted_ is larger
};

}  // namespace regiht
