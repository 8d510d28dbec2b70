#pragma once

#include <utility>

#include "regiht/objective.hpp"
#include "regiht/options/options.hpp"
#include "regiht/result.hpp"
#include "regiht/solver/refit/constrained.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Refits the result on its support and records the outcome.
inline void refit_result(Objective& f, const Options& options, Observer& observer, Result& result) {
  SparseVector x = result.x;
  const Refit refit = ConstrainedMinimizer(options, observer)(f, x);
  if (!refit.finite) result.status = Status::diverged;
  if (refit.interruption) result.status = *refit.interruption;
  result.rank_deficient = refit.rank_deficient;
  result.attained = refit.attained;
  // Rounding must not rank the best behind its alternatives.
  if (refit.value <= result.value || result.alternatives.empty() ||
      refit.value < result.alternatives.front().value) {
    result.x = std::move(x);
    result.value = refit.value;
  }
}

}}  // namespace regiht::REGIHT_ABI
