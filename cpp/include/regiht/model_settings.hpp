#pragma once

namespace regiht {

/// How a linear model is to be solved: what all solves on the same design and targets share.
struct ModelSettings {
  double ridge = 0.0;
  const double* sample_weights = nullptr;
  bool screening = true;
  int threads = 1;
  bool intercept = false;
};

}  // namespace regiht
