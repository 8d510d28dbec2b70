#pragma once

#include <stdexcept>

#include "regiht/design/design.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Settings shared by all solves on the same design and targets.
struct ModelSettings {
  double ridge = 0.0;
  const double* sample_weights = nullptr;
  bool screening = true;
  int threads = 1;
  bool intercept = false;
};

/// Throws std::invalid_argument for sizes that the loops could not trust, and for numbers for which
/// f would be undefined or not convex.
inline void check_samples(const Design& design, Targets targets, ConstVectorView target,
                          const double* sample_weights, double ridge) {
  const auto require = [](bool condition, const char* text) {
    if (!condition) throw std::invalid_argument(text);
  };
  const auto values = target.array();
  require(target.size() == design.rows(), "the target needs one entry for every row of the design");
  require(targets != Targets::binary || ((values == 0.0) || (values == 1.0)).all(),
          "the target must be 0 or 1 everywhere for this loss");
  require(targets != Targets::nonnegative || (values >= 0.0).all(),
          "the target must not be negative for this loss");
  require(ridge >= 0.0, "ridge must not be negative");
  require(!sample_weights ||
              (Eigen::Map<const Vector>(sample_weights, design.rows()).array() >= 0.0).all(),
          "sample weights must not be negative");
}

}}  // namespace regiht::REGIHT_ABI
