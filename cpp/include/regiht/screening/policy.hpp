#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "regiht/screening/column_products.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Decides how to obtain the entries off the support from what the run has done so far. All ways
/// give the same entries: decisions affect the cost alone.
class ScreeningPolicy {
 public:
  explicit ScreeningPolicy(ColumnProducts& products)
      : cols_(products.cols()),
        full_cost_(products.full_cost()),
        can_quantize_(products.quantized() != nullptr) {}

  /// Whether a single column is cheaper than the whole matrix, and the matrix is not small.
  static bool pays(const ColumnProducts& products) {
    constexpr double small = 10'000;  // multiply-adds, about the cost of a selection
    return products.full_cost() > small && products.column_cost(0) < products.full_cost();
  }

  /// The run has moved to a point with this loss.
  void move_to(double loss) {
    if (!first_loss_) first_loss_ = loss;
    is_rising_ = !(loss <= *first_loss_ + std::abs(*first_loss_));
  }

  /// Whether the loss is far above where the run began.
  bool is_rising() const { return is_rising_; }

  void count_read() { ++reads_; }
  void count_full_gradient() { ++full_gradients_; }
  Index full_gradients() const { return full_gradients_; }

  /// Column norms cost as much as a full gradient, which a short run would not earn back.
  bool worth_starting() const { return full_gradients_ > 0 && !is_hopeless(); }

  /// A quantized matrix costs about two full gradients, too much for a run that is short or needs
  /// few of them. Depends on the run alone, not on a quantized matrix left by an earlier one.
  bool may_quantize() const {
    constexpr Index long_enough = 8, enough = 2;
    constexpr int patience = 3;
    return reads_ > long_enough && full_gradients_ >= enough && quantized_in_vain_ < patience &&
           !is_hopeless() && can_quantize_;
  }

  void count_quantized(bool paid) { quantized_in_vain_ = paid ? 0 : quantized_in_vain_ + 1; }

  /// The share of columns beyond which a full gradient is the better choice, or a quantized one,
  /// which costs about that share.
  static constexpr double full_share = 0.5, quantized_share = 0.1;

  /// Whether the next full gradient becomes a reference. After several fruitless selections in a
  /// row only some do: where supports keep changing, trying must stay cheap against the gradients.
  /// They come in pairs, since a run that alternates returns to the reference before last.
  bool wants_next_reference() {
    constexpr int patience = 6, row = 2;
    constexpr double allowance = 0.03;
    if (may_quantize()) return true;
    const int round = static_cast<int>(row * trying_ / (allowance * full_cost_));
    return fruitless_ < patience || passed_over_++ % std::max(round, row) < row;
  }

  void begin_reference() {
    selections_ = 0;
    cost_since_reference_ = 0.0;
  }

  /// Columns read since the last reference eventually add up to a full gradient.
  bool wants_new_reference() const { return cost_since_reference_ > full_cost_; }

  void begin_selection() { ++selections_; }

  /// Whether the reference is used often enough to sort its largest entries.
  bool worth_sorting() const {
    constexpr int often = 8;
    constexpr Index many = 2048;
    return selections_ >= often && cols_ >= many;
  }

  /// Whether to look for sure winners when there are too many columns to list; after too many
  /// failures, only once in a while.
  bool worth_narrowing() const {
    constexpr Index patience = 16, retry = 16;
    return narrowed_in_vain_ < patience || narrowed_in_vain_ % retry == 0;
  }

  void count_narrowing(bool helped) { narrowed_in_vain_ = helped ? 0 : narrowed_in_vain_ + 1; }

  /// Records a selection whose columns cost `cost` and whose search cost `trying`; true if it pays.
  bool finish_selection(double cost, double trying, double affordable) {
    trying_ = trying;
    // A full gradient includes the entries on the support for free.
    fruitless_ = cost + trying <= full_cost_ ? 0 : fruitless_ + 1;
    const bool pays = cost <= affordable;
    if (pays) cost_since_reference_ += cost;
    return pays;
  }

 private:
  /// Whether the loss rises from the start: such a run is usually about to diverge.
  bool is_hopeless() const {
    constexpr Index doubtful = 32;
    return is_rising_ && reads_ <= doubtful;
  }

  Index cols_;
  double full_cost_;
  bool can_quantize_;

  std::optional<double> first_loss_;
  bool is_rising_ = false;
  Index reads_ = 0, full_gradients_ = 0;

  int selections_ = 0;  // with this reference
  double cost_since_reference_ = 0.0;
  double trying_ = 0.0;  // cost of the last selection, without the columns it found
  int fruitless_ = 0;    // selections in a row that were not worth their cost
  int passed_over_ = 0;
  Index narrowed_in_vain_ = 0;  // in a row
  int quantized_in_vain_ = 0;   // in a row
};

}}  // namespace regiht::REGIHT_ABI
