#pragma once

#include <chrono>
#include <optional>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Seconds since construction. Stands still between calls of `advance` and reads the clock only
/// when asked, which costs a tenth of the smallest iterations.
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
