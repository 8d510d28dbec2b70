#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/design/facts.hpp"

namespace regiht {

/// Which columns can have a gradient entry of a given magnitude, without evaluating the others.
///
/// Let the whole gradient g₀ be known for the derivative vector r₀ of an earlier point. For the
/// derivative r of the present one, Cauchy–Schwarz gives
///
///     |gⱼ| ≤ |g₀ⱼ| + ‖aⱼ‖·‖r − r₀‖,
///
/// and a column whose right side stays below the magnitude is left out. The numbers we hold are
/// rounded: a computed dot product is off by at most γ‖āⱼ‖‖r‖, where ‖āⱼ‖ bounds the norm of all
/// that is summed in it (Design::column_magnitudes) and γ = (rows + 16)·ε. So the test is
///
///     |ĝ₀ⱼ| + ‖aⱼ‖·d + ‖āⱼ‖·γ(‖r‖ + ‖r₀‖) ≥ magnitude,    d = ‖r − r₀‖(1 + 2γ),
///
/// times 1 + 8ε on the left for the rounding of the test itself: every entry whose computed value
/// reaches the magnitude is found, whatever the round-off.
class Screening {
 public:
  /// Whether single columns are cheaper to read than the whole matrix, and that is not small.
  static bool pays(const Design& design) {
    constexpr double small = 10'000;  // multiply-adds, about as many as a selection costs
    return design.full_cost() > small && design.column_cost(0) < design.full_cost();
  }

  explicit Screening(const Design& design, std::shared_ptr<const ColumnNorms> norms = nullptr)
      : design_(design),
        columns_(norms ? std::move(norms) : std::make_shared<const ColumnNorms>(design)),
        roundoff_(static_cast<double>(design.rows() + 16) * std::numeric_limits<double>::epsilon()),
        largest_norm_(columns_->norms.maxCoeff()),
        largest_magnitude_(columns_->magnitudes.maxCoeff()) {}

  /// γ of the bound above.
  double roundoff() const { return roundoff_; }

  /// ‖āⱼ‖ of the bound above.
  double magnitude(Index column) const { return columns_->magnitudes[column]; }

  /// From now on bounds are measured from a point with this gradient, whose derivative vector has
  /// this norm.
  void take_reference(ConstVectorView gradient, double derivative_norm) {
    reference_gradient_ = gradient.cwiseAbs();
    reference_size_ = derivative_norm;
    cost_since_reference_ = 0.0;
    sort_largest();
  }

  /// Fills `columns` with some that had large entries at the reference and are not inside.
  void likely_largest(Index count, const Support& inside, Support& columns) const {
    columns.clear();
    for (const Index j : sorted_) {
      if (static_cast<Index>(columns.size()) >= count) break;
      if (!std::binary_search(inside.begin(), inside.end(), j)) columns.push_back(j);
    }
    std::sort(columns.begin(), columns.end());
  }

  /// Fills `candidates` with all columns outside `inside` whose entry can reach the magnitude when
  /// the derivative vector has moved by `distance`, or answers false when evaluating the full
  /// gradient is the better choice.
  bool select(double magnitude, double distance, const Support& inside, Support& candidates) {
    candidates.clear();
    if (reference_gradient_.size() == 0 || !(magnitude > 0.0)) return false;
    if (cost_since_reference_ > design_.full_cost()) return false;
    distance = distance * (1.0 + 2.0 * roundoff_) + underflow_norm(design_.rows());
    const double rounding = roundoff_ * (distance + 2.0 * reference_size_);  // ‖r‖ ≤ ‖r₀‖ + d
    if (!std::isfinite(distance + rounding)) return false;
    collect(magnitude * (1.0 - 8.0 * std::numeric_limits<double>::epsilon()), distance, rounding,
            candidates);
    return settle(inside, candidates);
  }

 private:
  void collect(double magnitude, double distance, double rounding, Support& candidates) const {
    const auto reaches = [&](Index j) {
      return reference_gradient_[j] + columns_->norms[j] * distance +
                 columns_->magnitudes[j] * rounding >=
             magnitude;
    };
    const double slack = largest_norm_ * distance + largest_magnitude_ * rounding;
    if (least_sorted_ + slack < magnitude) {
      for (const Index j : sorted_) {
        if (reference_gradient_[j] + slack < magnitude) break;
        if (reaches(j)) candidates.push_back(j);
      }
      std::sort(candidates.begin(), candidates.end());
    } else {
      for (Index j = 0; j < columns_->norms.size(); ++j)
        if (reaches(j)) candidates.push_back(j);
    }
  }

  /// Takes out what is inside; false if the rest costs too much.
  bool settle(const Support& inside, Support& candidates) {
    candidates.erase(std::set_difference(candidates.begin(), candidates.end(), inside.begin(),
                                         inside.end(), candidates.begin()),
                     candidates.end());
    double cost = 0.0;
    for (const Index j : candidates) cost += design_.column_cost(j);
    if (cost > 0.5 * design_.full_cost()) return false;
    cost_since_reference_ += cost;
    return true;
  }

  /// Sorts the largest entries of the reference gradient, which is where candidates come from.
  void sort_largest() {
    const Index cols = reference_gradient_.size();
    const Index count = std::min(cols, std::max<Index>(64, cols / 32));
    sorted_.resize(static_cast<std::size_t>(cols));
    std::iota(sorted_.begin(), sorted_.end(), Index{0});
    const auto larger = [&](Index a, Index b) {
      return reference_gradient_[a] > reference_gradient_[b];
    };
    if (count < cols)
      std::nth_element(sorted_.begin(), sorted_.begin() + count - 1, sorted_.end(), larger);
    sorted_.resize(static_cast<std::size_t>(count));
    std::sort(sorted_.begin(), sorted_.end(), larger);
    least_sorted_ = count < cols ? reference_gradient_[sorted_.back()] : -1.0;
  }

  const Design& design_;
  std::shared_ptr<const ColumnNorms> columns_;
  double roundoff_;
  double largest_norm_, largest_magnitude_;

  Vector reference_gradient_;  // magnitudes
  double reference_size_ = 0.0;
  double cost_since_reference_ = 0.0;
  Support sorted_;
  double least_sorted_ = 0.0;  // no entry outside sorted_ is larger
};

}  // namespace regiht
