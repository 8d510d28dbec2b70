#pragma once

#include "regiht/types.hpp"

namespace regiht::testing {

/// The shape of small matrices in tests.
inline constexpr Index row_count = 12, col_count = 9;

}  // namespace regiht::testing
