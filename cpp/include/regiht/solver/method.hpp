#pragma once

#include <string_view>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/result.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A named solver, and what all that is built around solvers needs to know of it.
struct Method {
  std::string_view name;
  Result (*run)(Objective&, const Options&, Observer&);

  // Constraints that not all know.
  bool knows_positive, knows_groups;

  // The answer.
  bool refits;     ///< it is the minimum on its support, whether Options::refit is set or not
  bool is_nested;  ///< a run passes through the answers for fewer entries, if no option forbids it

  // The run.
  bool makes_all_iterations;  ///< max_iter of them, or until nothing changes: no rule of its own
  bool draws;                 ///< at random, from Options::seed

  // Options that not all read.
  bool reads_x0, reads_step, reads_weight_step;
  bool reads_weights;  ///< w0, round_threshold and safeguard
  bool reads_target_value, reads_effort;
};

}}  // namespace regiht::REGIHT_ABI
