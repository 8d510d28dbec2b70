#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "regiht/objective.hpp"
#include "regiht/screening/bound.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A search for entries of at least a magnitude that can win a slot of a query, in columns that are
/// not inside.
struct EntrySearch {
  double magnitude;
  const EntryQuery& query;
  const Support& inside;
};

/// The columns that can matter according to the reference gradients.
class CandidateColumns {
 public:
  explicit CandidateColumns(const ReferenceGradients& gradients)
      : gradients_(gradients), found_(static_cast<std::size_t>(gradients.cols())) {}

  /// Finds all columns that can reach the magnitude of the bound, giving up beyond `limit`; some
  /// may be inside.
  void list(const ColumnBound& bound, Index limit) {
    limit_ = limit;
    count_ = gradients_.list(bound, limit, found_.data());
  }

  /// The same from a sorted list of the largest entries, which pays when a reference is used often;
  /// false if the list may be too short.
  bool list_from_sorted(const ColumnBound& bound, Index limit) {
    if (bound.older != 0.0) return false;
    sort_largest();
    const double slack = gradients_.largest_margin(bound);
    if (!(least_sorted_ + slack < bound.magnitude)) return false;
    limit_ = limit;
    count_ = 0;
    const EntryBounds entries = gradients_.under(bound);
    for (const Index j : sorted_) {
      const double entry = std::abs(entries.newer[j]);
      if (entry + slack < bound.magnitude) break;
      if (!(entry + entries.margin(j) < bound.magnitude))
        found_[static_cast<std::size_t>(count_++)] = j;
    }
    std::sort(found_.begin(), found_.begin() + count_);
    return true;
  }

  /// Drops columns that surely win no slot.
  void narrow(ColumnBound bound, const EntrySearch& search) {
    constexpr Index few = 16;
    for (int round = 0; round < 2; ++round) {  // the first may have seen only some columns
      if (count_ <= few) return;
      const double sure = lowered(reached_for_sure(bound, search));
      if (!(sure > bound.magnitude)) return;
      bound.magnitude = sure;
      if (is_complete()) {
        keep_reaching(bound);
        return;
      }
      list(bound, limit_);
    }
  }

  /// Whether all were listed; false beyond the limit.
  bool is_complete() const { return count_ <= limit_; }

  Index count() const { return count_; }
  Index column(Index k) const { return found_[static_cast<std::size_t>(k)]; }

  /// Fills `columns` with some outside that have large entries at the newest reference.
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
  /// A magnitude surely reached by as many as there are slots among the incumbents and the columns
  /// found outside; zero if there are fewer.
  double reached_for_sure(const ColumnBound& bound, const EntrySearch& search) {
    sure_.clear();
    for (const double incumbent : search.query.incumbents)
      if (incumbent > bound.magnitude) sure_.push_back(incumbent);
    const EntryBounds entries = gradients_.under(bound);
    const Support& inside = search.inside;
    auto next = inside.begin();
    for (Index k = 0; k < count_; ++k) {
      const Index j = found_[static_cast<std::size_t>(k)];
      while (next != inside.end() && *next < j) ++next;
      if (next != inside.end() && *next == j) continue;
      const double least = entries.at_least(j);
      if (least > bound.magnitude) sure_.push_back(least);
    }
    const Index slots = search.query.slots;
    if (static_cast<Index>(sure_.size()) < slots || slots < 1) return 0.0;
    std::nth_element(sure_.begin(), sure_.begin() + (slots - 1), sure_.end(),
                     std::greater<double>());
    return sure_[static_cast<std::size_t>(slots - 1)];
  }

  /// Drops columns of found_ that cannot reach the magnitude of the bound.
  void keep_reaching(const ColumnBound& bound) {
    const EntryBounds entries = gradients_.under(bound);
    const auto cannot = [=](Index j) {
      return entries.predicted(j) + entries.margin(j) < entries.bound.magnitude;
    };
    const auto end = found_.begin() + count_;
    count_ = std::remove_if(found_.begin(), end, cannot) - found_.begin();
  }

  /// Sorts the largest entries of the newest gradient, where candidates come from.
  void sort_largest() {
    if (sorted_reference_ == gradients_.taken()) return;
    sorted_reference_ = gradients_.taken();
    const Vector& gradient = gradients_.newest();
    const Index cols = gradient.size();
    const Index count = std::min(cols, std::max<Index>(64, cols / 32));
    sorted_.resize(static_cast<std::size_t>(cols));
    std::iota(sorted_.begin(), sorted_.end(), Index{0});
    const auto larger = [&](Index a, Index b) {
      return std::abs(gradient[a]) > std::abs(gradient[b]);
    };
    if (count < cols)
      std::nth_element(sorted_.begin(), sorted_.begin() + count - 1, sorted_.end(), larger);
    sorted_.resize(static_cast<std::size_t>(count));
    std::sort(sorted_.begin(), sorted_.end(), larger);
    least_sorted_ = count < cols ? std::abs(gradient[sorted_.back()]) : -1.0;
  }

  const ReferenceGradients& gradients_;

  Support found_;  // room for all columns; the first count_ are valid
  Index count_ = 0;
  Index limit_ = 0;
  std::vector<double> sure_;

  Support sorted_;
  Index sorted_reference_ = 0;  // the reference they are from
  double least_sorted_ = 0.0;   // no entry outside sorted_ is larger
};

}}  // namespace regiht::REGIHT_ABI
