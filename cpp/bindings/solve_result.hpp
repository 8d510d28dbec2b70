#pragma once

#include "regiht/result.hpp"

namespace regiht::bindings {

/// A Result and the dimension it lives in.
struct SolveResult {
  Result result;
  Index dimension = 0;
  bool recorded = false;
};

}  // namespace regiht::bindings
