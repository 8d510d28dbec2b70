#pragma once

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Decides whether inner products of columns pay off, from what the run has done so far. Costs are
/// counted in dot products.
class GramPolicy {
 public:
  enum class Verdict { use, not_yet, never };

  /// `whole`: columns are learned with their products with all columns.
  GramPolicy(Index rows, Index cols, bool whole)
      : rows_(rows), cols_(static_cast<double>(cols)), whole_(whole) {}

  void pay(double dot_products) { paid_ += dot_products; }

  /// For a point that lists this many entries; `is_rising` if the loss is far above where it began.
  Verdict judge(Index listed, bool is_rising) {
    gave_up_ = gave_up_ || !(whole_ ? whole_columns_pay(listed) : pairs_pay(listed));
    if (gave_up_) return Verdict::never;
    return whole_ && whole_columns_wait(listed, is_rising) ? Verdict::not_yet : Verdict::use;
  }

 private:
  /// Pairs cost a dot product for every two columns ever used, and save two per column of the
  /// support in every step. They do not pay when the support is large against the rows or keeps
  /// changing.
  bool pairs_pay(Index listed) {
    const double s = static_cast<double>(listed);
    spared_ += 2.0 * s;
    return 4 * listed <= rows_ && paid_ <= 2.0 * spared_ + 4.0 * s * s + 1000.0;
  }

  /// A whole column costs a full gradient; those of the support together save one in every step.
  bool whole_columns_pay(Index listed) {
    constexpr double credit = 64.0;
    spared_ += cols_;
    return 2 * listed <= rows_ &&
           paid_ <= spared_ + (credit + 2.0 * static_cast<double>(listed)) * cols_;
  }

  /// A run about to diverge would not earn whole columns back.
  bool whole_columns_wait(Index listed, bool is_rising) {
    constexpr Index doubtful = 4;
    if (listed == 0) return false;
    ++moves_;
    return moves_ <= doubtful || is_rising;
  }

  Index rows_;
  double cols_;
  bool whole_;
  bool gave_up_ = false;
  Index moves_ = 0;  // to points other than zero
  double paid_ = 0.0, spared_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
