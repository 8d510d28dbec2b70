#pragma once

#include <algorithm>

#include "regiht/objective.hpp"

namespace regiht {

/// What a search may spend, by the work that f counts: the same in every run, on any machine.
///
/// A little is always allowed, so that on a small table everything is tried; beyond that, a
/// multiple of what the first start cost, which grows with the table as every other method does.
class Allowance {
 public:
  explicit Allowance(const Objective& f) : f_(f), begin_(f.work()) {}

  /// What was spent up to now is the measure.
  void measure() { first_ = spent(); }

  double spent() const { return f_.work() - begin_; }

  /// Whether more than a little was spent.
  bool is_large() const { return spent() > little; }

  bool is_left() const { return spent() < std::max(little, multiple * first_); }

 private:
  static constexpr double little =
#ifdef REGIHT_LITTLE
      REGIHT_LITTLE;
#else
      1.2e8;
#endif
  static constexpr double multiple = 5.0;

  const Objective& f_;
  double begin_;
  double first_ = 0.0;
};

}  // namespace regiht
