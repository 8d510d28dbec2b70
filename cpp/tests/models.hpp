#pragma once

#include <memory>
#include <utility>

#include "regiht/least_squares.hpp"
#include "regiht/linear_model.hpp"

namespace regiht::testing {

inline LinearModel::Settings model_settings(double ridge, const double* sample_weights,
                                            bool screening, int threads = 1) {
  LinearModel::Settings settings;
  settings.ridge = ridge;
  settings.sample_weights = sample_weights;
  settings.screening = screening;
  settings.threads = threads;
  return settings;
}

inline LeastSquares::Settings least_squares_settings(double ridge, bool screening,
                                                     std::shared_ptr<const Gram> gram) {
  LeastSquares::Settings settings;
  settings.ridge = ridge;
  settings.screening = screening;
  settings.gram = std::move(gram);
  return settings;
}

}  // namespace regiht::testing
