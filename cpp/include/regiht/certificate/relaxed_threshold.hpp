#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The convex relaxation of hard thresholding, for lower bounds.
///
/// ½‖x‖² on vectors with at most s nonzeros has the convex envelope
///
///     h(x) = ½ min Σ xⱼ²/zⱼ   over 0 ≤ z ≤ 1, Σz ≤ s, zⱼ = 1 for kept entries
///
/// (half the squared s-support norm). A relaxed step minimises ½‖x − v‖² + λh(x).
class RelaxedThreshold {
 public:
  RelaxedThreshold(Index sparsity, Support kept)
      : free_(static_cast<double>(sparsity) - static_cast<double>(kept.size())),
        kept_(std::move(kept)) {}

  /// Writes the minimiser x and returns h(x). For given z, x = v·z/(z + λ); the best z is θ|v| − λ,
  /// cut to [0, 1], with θ such that Σz = s.
  double apply(const Vector& v, double lambda, Vector& x) {
    const double factor = find_factor(v, lambda);
    double total = 0.0;
    std::size_t k = 0;
    x.resize(v.size());
    for (Index j = 0; j < v.size(); ++j) {
      const bool kept = k < kept_.size() && kept_[k] == j;
      if (kept) ++k;
      const double share = kept ? 1.0 : share_of(std::abs(v[j]), factor, lambda);
      const double shrunk = v[j] / (share + lambda);
      x[j] = share * shrunk;
      total += share * shrunk * shrunk;
    }
    return 0.5 * total;
  }

 private:
  static double share_of(double magnitude, double factor, double lambda) {
    if (magnitude == 0.0) return 0.0;
    return std::clamp(factor * magnitude - lambda, 0.0, 1.0);
  }

  /// θ. An entry's share becomes positive at θ = λ/|v| and reaches one at (1 + λ)/|v|, the largest
  /// first in both. Between two such events the sum of the shares is linear in θ.
  double find_factor(const Vector& v, double lambda) {
    sort_magnitudes(v);
    if (static_cast<double>(sorted_.size()) <= free_)
      return std::numeric_limits<double>::infinity();
    if (free_ <= 0.0) return 0.0;
    std::size_t begun = 0, whole = 0;
    double partial = 0.0;  // Σ|v| of the entries with a share between 0 and 1
    for (;;) {
      const double count = static_cast<double>(begun - whole);
      const double room = free_ - static_cast<double>(whole);
      const double wanted = begun > whole ? (room + lambda * count) / partial
                                          : std::numeric_limits<double>::infinity();
      const double begins = begun < sorted_.size() ? lambda / sorted_[begun]
                                                   : std::numeric_limits<double>::infinity();
      const double fills =
          begun > whole ? (1.0 + lambda) / sorted_[whole] : std::numeric_limits<double>::infinity();
      if (wanted <= std::min(begins, fills)) return wanted;
      if (begins <= fills) {
        if (begun == sorted_.size()) return fills;
        partial += sorted_[begun++];
      } else {
        partial -= sorted_[whole++];
        if (static_cast<double>(whole) >= free_) return fills;
      }
    }
  }

  /// Magnitudes of the entries that are not kept, largest first.
  void sort_magnitudes(const Vector& v) {
    sorted_.clear();
    std::size_t k = 0;
    for (Index j = 0; j < v.size(); ++j) {
      if (k < kept_.size() && kept_[k] == j)
        ++k;
      else if (v[j] != 0.0)
        sorted_.push_back(std::abs(v[j]));
    }
    std::sort(sorted_.begin(), sorted_.end(), std::greater<double>());
  }

  double free_;
  Support kept_;
  std::vector<double> sorted_;
};

}}  // namespace regiht::REGIHT_ABI
