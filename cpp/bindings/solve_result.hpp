#pragma once

#include "regiht/result.hpp"

namespace regiht::bindings {

/// A Result and the dimension of its x.
struct SolveResult {
  Result result;
  Index dimension = 0;
  bool recorded = false;
};

}  // namespace regiht::bindings
