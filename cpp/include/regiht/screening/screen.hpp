#pragma once

#include <limits>
#include <optional>

#include "regiht/screening/bound.hpp"
#include "regiht/screening/candidate_columns.hpp"
#include "regiht/screening/column_products.hpp"
#include "regiht/screening/policy.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Selects the columns whose entries can matter at the current point without evaluating the others:
/// applies the bounds of ReferenceGradients under a ScreeningPolicy.
class Screen {
 public:
  /// Starts from the last reference of the products, with this gradient and norm of the derivative
  /// vector.
  Screen(ColumnProducts& products, ScreeningPolicy& policy, ConstVectorView gradient,
         double derivative_norm)
      : products_(products),
        policy_(policy),
        gradients_(products.rows(), products.norms()),
        found_(gradients_) {
    take_reference(gradient, derivative_norm);
  }
  Screen(const Screen&) = delete;  // found_ refers to gradients_
  Screen& operator=(const Screen&) = delete;

  /// Bounds are now measured from a new reference and the previous one.
  void take_reference(ConstVectorView gradient, double derivative_norm) {
    gradients_.take(gradient, derivative_norm);
    policy_.begin_reference();
  }

  /// How columns were selected: by bounds from existing references, or from a quantized gradient
  /// that became the newest reference.
  enum class Selected { by_bounds, by_quantized };

  /// Fills `candidates` with all columns that the search can find; nothing if the full gradient is
  /// the better choice.
  std::optional<Selected> select(const EntrySearch& search, Support& candidates) {
    if (!(search.magnitude > 0.0)) return std::nullopt;
    const bool may_quantize = policy_.may_quantize();
    const double distance = products_.distance();
    const double share =
        may_quantize ? ScreeningPolicy::quantized_share : ScreeningPolicy::full_share;
    if (!policy_.wants_new_reference() && select_from(distance, search, share, candidates))
      return Selected::by_bounds;
    // If the reference is coarser than the distance, an exact one is needed.
    if (!may_quantize || gradients_.newest_slack() > distance) return std::nullopt;
    const bool pays = take_quantized_reference(distance) &&
                      select_from(0.0, search, ScreeningPolicy::full_share, candidates);
    policy_.count_quantized(pays);
    return pays ? std::optional(Selected::by_quantized) : std::nullopt;
  }

  /// Fills `columns` with some outside that have large entries at the newest reference.
  void likely_largest(Index count, const Support& inside, Support& columns) {
    found_.likely_largest(count, inside, columns);
  }

 private:
  /// Selects by distance from the newest reference, or from a combination of both; false if the
  /// columns cost more than this share of the full gradient.
  bool select_from(double distance, const EntrySearch& search, double share, Support& candidates) {
    const ColumnBound bound = gradients_.bound(distance, search.magnitude);
    if (!bound.is_finite()) return false;
    const double affordable = share * products_.full_cost();
    const Index limit = static_cast<Index>(share * static_cast<double>(products_.cols())) +
                        static_cast<Index>(search.inside.size());
    policy_.begin_selection();
    list(bound, limit, search);
    double cost = take_outside(search.inside, affordable, candidates);
    const double trying = projection_cost(search.inside);
    if (cost > trying && distance != 0.0 && gradients_.has_two()) {
      if (const std::optional<Prediction> known = products_.project()) {
        list(gradients_.bound(*known, search.magnitude), limit, search);
        cost = take_outside(search.inside, affordable, candidates);
      }
    }
    return policy_.finish_selection(cost, trying, affordable);
  }

  void list(const ColumnBound& bound, Index limit, const EntrySearch& search) {
    if (!policy_.worth_sorting() || !found_.list_from_sorted(bound, limit))
      found_.list(bound, limit);
    const bool was_complete = found_.is_complete();
    if (was_complete || policy_.worth_narrowing()) found_.narrow(bound, search);
    if (!was_complete) policy_.count_narrowing(found_.is_complete());
  }

  /// Makes a quantized gradient the newest reference; false if that is impossible or useless.
  bool take_quantized_reference(double distance) {
    constexpr double useful = 0.1;
    QuantizedProducts& quantized = *products_.quantized();
    const double error = quantized.error();
    if (!(error <= useful)) return false;
    const double norm = quantized.norm();
    std::optional<Prediction> known;
    if (gradients_.has_two()) known = products_.project();
    if (!known) known = gradients_.at_distance(distance);
    if (!(gradients_.slack(*known) + error * known->distance < error * norm))
      known = {0.0, 0.0, norm, norm};  // r itself
    rest_.resize(products_.cols());
    const std::optional<double> slack = quantized.products(*known, rest_);
    if (!slack) return false;
    gradients_.take_quantized(rest_, *known, *slack, norm);
    policy_.begin_reference();
    products_.take_reference();
    return true;
  }

  /// The cost of the entries inside, r, its products with both references, and another pass.
  double projection_cost(const Support& inside) const {
    double cost = static_cast<double>(8 * products_.rows() + 2 * products_.cols());
    for (const Index j : inside) cost += products_.column_cost(j);
    return cost;
  }

  /// candidates = the columns found that are not inside. Returns their cost, or something
  /// unaffordable.
  double take_outside(const Support& inside, double affordable, Support& candidates) const {
    candidates.clear();
    if (!found_.is_complete()) return std::numeric_limits<double>::infinity();
    double cost = 0.0;
    auto next = inside.begin();
    for (Index k = 0; k < found_.count() && cost <= affordable; ++k) {
      const Index j = found_.column(k);
      while (next != inside.end() && *next < j) ++next;
      if (next != inside.end() && *next == j) continue;
      candidates.push_back(j);
      cost += products_.column_cost(j);
    }
    return cost;
  }

  ColumnProducts& products_;
  ScreeningPolicy& policy_;
  ReferenceGradients gradients_;
  CandidateColumns found_;
  Vector rest_;
};

}}  // namespace regiht::REGIHT_ABI
