#pragma once

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A partition of the columns into groups that enter and leave together; they need not be adjacent.
///
/// Groups are numbered in the order of their first columns, so that ties broken by group number go
/// to the lowest first column.
class Groups {
 public:
  /// From the group number of every column.
  explicit Groups(std::vector<Index> of) : of_(std::move(of)), starts_(1, 0) {
    for (const Index group : of_) {
      if (group < 0 || group > count())
        throw std::invalid_argument("groups must be numbered in the order of their first columns");
      if (group == count()) starts_.push_back(0);
      ++starts_[static_cast<std::size_t>(group) + 1];
    }
    for (std::size_t g = 1; g < starts_.size(); ++g) starts_[g] += starts_[g - 1];
    columns_.resize(of_.size());
    std::vector<Index> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t j = 0; j < of_.size(); ++j)
      columns_[static_cast<std::size_t>(next[static_cast<std::size_t>(of_[j])]++)] =
          static_cast<Index>(j);
  }

  Index count() const { return static_cast<Index>(starts_.size()) - 1; }

  Index columns() const { return static_cast<Index>(of_.size()); }

  /// The group that a column belongs to.
  Index of(Index column) const { return of_[static_cast<std::size_t>(column)]; }

  Index size_of(Index group) const { return start(group + 1) - start(group); }

  /// The columns of a group.
  Support members(Index group) const {
    return {columns_.begin() + start(group), columns_.begin() + start(group + 1)};
  }

  /// The groups of these columns, in ascending order.
  Support of_all(const Support& columns) const {
    Support groups;
    for (const Index j : columns) groups.push_back(of(j));
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
  }

  /// All columns of these groups.
  Support members_of_all(const Support& groups) const {
    Support columns;
    for (const Index g : groups)
      columns.insert(columns.end(), columns_.begin() + start(g), columns_.begin() + start(g + 1));
    std::sort(columns.begin(), columns.end());
    return columns;
  }

 private:
  Index start(Index group) const { return starts_[static_cast<std::size_t>(group)]; }

  std::vector<Index> of_;
  std::vector<Index> starts_;   // where each group begins in columns_
  std::vector<Index> columns_;  // sorted by group
};

/// out[k] = the sum of squares of x over the group of its k-th listed entry; without groups, x².
inline void group_squares(const Groups* groups, const SparseVector& x, std::vector<double>& out) {
  out.resize(x.values.size());
  for (std::size_t k = 0; k < x.values.size(); ++k) out[k] = x.values[k] * x.values[k];
  if (!groups) return;
  const Support listed = groups->of_all(x.indices);
  std::vector<double> sums(listed.size(), 0.0);
  const auto place = [&](std::size_t k) {
    return static_cast<std::size_t>(
        std::lower_bound(listed.begin(), listed.end(), groups->of(x.indices[k])) - listed.begin());
  };
  for (std::size_t k = 0; k < out.size(); ++k) sums[place(k)] += out[k];
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = sums[place(k)];
}

}}  // namespace regiht::REGIHT_ABI
