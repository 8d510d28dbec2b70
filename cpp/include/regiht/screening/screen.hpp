#pragma once

#include <limits>
#include <optional>

#include "regiht/screening/bound.hpp"
#include "regiht/screening/candidate_columns.hpp"
#include "regiht/screening/column_products.hpp"
#include "regiht/screening/policy.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Which columns can have entries that matter at the present point, without evaluating the others:
/// the bounds of ReferenceGradients, used as the policy advises.
class Screen {
 public:
  /// Bounds are measured from the reference that the products have taken last, which has this
  /// gradient and a derivative vector of this norm.
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

  /// From now on they are measured from another, and from the one before.
  void take_reference(ConstVectorView gradient, double derivative_norm) {
    gradients_.take(gradient, derivative_norm);
    policy_.begin_reference();
  }

  /// How columns came to be selected: by the bounds from references that were there, or from a
  /// quantized gradient that has become the newest.
  enum class Selected { by_bounds, by_quantized };

  /// Fills `candidates` with all columns that the search can find; nothing if evaluating the full
  /// gradient is the better choice.
  std::optional<Selected> select(const EntrySearch& search, Support& candidates) {
    if (!(search.magnitude > 0.0)) return std::nullopt;
    const bool may_quantize = policy_.may_quantize();
    const double distance = products_.distance();
    const double share =
        may_quantize ? ScreeningPolicy::quantized_share : ScreeningPolicy::full_share;
    if (!policy_.wants_new_reference() && select_from(distance, search, share, candidates))
      return Selected::by_bounds;
    // Where the reference is coarser than the distance, an exact one is wanted.
    if (!may_quantize || gradients_.newest_slack() > distance) return std::nullopt;
    const bool pays = take_quantized_reference(distance) &&
                      select_from(0.0, search, ScreeningPolicy::full_share, candidates);
    policy_.count_quantized(pays);
    return pays ? std::optional(Selected::by_quantized) : std::nullopt;
  }

  /// Fills `columns` with some that had large entries at the newest reference and are not inside.
  void likely_largest(Index count, const Support& inside, Support& columns) {
    found_.likely_largest(count, inside, columns);
  }

 private:
  /// The columns that can matter at this distance from the newest reference, or by a combination of
  /// both; false if they cost more than a share of the full gradient.
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

  /// A gradient by quantized products becomes the newest reference; false if that is impossible, or
  /// of no use.
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

  /// Entries inside, r and its products with both references, and one more look at all columns.
  double projection_cost(const Support& inside) const {
    double cost = static_cast<double>(8 * products_.rows() + 2 * products_.cols());
    for (const Index j : inside) cost += products_.column_cost(j);
    return cost;
  }

  /// candidates = what was found and is not inside. Returns what they cost, or more than is
  /// affordable.
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
