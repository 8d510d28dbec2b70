#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/model/design_cache.hpp"
#include "regiht/objective.hpp"
#include "regiht/screening/candidate_columns.hpp"
#include "regiht/screening/references.hpp"

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
/// that is summed in it (Design::column_roundoff_norms) and γ = (rows + 16)·ε. So the test is
///
///     |ĝ₀ⱼ| + ‖aⱼ‖·d + ‖āⱼ‖·γ(‖r‖ + ‖r₀‖) ≥ magnitude,    d = ‖r − r₀‖(1 + 2γ),
///
/// times 1 + 8ε on the left for the rounding of the test itself: every entry whose computed value
/// reaches the magnitude is found, whatever the round-off.
///
/// Where that leaves many columns, r is compared with a combination αr₀ + βr₁ of the two last
/// references, whose gradient αg₀ + βg₁ is known as well:
///
///     |αĝ₀ⱼ + βĝ₁ⱼ| + ‖aⱼ‖·d + ‖āⱼ‖·2γ(‖r‖ + |α|‖r₀‖ + |β|‖r₁‖) ≥ magnitude,
///
/// with d = ‖r − αr₀ − βr₁‖(1 + 2γ); the second γ is for the sum αĝ₀ⱼ + βĝ₁ⱼ.
///
/// A reference may be quantized: products with a quantized matrix, see OffSupportGradient. What its
/// entries may be off by, in units of ‖aⱼ‖ and of ‖āⱼ‖, is then added to d and to the rounding.
class Screen {
 public:
  /// Whether single columns are cheaper to read than the whole matrix, and that is not small.
  static bool pays(const Design& design) {
    constexpr double small = 10'000;  // multiply-adds, about as many as a selection costs
    return design.full_cost() > small && design.column_cost(0) < design.full_cost();
  }

  explicit Screen(const Design& design, std::shared_ptr<const ColumnNorms> norms = nullptr)
      : design_(design),
        columns_(norms ? std::move(norms) : std::make_shared<const ColumnNorms>(design)),
        roundoff_(static_cast<double>(design.rows() + 16) * epsilon),
        candidates_found_(columns_) {}

  /// γ of the bound above.
  double roundoff() const { return roundoff_; }

  /// ‖āⱼ‖ of the bound above.
  double magnitude(Index column) const { return columns_->roundoff_norms[column]; }

  /// Whether a full gradient is to be a reference. When several selections in a row have spared
  /// nothing, only some are: where supports keep changing, trying must not cost more than a small
  /// part of what the gradients cost. Two in a row are: a run that goes back and forth comes back
  /// to the one before last.
  bool wants_reference() {
    constexpr int patience = 6, row = 2;
    constexpr double allowance = 0.03;
    const int round = static_cast<int>(row * trying_ / (allowance * design_.full_cost()));
    return fruitless_ < patience || passed_over_++ % std::max(round, row) < row;
  }

  /// From now on bounds are measured from a point with this gradient, whose derivative vector has
  /// this norm, and from the one before.
  void take_reference(ConstVectorView gradient, double derivative_norm) {
    candidates_found_.take(gradient);
    begin_reference(derivative_norm, {0.0, roundoff_ * derivative_norm});
  }

  /// The same for a point of which the products with r − newer·r₀ − older·r₁ are known, but for
  /// `slack` times ‖aⱼ‖.
  void take_quantized_reference(const Vector& products, const Prediction& known, double slack,
                                double derivative_norm) {
    const Error error = combined(known);
    candidates_found_.take_combination(products, known.newer, known.older);
    begin_reference(derivative_norm,
                    {enlarged(slack) + error.slack, error.rounding + 4.0 * roundoff_ * known.size});
  }

  /// What a combination of the references may be off by, in units of ‖aⱼ‖.
  double slack(const Prediction& known) const { return combined(known).slack; }

  /// Whether the last selection suffered from a quantized reference more than from the distance.
  bool wants_exact_reference() const { return error_.slack > last_distance_; }

  /// The largest ‖aⱼ − âⱼ‖/‖aⱼ‖ of a quantized matrix.
  double relative_error(const QuantizedMatrix& quantized) const {
    return quantized.columns().errors.cwiseQuotient(columns_->norms).maxCoeff() *
           (1.0 + 2.0 * roundoff_);
  }

  /// Fills `columns` with some that had large entries at the reference and are not inside.
  void likely_largest(Index count, const Support& inside, Support& columns) {
    candidates_found_.likely_largest(count, inside, columns);
  }

