#pragma once

#include <optional>
#include <vector>

#include "regiht/status.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// What happened in each iteration, if it was recorded.
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

/// Another support that was found on the way.
struct Alternative {
  SparseVector x;
  double value = 0.0;
};

/// What a solver found.
struct Result {
  SparseVector x;
  double value = 0.0;      ///< f(x), without adaptive weights
  double intercept = 0.0;  ///< the best one at x, if f has one; `solve` sets it
  Vector weights;          ///< as they were when the run ended
  double step = 0.0;       ///< the step given, or the last one chosen
  Index iterations = 0;
  double gradients = 0.0;  ///< full-gradient equivalents spent outside the support
  Status status = Status::completed;
  bool rank_deficient = false;       ///< refitted on columns that depend on one another
  bool attained = true;              ///< false: values still fell when the refit ended
  std::optional<bool> swap_optimal;  ///< whether no single swap improves, if that was looked at
  std::vector<Alternative> alternatives;  ///< the best first, x not among them
  History history;
};

}}  // namespace regiht::REGIHT_ABI
