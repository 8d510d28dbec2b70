#pragma once

#include <algorithm>
#include <cmath>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The relative gain that a swap must reach, raised after very many swaps so that a search ends
/// even if values keep falling slightly.
class SwapPatience {
 public:
  /// For a support of `size` entries or groups.
  explicit SwapPatience(Index size = 1) : enough_(4 * size + 64) {}

  void count() { ++swaps_; }

  double least_relative_gain() const {
    return std::ldexp(1e-9, 2 * static_cast<int>(std::min(swaps_ / enough_, most_rises)));
  }

  /// Whether the threshold is still the initial one.
  bool is_whole() const { return swaps_ < enough_; }

 private:
  static constexpr Index most_rises = 15;  // fourfold each: to a gain of the whole value

  Index enough_, swaps_ = 0;
};

}}  // namespace regiht::REGIHT_ABI
