#pragma once

#include <stdexcept>

#include "regiht/design/design.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// How a linear model is to be solved: what all solves on the same design and targets share.
struct ModelSettings {
  double ridge = 0.0;
  const double* sample_weights = nullptr;
  bool screening = true;
  int threads = 1;
  bool intercept = false;
};

/// What a model must refuse: its loops trust the sizes.
inline void check_target(const Design& design, ConstVectorView target) {
  if (target.size() != design.rows())
    throw std::invalid_argument("the target needs one entry for every row of the design");
}

}  // namespace regiht
