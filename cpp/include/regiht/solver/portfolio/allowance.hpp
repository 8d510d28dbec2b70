#pragma once

#include <algorithm>

#include "regiht/objective.hpp"
#include "regiht/solver/run/phase_observer.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The work budget of a search, in the units of Objective::work(), with work outside f included:
/// the same in every run on every machine.
///
/// Small data get a fixed amount (`little`), enough to try nearly everything. Larger data get a
/// multiple of the cost of the first start, which grows with the data as every method does, so that
/// the cost of a search has no cliff.
class Allowance {
 public:
  /// `effort` multiplies the budget.
  Allowance(const Objective& f, const PhaseObserver& phases, double effort)
      : f_(f),
        phases_(phases),
        begin_(f.work() + phases.spent()),
        little_(effort * little),
        effort_(effort) {}

  double spent() const { return f_.work() + phases_.spent() - begin_; }

  /// Records the work spent so far as the cost of the first start.
  void measure_first() { first_ = spent(); }

  /// Whether a good part of `little` is spent.
  bool is_large() const { return spent() > 0.4 * little_; }

  /// Whether next to nothing is spent.
  bool is_tiny() const { return spent() < 0.1 * little_; }

  /// Whether a start of this cost is within a fair share.
  bool affords(double cost) const {
    return cost < std::max(0.5 * little_, effort_ * large_share * first_);
  }

  /// Allows this multiple of the first start from here, or the rest of `little` if that is more.
  void grant_large_share() { grant(large_share); }
  void grant_small_share() { grant(small_share); }

  /// Allows a small share, but at most as much as was spent so far.
  void grant_as_much_again() {
    grant_small_share();
    limit_ = std::min(limit_, (1.0 + effort_) * spent());
  }

  /// Allows `little` from here.
  void grant_little() { limit_ = spent() + little_; }

  bool is_left() const { return spent() < limit_; }

 private:
  // About a tenth of a second of work.
  static constexpr double little = 2e8;
  static constexpr double large_share = 8.0, small_share = 3.0;

  void grant(double multiple) { limit_ = std::max(little_, spent() + effort_ * multiple * first_); }

  const Objective& f_;
  const PhaseObserver& phases_;
  double begin_, little_, effort_;
  double first_ = 0.0, limit_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
