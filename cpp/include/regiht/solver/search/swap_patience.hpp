#pragma once

#include <algorithm>
#include <cmath>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// How much a swap must gain, relative to the value: more, when there were very many already. So a
/// search comes to an end even if values fall by a little for ever.
class SwapPatience {
 public:
  /// For a support of so many entries or groups.
  explicit SwapPatience(Index size = 1) : enough_(4 * size + 64) {}

  void count() { ++swaps_; }

  double least_relative_gain() const {
    return std::ldexp(1e-9, 2 * static_cast<int>(std::min(swaps_ / enough_, most_rises)));
  }

  /// Whether it asks for no more than at first.
  bool is_whole() const { return swaps_ < enough_; }

 private:
  static constexpr Index most_rises = 15;  // fourfold each: to a gain of the whole value

  Index enough_, swaps_ = 0;
};

}}  // namespace regiht::REGIHT_ABI
