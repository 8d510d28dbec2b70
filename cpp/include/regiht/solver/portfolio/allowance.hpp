#pragma once

#include <algorithm>

#include "regiht/objective.hpp"
#include "regiht/solver/run/phase_observer.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// What a search may spend, in the units in which f counts its work, and what is done beside f: the
/// same in every run, on any machine.
///
/// On a small table a little is allowed, and nearly everything is tried. Beyond that it is a
/// multiple of what the first start cost, which grows with the table as every method does. So what
/// a search costs has no cliff.
class Allowance {
 public:
  /// `effort` multiplies what is allowed.
  Allowance(const Objective& f, const PhaseObserver& phases, double effort)
      : f_(f),
        phases_(phases),
        begin_(f.work() + phases.spent()),
        little_(effort * little),
        effort_(effort) {}

  double spent() const { return f_.work() + phases_.spent() - begin_; }

  /// Takes what was spent up to now as the cost of the first start.
  void measure_first() { first_ = spent(); }

  /// Whether a good part of a little was spent.
  bool is_large() const { return spent() > 0.4 * little_; }

  /// Whether next to nothing was spent.
  bool is_tiny() const { return spent() < 0.1 * little_; }

  /// Whether a start that costs so much is a fair share.
  bool affords(double cost) const {
    return cost < std::max(0.5 * little_, effort_ * large_share * first_);
  }

  /// Allows what is left of a little, or one of these multiples of the first start from here.
  void grant_large_share() { grant(large_share); }
  void grant_small_share() { grant(small_share); }

  /// Allows a small share, but no more than was spent up to now.
  void grant_as_much_again() {
    grant_small_share();
    limit_ = std::min(limit_, (1.0 + effort_) * spent());
  }

  /// Allows a little from here.
  void grant_little() { limit_ = spent() + little_; }

  bool is_left() const { return spent() < limit_; }

 private:
  // About a tenth of a second.
  static constexpr double little = 2e8;
  static constexpr double large_share = 8.0, small_share = 3.0;

  void grant(double multiple) { limit_ = std::max(little_, spent() + effort_ * multiple * first_); }

  const Objective& f_;
  const PhaseObserver& phases_;
  double begin_, little_, effort_;
  double first_ = 0.0, limit_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
