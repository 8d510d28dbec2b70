#pragma once

#include <optional>
#include <vector>

#include "regiht/status.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// One entry per iteration, if Options::history is set.
struct History {
  std::vector<double> value;
  std::vector<double> regularized_value;
  std::vector<Index> support_changes;
  std::vector<double> elapsed;  ///< seconds since the start

  void append(double reached, double regularized, Index changes, double seconds) {
    value.push_back(reached);
    regularized_value.push_back(regularized);
    support_changes.push_back(changes);
    elapsed.push_back(seconds);
  }
};

/// Another support found during the search.
struct Alternative {
  SparseVector x;
  double value = 0.0;
};

/// What a solver returns.
struct Result {
  SparseVector x;
  double value = 0.0;      ///< f(x), without adaptive weights
  double intercept = 0.0;  ///< the best at x, if f has one; set by `solve`
  Vector weights;          ///< the final adaptive weights
  double step = 0.0;       ///< the given step, or the last one chosen
  Index iterations = 0;
  double gradients = 0.0;  ///< full-gradient equivalents spent off the support
  Status status = Status::completed;
  bool rank_deficient = false;            ///< the refit was on linearly dependent columns
  bool attained = true;                   ///< false: f was still falling when the refit ended
  std::optional<bool> swap_optimal;       ///< whether no single swap improves, if that was checked
  std::vector<Alternative> alternatives;  ///< best first, without x
  History history;
};

}}  // namespace regiht::REGIHT_ABI
