#pragma once

#include <chrono>
#include <optional>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Counts seconds from its construction on. Stands still between calls of `advance`, and looks at
/// the clock only if it is asked: that costs a tenth of the smallest iterations.
class Stopwatch {
 public:
  void advance() { seconds_.reset(); }

  double seconds() const {
    if (!seconds_) seconds_ = std::chrono::duration<double>(Clock::now() - start_).count();
    return *seconds_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  mutable std::optional<double> seconds_;
};

}}  // namespace regiht::REGIHT_ABI
