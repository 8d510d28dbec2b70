#pragma once

#include "regiht/lowrank/orthonormalize.hpp"

namespace regiht::testing {

/// A matrix of numbers between −1 and 1, the same in every run.
inline lowrank::Block random_block(Index rows, Index cols, lowrank::FixedRandom& random) {
  lowrank::Block block(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) block(i, j) = random.next();
  return block;
}

}  // namespace regiht::testing
