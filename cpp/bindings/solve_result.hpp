#pragma once

#include "regiht/objective.hpp"
#include "regiht/result.hpp"

namespace regiht::bindings {

/// A Result and the dimension it lives in.
struct SolveResult {
  Result result;
  Index dimension = 0;
  bool recorded = false;
  double intercept = 0.0;

  void take_intercept(Objective& objective) {
    objective.move_to(result.x);
    intercept = objective.intercept();
  }
};

}  // namespace regiht::bindings