  /// Fills `candidates` with all columns outside `inside` whose entry can reach the magnitude when
  /// the derivative vector has moved by `distance`, or answers false when evaluating the full
  /// gradient is the better choice.
  bool select(double magnitude, double distance, const Support& inside, Support& candidates) {
    return select(magnitude, {design_.cols(), {}}, distance, inside, candidates,
                  [] { return std::nullopt; });
  }

  /// The same, for the entries that can win a place. `project()` gives a better Prediction,
  /// if there is one, at the price of a few columns; `share` is the part of all columns from which
  /// on something else is the better choice.
  template <class Project>
  bool select(double magnitude, const EntryQuery& query, double distance, const Support& inside,
              Support& candidates, Project&& project, double share = 0.5) {
    affordable_ = share * design_.full_cost();
    candidates.clear();
    last_distance_ = distance;
    if (!candidates_found_.has_gradient() || !(magnitude > 0.0)) return false;
    if (cost_since_reference_ > design_.full_cost()) return false;
    magnitude *= 1.0 - 8.0 * epsilon;
    distance = enlarged(distance);
    // ‖r‖ ≤ ‖r₀‖ + d
    const double rounding = roundoff_ * (distance + reference_size_) + error_.rounding;
    if (!std::isfinite(distance + rounding)) return false;
    candidates_found_.begin_selection(
        static_cast<Index>(share * static_cast<double>(design_.cols())) +
        static_cast<Index>(inside.size()));
    candidates_found_.collect({1.0, 0.0, distance + error_.slack, rounding, magnitude}, query,
                              inside);
    double cost = take_outside(inside, candidates);
    trying_ = projection_cost(inside);
    if (cost > trying_) {
      if (const std::optional<Prediction> found = project()) {
        const Error error = combined(*found);
        candidates_found_.collect(
            {found->newer, found->older, enlarged(found->distance) + error.slack,
             2.0 * roundoff_ * found->size + error.rounding, magnitude},
            query, inside);
        cost = take_outside(inside, candidates);
      }
    }
    const bool pays = cost <= affordable_;
    // With a full gradient the entries inside come for nothing.
    fruitless_ = cost + trying_ <= design_.full_cost() ? 0 : fruitless_ + 1;
    if (pays) cost_since_reference_ += cost;
    return pays;
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  /// |ĝⱼ − aⱼᵀr| ≤ slack·‖aⱼ‖ + rounding·‖āⱼ‖ for the gradient ĝ of a reference.
  struct Error {
    double slack = 0.0, rounding = 0.0;
  };

  Error combined(const Prediction& known) const {
    const double newer = std::abs(known.newer), older = std::abs(known.older);
    return {newer * error_.slack + older * older_error_.slack,
            newer * error_.rounding + older * older_error_.rounding};
  }

  void begin_reference(double derivative_norm, const Error& error) {
    older_error_ = std::exchange(error_, error);
    reference_size_ = derivative_norm;
    cost_since_reference_ = 0.0;
  }

  /// What a norm can be, given what was computed.
  double enlarged(double norm) const {
    return norm * (1.0 + 2.0 * roundoff_) + underflow_norm(design_.rows());
  }

  /// Entries inside, r and its products with both references, and one more look at all columns.
  double projection_cost(const Support& inside) const {
    double cost = static_cast<double>(8 * design_.rows() + 2 * design_.cols());
    for (const Index j : inside) cost += design_.column_cost(j);
    return cost;
  }

  /// candidates = what was found and is not inside. Returns what they cost, or more than is
  /// affordable.
  double take_outside(const Support& inside, Support& candidates) const {
    candidates.clear();
    if (!candidates_found_.is_complete()) return std::numeric_limits<double>::infinity();
    double cost = 0.0;
    auto next = inside.begin();
    for (Index k = 0; k < candidates_found_.count() && cost <= affordable_; ++k) {
      const Index j = candidates_found_.column(k);
      while (next != inside.end() && *next < j) ++next;
      if (next != inside.end() && *next == j) continue;
      candidates.push_back(j);
      cost += design_.column_cost(j);
    }
    return cost;
  }

  const Design& design_;
  std::shared_ptr<const ColumnNorms> columns_;
  double roundoff_;
  CandidateColumns candidates_found_;
  Error error_, older_error_;
  double reference_size_ = 0.0;
  double last_distance_ = 0.0;
  double affordable_ = 0.0;
  double cost_since_reference_ = 0.0;
  double trying_ = 0.0;  // what the last selection cost, without the columns it found
  int fruitless_ = 0;    // selections in a row that were not worth their cost
  int passed_over_ = 0;
};

}  // namespace regiht
