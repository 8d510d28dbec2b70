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

/// What is behind the handles of regiht.h.

struct regiht_design {
  std::shared_ptr<const regiht::Design> matrix;                    ///< as it was given
  std::shared_ptr<const regiht::StandardizedDesign> standardized;  ///< if it is to be
  std::shared_ptr<regiht::DesignCache> cache = std::make_shared<regiht::DesignCache>();

  const regiht::Design& design() const {
    if (standardized) return *standardized;
    return *matrix;
  }
};

struct regiht_problem {
  regiht_design design;  ///< shares the parts of the one that it was made of
  std::shared_ptr<const regiht::Loss> loss;
  regiht::Vector targets;
  std::vector<double> sample_weights;
  regiht::ModelSettings settings;
  regiht::Options options;  ///< a start in the scale of the matrix as it was given
  double time_limit = std::numeric_limits<double>::infinity();
};

struct regiht_result {
  std::vector<std::int64_t> columns;
  std::vector<double> coefficients;
  double intercept = 0.0;
  regiht::Result found;
};
