#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/solver/refit/hessian_blocks.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Second derivatives of one f on a support, reused for supports that differ in few entries.
class HessianCache {
 public:
  const Matrix& values() const { return values_; }

  /// Evaluates them where f is; false, and then empty, if the observer interrupts.
  bool evaluate(Objective& f, const Support& support, Observer& observer = no_observer()) {
    support_.clear();
    if (!evaluate_blocks(f, support, support, values_, observer)) return false;
    support_ = support;
    return true;
  }

  /// Reuses known values, whatever point they belong to, and evaluates missing ones at the current
  /// point of f; false, with no change, if most are missing or the observer interrupts.
  bool adapt(Objective& f, const Support& support, Observer& observer = no_observer()) {
    if (support == support_) return !support.empty();
    Support missing;
    std::set_difference(support.begin(), support.end(), support_.begin(), support_.end(),
                        std::back_inserter(missing));
    if (2 * missing.size() > support.size()) return false;
    if (!missing.empty() && !evaluate_blocks(f, missing, support, cross_, observer)) return false;
    const Index n = static_cast<Index>(support.size());
    Matrix next(n, n);
    std::vector<Index> old(support.size());  // its old position, or −1 − that in `missing`
    for (std::size_t k = 0, m = 0; k < support.size(); ++k) {
      const bool is_missing = m < missing.size() && missing[m] == support[k];
      old[k] = is_missing ? -1 - static_cast<Index>(m++)
                          : std::lower_bound(support_.begin(), support_.end(), support[k]) -
                                support_.begin();
    }
    for (Index l = 0; l < n; ++l)
      for (Index k = 0; k < n; ++k) {
        const Index from = old[static_cast<std::size_t>(k)], to = old[static_cast<std::size_t>(l)];
        next(k, l) = from < 0 ? cross_(-1 - from, l)
                     : to < 0 ? cross_(-1 - to, k)
                              : values_(from, to);
      }
    values_ = std::move(next);
    support_ = support;
    return true;
  }

  /// Stores values evaluated elsewhere.
  void remember(const Support& support, const Matrix& values) {
    support_ = support;
    values_ = values;
  }

 private:
  Support support_;
  Matrix values_, cross_;
};

}}  // namespace regiht::REGIHT_ABI
