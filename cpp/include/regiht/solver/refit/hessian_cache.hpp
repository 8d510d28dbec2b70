#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/solver/refit/hessian_blocks.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Second derivatives of one f on a support, kept for supports that differ in few entries.
class HessianCache {
 public:
  const Matrix& values() const { return values_; }

  /// Those at the point where f stands; false, and nothing known, if the observer wants no more.
  bool evaluate(Objective& f, const Support& support, Observer& observer = no_observer()) {
    support_.clear();
    if (!evaluate_blocks(f, support, support, values_, observer)) return false;
    support_ = support;
    return true;
  }

  /// Takes what is known, whatever point it belongs to, and evaluates what is missing where f
  /// stands; false, and nothing done, if most is missing or the observer wants no more.
  bool adapt(Objective& f, const Support& support, Observer& observer = no_observer()) {
    if (support == support_) return !support.empty();
    Support missing;
    std::set_difference(support.begin(), support.end(), support_.begin(), support_.end(),
                        std::back_inserter(missing));
    if (2 * missing.size() > support.size()) return false;
    if (!missing.empty() && !evaluate_blocks(f, missing, support, cross_, observer)) return false;
    const Index n = static_cast<Index>(support.size());
    Matrix next(n, n);
    std::vector<Index> old(support.size());  // where it was, or −1 − its place among the missing
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

  /// Takes over what someone else evaluated.
  void remember(const Support& support, const Matrix& values) {
    support_ = support;
    values_ = values;
  }

 private:
  Support support_;
  Matrix values_, cross_;
};

}}  // namespace regiht::REGIHT_ABI
