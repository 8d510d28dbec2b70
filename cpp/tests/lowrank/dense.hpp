#pragma once

#include "regiht/lowrank/factors.hpp"

namespace regiht::testing {

/// The matrix that the factors stand for.
inline lowrank::Block dense(const lowrank::Factors& A) { return A.left() * A.V.transpose(); }

}  // namespace regiht::testing
