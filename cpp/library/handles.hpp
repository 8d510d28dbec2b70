#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "compiled.hpp"
#include "regiht.h"
#include "regiht/design/standardized.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/model/design_cache.hpp"
#include "regiht/model/settings.hpp"
#include "regiht/options/options.hpp"
#include "regiht/result.hpp"

/// The types behind the handles of regiht.h.

struct regiht_design {
  std::shared_ptr<const regiht::Design> matrix;                    ///< as given
  std::shared_ptr<const regiht::StandardizedDesign> standardized;  ///< null unless asked for
  std::shared_ptr<regiht::DesignCache> cache = std::make_shared<regiht::DesignCache>();

  const regiht::Design& design() const {
    if (standardized) return *standardized;
    return *matrix;
  }
};

namespace regiht::library {

struct LinearProblem {
  regiht_design design;  ///< shares the parts of the original
  std::shared_ptr<const Loss> loss;
  Vector targets;
  std::vector<double> sample_weights;
  ModelSettings settings;
};

}  // namespace regiht::library

struct regiht_problem {
  regiht::Index dimension = 0;
  std::optional<regiht::library::LinearProblem> linear;
  regiht::library::MakeObjective own;  ///< of a problem that is not linear
  regiht::Options options;             ///< x0 is in the scale of the original matrix
  double time_limit = std::numeric_limits<double>::infinity();
};

struct regiht_result {
  std::vector<std::int64_t> columns;
  std::vector<double> coefficients;
  double intercept = 0.0;
  regiht::Result found;
};
