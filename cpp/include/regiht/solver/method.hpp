#pragma once

#include <string_view>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/result.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A named solver and its properties.
struct Method {
  std::string_view name;
  Result (*run)(Objective&, const Options&, Observer&);

  // Constraints it supports.
  bool knows_positive, knows_groups;

  // The answer.
  bool refits;     ///< a minimum on its support even without Options::refit
  bool is_nested;  ///< its iterates are the answers for smaller s, options permitting

  // The run.
  bool makes_all_iterations;  ///< runs to max_iter or until nothing changes
  bool draws;                 ///< uses random numbers, from Options::seed

  // Options it reads.
  bool reads_x0, reads_step, reads_weight_step;
  bool reads_weights;  ///< w0, round_threshold, safeguard
  bool reads_target_value, reads_effort;
};

}}  // namespace regiht::REGIHT_ABI
