#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "regiht/projection/projection.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Hard thresholding H_s: keeps the s largest magnitudes, the lowest index first among equals.
///
/// Entries of `kept` always stay and count towards s; other entries that are zero are dropped. With
/// `positive`, entries below zero count as zero.
class LargestEntries final : public Projection {
 public:
  LargestEntries(Index sparsity, Support kept, bool positive = false)
      : free_(static_cast<std::size_t>(sparsity) - kept.size()),
        kept_(std::move(kept)),
        positive_(positive) {}

  bool describe_contest(const SparseVector& x, EntryQuery& query) const override {
    if (positive_) return false;  // an entry of the wrong sign takes no slot
    query.slots = static_cast<Index>(free_);
    query.incumbents.clear();
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      if (!is_kept(x.indices[k])) query.incumbents.push_back(std::abs(x.values[k]));
    return true;
  }

  /// With `positive` it still bounds magnitudes; entries below zero are found needlessly.
  double entry_magnitude(const SparseVector& x) const override {
    if (free_ == 0) return std::numeric_limits<double>::infinity();
    std::size_t competitors = 0;
    double least = 0.0;
    for (std::size_t k = 0; k < x.indices.size(); ++k) {
      const double magnitude = std::abs(allowed(x.values[k]));
      if (magnitude == 0.0 || is_kept(x.indices[k])) continue;
      if (competitors++ == 0 || magnitude < least) least = magnitude;
    }
    return competitors < free_ ? 0.0 : least;
  }

  /// x ← H_s(x), in time linear in the entries that x lists.
  void apply(SparseVector& x) override {
    const auto counts = [this](double value) { return allowed(value) != 0.0; };
    if (kept_.empty() && x.values.size() <= free_ &&
        std::all_of(x.values.begin(), x.values.end(), counts))
      return;
    ranked_.clear();
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      if (counts(x.values[k]) && !is_kept(x.indices[k]))
        ranked_.push_back({magnitude_of(x.values[k]), x.indices[k], x.values[k]});
    if (ranked_.size() > free_) {
      const auto boundary = ranked_.begin() + static_cast<std::ptrdiff_t>(free_);
      std::nth_element(ranked_.begin(), boundary, ranked_.end(), comes_first);
      ranked_.resize(free_);
    }
    for (const Index j : kept_) ranked_.push_back({0.0, j, allowed(x.at(j))});
    std::sort(ranked_.begin(), ranked_.end(),
              [](const Entry& a, const Entry& b) { return a.index < b.index; });
    x.clear();
    for (const Entry& entry : ranked_) x.append(entry.index, entry.value);
  }

 private:
  struct Entry {
    double magnitude;
    Index index;
    double value;
  };

  /// A NaN counts as infinite, so that the order is total and the NaN reaches the solver.
  static double magnitude_of(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
  }

  /// The comparison lets a NaN pass.
  double allowed(double value) const { return positive_ && value < 0.0 ? 0.0 : value; }

  static bool comes_first(const Entry& a, const Entry& b) {
    return a.magnitude > b.magnitude || (a.magnitude == b.magnitude && a.index < b.index);
  }

  bool is_kept(Index j) const {
    return !kept_.empty() && std::binary_search(kept_.begin(), kept_.end(), j);
  }

  std::size_t free_;  // slots left beside the kept entries
  Support kept_;
  bool positive_;
  std::vector<Entry> ranked_;
};

/// The s largest entries of a full vector.
inline SparseVector hard_threshold(ConstVectorView x, Index sparsity, Support kept = {}) {
  SparseVector listed;
  for (Index j = 0; j < x.size(); ++j) listed.append(j, x[j]);
  LargestEntries(sparsity, std::move(kept)).apply(listed);
  return listed;
}

}}  // namespace regiht::REGIHT_ABI
