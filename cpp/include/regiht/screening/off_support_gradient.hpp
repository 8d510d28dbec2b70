#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "regiht/objective.hpp"
#include "regiht/screening/column_products.hpp"
#include "regiht/screening/policy.hpp"
#include "regiht/screening/screen.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Gradient entries Aᵀr off the support: screened where that pays, else computed in full. Remembers
/// the last full gradient and its point.
class OffSupportGradient {
 public:
  OffSupportGradient(ColumnProducts& products, bool screening)
      : products_(products),
        policy_(products),
        may_screen_(screening && ScreeningPolicy::pays(products)) {}

  /// Whether the gradient will be evaluated in full if it is asked for here as at the last point.
  bool expects_full() const {
    if (!may_screen_) return true;
    const bool screens = screen_ ? is_reference() : policy_.worth_starting();
    return policy_.full_gradients() > 0 && was_asked() && !screens;
  }

  /// Whether full() is the gradient at the current point.
  bool is_current() const { return full_at_ == here_; }
  const Vector& full() const { return full_; }

  /// Reads its entries at these columns.
  void read_full(const Support& columns, VectorView out) const {
    for (std::size_t k = 0; k < columns.size(); ++k) out[static_cast<Index>(k)] = full_[columns[k]];
  }

  /// Whether the loss is far above where the run began.
  bool is_rising() const { return policy_.is_rising(); }

  /// Entries evaluated so far, in units of one full gradient.
  double spent() const { return spent_; }

  /// Counts work worth this part, or multiple, of a full gradient.
  void count(double part) { spent_ += part; }

  /// The products have moved to a point with this loss.
  void move_to(double loss) {
    ++here_;
    if (full_point_ && *full_point_ == products_.point()) full_at_ = here_;
    asked_before_ = std::exchange(asked_here_, false);
    policy_.move_to(loss);
  }

  /// Notes that entries off the support are wanted here, from whatever source.
  void ask() { asked_here_ = true; }

  /// Whether they were wanted at the previous point.
  bool was_asked() const { return asked_before_; }

  /// Evaluates the full gradient unless it is current.
  void evaluate() {
    if (is_current()) return;
    full_.resize(products_.cols());
    products_.all(full_);
    count(1.0);
    full_at_ = here_;
    full_point_ = products_.point();
    policy_.count_full_gradient();
    if (!may_screen_ || (screen_ && !policy_.wants_next_reference())) return;
    full_norm_ = products_.take_reference();
    reference_ = policy_.full_gradients();
    if (screen_) screen_->take_reference(full_, full_norm_);
  }

  /// Lists the entries not in x with at least this magnitude that can win a slot.
  void read(double magnitude, const EntryQuery& query, SparseVector& entries) {
    entries.clear();
    ask();
    policy_.count_read();
    if (screens()) {
      const auto selected =
          screen_->select({magnitude, query, products_.point().indices}, candidates_);
      if (selected) {
        count_selected(*selected);
        evaluate_candidates();
        for (std::size_t k = 0; k < candidates_.size(); ++k)
          entries.append_if_large(candidates_[k], at_candidates_[static_cast<Index>(k)], magnitude);
        return;
      }
    }
    evaluate();
    append_outside(products_.point().indices, full_, magnitude, entries);
  }

  /// Lists at least the `count` largest entries not in x.
  void read_largest(Index count, SparseVector& entries) {
    double magnitude = 0.0;
    if (screens()) {
      screen_->likely_largest(4 * count + 16, products_.point().indices, candidates_);
      magnitude = reached_by_candidates(count);
    }
    read(magnitude, {count, {}}, entries);
  }

 private:
  /// Whether the last full gradient is a reference.
  bool is_reference() const { return reference_ == policy_.full_gradients(); }

  /// Whether screening applies here; creates the screen from the last full gradient when it is
  /// first worth it.
  bool screens() {
    if (!may_screen_ || is_current()) return false;
    if (!screen_ && policy_.worth_starting())
      screen_.emplace(products_, policy_, full_, full_norm_);
    return screen_ && is_reference();
  }

  void count_selected(Screen::Selected selected) {
    if (selected == Screen::Selected::by_bounds) {
      count(share_of_candidates());
    } else {
      count(1.0);           // a column evaluated twice counts once
      full_point_.reset();  // a newer reference exists elsewhere
    }
  }

  void evaluate_candidates() {
    at_candidates_.resize(static_cast<Index>(candidates_.size()));
    if (!candidates_.empty()) products_.at(candidates_, at_candidates_);
  }

  double share_of_candidates() const {
    return static_cast<double>(candidates_.size()) / static_cast<double>(products_.cols());
  }

  /// The `rank`-th largest magnitude of the candidates.
  double reached_by_candidates(Index rank) {
    if (static_cast<Index>(candidates_.size()) < rank) return 0.0;
    evaluate_candidates();
    count(share_of_candidates());
    at_candidates_ = at_candidates_.cwiseAbs();
    if (!at_candidates_.allFinite()) return 0.0;
    double* const first = at_candidates_.data();
    std::nth_element(first, first + rank - 1, first + at_candidates_.size(),
                     std::greater<double>());
    return first[rank - 1];
  }

  ColumnProducts& products_;
  ScreeningPolicy policy_;
  bool may_screen_;
  std::optional<Screen> screen_;  // once it is worth its cost
  double spent_ = 0.0;

  Index here_ = 0;  // the number of the current point
  bool asked_here_ = false, asked_before_ = false;

  Vector full_;
  Index full_at_ = -1;                      // the number of the point of full_
  std::optional<SparseVector> full_point_;  // that point
  double full_norm_ = 0.0;                  // ‖r‖ there
  Index reference_ = 0;                     // which full gradient is the newest reference

  Support candidates_;
  Vector at_candidates_;
};

}}  // namespace regiht::REGIHT_ABI
