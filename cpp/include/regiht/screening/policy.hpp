#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "regiht/screening/column_products.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Which of the ways to the entries outside a support is tried, by what the run has done so far.
/// All of them lead to the same entries: what is decided here bears on the cost alone.
class ScreeningPolicy {
 public:
  explicit ScreeningPolicy(ColumnProducts& products)
      : cols_(products.cols()),
        full_cost_(products.full_cost()),
        can_quantize_(products.quantized() != nullptr) {}

  /// Whether single columns are cheaper to read than the whole matrix, and that is not small.
  static bool pays(const ColumnProducts& products) {
    constexpr double small = 10'000;  // multiply-adds, about as many as a selection costs
    return products.full_cost() > small && products.column_cost(0) < products.full_cost();
  }

  /// The run has come to another point, with this loss.
  void move_to(double loss) {
    if (!first_loss_) first_loss_ = loss;
    is_rising_ = !(loss <= *first_loss_ + std::abs(*first_loss_));
  }

  /// Whether the loss is far above where the run began.
  bool is_rising() const { return is_rising_; }

  void count_read() { ++reads_; }
  void count_full_gradient() { ++full_gradients_; }
  Index full_gradients() const { return full_gradients_; }

  /// The norms of the columns cost as much as a full gradient, which a short run does not earn
  /// back.
  bool worth_starting() const { return full_gradients_ > 0 && !is_hopeless(); }

  /// A quantized matrix costs about two full gradients: a run that is short, or needs but few, is
  /// better off without. This depends on the run alone, not on whether there is a quantized matrix
  /// from an earlier one.
  bool may_quantize() const {
    constexpr Index long_enough = 8, enough = 2;
    constexpr int patience = 3;
    return reads_ > long_enough && full_gradients_ >= enough && quantized_in_vain_ < patience &&
           !is_hopeless() && can_quantize_;
  }

  void count_quantized(bool paid) { quantized_in_vain_ = paid ? 0 : quantized_in_vain_ + 1; }

  /// The part of all columns from which on a full gradient is the better choice; or a quantized
  /// one, which costs about so much.
  static constexpr double full_share = 0.5, quantized_share = 0.1;

  /// Whether the next full gradient is to be a reference. When several selections in a row have
  /// spared nothing, only some are: where supports keep changing, trying must not cost more than a
  /// small part of what the gradients cost. Two in a row are: a run that goes back and forth comes
  /// back to the one before last.
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

  /// Columns read since the reference add up to a full gradient in the end.
  bool wants_new_reference() const { return cost_since_reference_ > full_cost_; }

  void begin_selection() { ++selections_; }

  /// Whether the reference is used so often that its largest entries are worth sorting.
  bool worth_sorting() const {
    constexpr int often = 8;
    constexpr Index many = 2048;
    return selections_ >= often && cols_ >= many;
  }

  /// Whether to look for sure winners where there are too many columns to list. When that has not
  /// helped so often, it is tried once in a while only.
  bool worth_narrowing() const {
    constexpr Index patience = 16, retry = 16;
    return narrowed_in_vain_ < patience || narrowed_in_vain_ % retry == 0;
  }

  void count_narrowing(bool helped) { narrowed_in_vain_ = helped ? 0 : narrowed_in_vain_ + 1; }

  /// A selection has found columns at this cost, and has cost so much besides; whether it pays.
  bool finish_selection(double cost, double trying, double affordable) {
    trying_ = trying;
    // With a full gradient the entries inside come for nothing.
    fruitless_ = cost + trying <= full_cost_ ? 0 : fruitless_ + 1;
    const bool pays = cost <= affordable;
    if (pays) cost_since_reference_ += cost;
    return pays;
  }

 private:
  /// Whether the run rises from the beginning: then it is about to explode, as a rule.
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
  double trying_ = 0.0;  // what the last selection cost, without the columns it found
  int fruitless_ = 0;    // selections in a row that were not worth their cost
  int passed_over_ = 0;
  Index narrowed_in_vain_ = 0;  // in a row
  int quantized_in_vain_ = 0;   // in a row
};

}}  // namespace regiht::REGIHT_ABI
