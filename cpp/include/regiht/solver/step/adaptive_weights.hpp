#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "regiht/options/groups.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The adaptive regularization weights w and their update rule.
///
/// Entries of a group share one weight, which falls by the group's share of Σwx².
class AdaptiveWeights {
 public:
  /// Whether weights at the threshold are rounded to zero like those below.
  enum class Rounding { at_or_below, below };

  AdaptiveWeights(Vector first, double step, double threshold, Rounding rounding,
                  const Groups* groups = nullptr)
      : weights_(std::move(first)),
        step_(step),
        threshold_(threshold),
        rounding_(rounding),
        groups_(groups) {}

  const Vector& values() const { return weights_; }
  double operator[](Index j) const { return weights_[j]; }

  /// Σ w x².
  double weighted_square(const SparseVector& x) const {
    double total = 0.0;
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      total += weights_[x.indices[k]] * x.values[k] * x.values[k];
    return total;
  }

  /// w ← w·(1 − c·w·x²/Σwx²), x² being the sum over the group, small weights rounded to zero;
  /// unchanged when Σwx² is 0, which the paper leaves undefined, or has overflowed. Returns the
  /// largest change of a weight.
  double update(const SparseVector& x) {
    const double total = weighted_square(x);
    if (total == 0.0 || !std::isfinite(total)) return 0.0;
    double largest = 0.0;
    group_squares(groups_, x, squares_);
    for (std::size_t k = 0; k < x.indices.size(); ++k) {
      double& weight = weights_[x.indices[k]];
      const double before = weight;
      weight = before * (1.0 - step_ * before * squares_[k] / total);
      if (rounds(weight)) weight = 0.0;
      largest = std::max(largest, before - weight);
    }
    if (!rounded_everywhere_) largest = std::max(largest, round_everywhere());
    return largest;
  }

 private:
  bool rounds(double weight) const {
    return rounding_ == Rounding::below ? weight < threshold_ : weight <= threshold_;
  }

  /// Weights outside x never change otherwise, but the initial ones may be below the threshold.
  double round_everywhere() {
    rounded_everywhere_ = true;
    double largest = 0.0;
    for (Index j = 0; j < weights_.size(); ++j) {
      if (!rounds(weights_[j])) continue;
      largest = std::max(largest, weights_[j]);
      weights_[j] = 0.0;
    }
    return largest;
  }

  Vector weights_;
  double step_, threshold_;
  Rounding rounding_;
  const Groups* groups_;
  std::vector<double> squares_;
  bool rounded_everywhere_ = false;
};

}}  // namespace regiht::REGIHT_ABI
