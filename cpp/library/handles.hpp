#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

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

struct regiht_problem {
  regiht_design design;  ///< shares the parts of the original
  std::shared_ptr<const regiht::Loss> loss;
  regiht::Vector targets;
  std::vector<double> sample_weights;
  regiht::ModelSettings settings;
  regiht::Options options;  ///< x0 is in the scale of the original matrix
  double time_limit = std::numeric_limits<double>::infinity();
};

struct regiht_result {
  std::vector<std::int64_t> columns;
  std::vector<double> coefficients;
  double intercept = 0.0;
  regiht::Result found;
};
