#pragma once

#include <memory>
#include <utility>

#include "regiht/model/least_squares.hpp"
#include "regiht/model/linear_model.hpp"

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

inline std::shared_ptr<const Gram> gram_of(const Design& design) {
  return std::make_shared<const Gram>(design, 1);
}

inline std::shared_ptr<GramColumns> columns_for(const Design& design) {
  return std::make_shared<GramColumns>(design.cols());
}

/// Which inner products are at hand.
enum class Known { pairs, columns, all };
inline constexpr Known every_kind[] = {Known::pairs, Known::columns, Known::all};

inline LeastSquares::Settings settings_with(Known known, double ridge, const Design& design,
                                            bool screening = true) {
  auto settings =
      least_squares_settings(ridge, screening, known == Known::all ? gram_of(design) : nullptr);
  if (known == Known::columns) settings.gram_columns = columns_for(design);
  return settings;
}

}  // namespace regiht::testing
