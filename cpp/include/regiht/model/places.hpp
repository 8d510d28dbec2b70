#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "regiht/model/packed/model.hpp"
#include "regiht/model/packed/pattern_model.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// What a linear model found at a point.
struct Evaluation {
  bool is_evaluated = false;
  double loss_sum = 0.0, intercept = 0.0;
  int evaluations = 0;  ///< of the loss, to find the intercept
  Vector prediction, derivative, curvature;
  bool prediction_is_current = false, derivative_is_current = false;
  bool curvature_is_current = false;
};

/// A support, the point last visited there, and faster models once the support stays.
struct Place : Evaluation {
  SparseVector x;
  Index moves = 0;  ///< to this support
  bool is_searched_for_patterns = false;
  std::optional<PatternModel> patterns;  ///< if many rows agree
  std::optional<PackedModel> packed;
  Index packed_reference = 0;  ///< the number of the reference in packed

  /// Takes what was found at the same point from another place, which loses it.
  void take_evaluation(Place& other) {
    std::swap(static_cast<Evaluation&>(*this), static_cast<Evaluation&>(other));
    other.is_evaluated = false;
  }

  /// Whether predictions and derivatives are there in the order of the design's rows.
  bool holds_rows() const {
    return this->is_evaluated && this->prediction_is_current && this->derivative_is_current;
  }

  void begin(const Support& support) {
    this->is_evaluated = false;
    x.indices = support;
    x.values.assign(support.size(), 0.0);
    moves = 0;
    is_searched_for_patterns = false;
    patterns.reset();
    packed.reset();
  }
};

/// The places of the last two supports: trial steps often go to another support and back.
class Places {
 public:
  Place& here() { return places_[here_]; }
  const Place& here() const { return places_[here_]; }

  /// Goes to the place of another support; one that is new takes that of the support before the
  /// last.
  void go_to(const Support& support) {
    here_ = 1 - here_;
    if (here().x.indices != support) here().begin(support);
  }

 private:
  std::array<Place, 2> places_;
  std::size_t here_ = 0;
};

}}  // namespace regiht::REGIHT_ABI
