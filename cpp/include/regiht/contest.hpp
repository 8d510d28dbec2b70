#pragma once

#include <vector>

#include "regiht/types.hpp"

namespace regiht {

/// What entries outside the support compete for by their magnitudes alone: a number of places, with
/// each other and with entries of these magnitudes.
struct Contest {
  Index places = 0;
  std::vector<double> rivals;
};

}  // namespace regiht
