#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "regiht/options/groups.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Solver options, with the meanings and defaults of regiht.solve in Python.
struct Options {
  Index sparsity = 1;                 ///< s: the most nonzero entries, or groups
  std::optional<double> step;         ///< 1/β; chosen by the solver if unset
  std::optional<double> weight_step;  ///< c; s/max_iter if unset, s/(4·max_iter) with safeguard
  bool adaptive_weight_step = false;  ///< the solver chooses c; max_iter is a cap
  Index max_iter = 800;
  double tol = 0.0;
  double round_threshold = 0.5;        ///< weights up to this become zero
  bool safeguard = false;              ///< Algorithm 1 to the letter
  bool refit = false;                  ///< end with a refit on the final support
  bool swap = false;                   ///< end with swaps until none improves
  double effort = 1.0;                 ///< of a portfolio: multiplies its work budget
  std::optional<double> target_value;  ///< f*, for methods that use it
  std::uint64_t seed = 0;              ///< for randomized methods
  bool history = false;
  Support keep;                          ///< entries always selected; they count in s
  bool positive = false;                 ///< all entries ≥ 0
  std::shared_ptr<const Groups> groups;  ///< of entries selected together; may be null
  SparseVector x0;                       ///< starting point
  std::optional<Vector> w0;              ///< initial weights; ones if unset

  /// Calls visit(name, field) for every field; bindings set options by these names.
  template <class Visit>
  void visit_fields(Visit&& visit) {
    visit("sparsity", sparsity);
    visit("step", step);
    visit("weight_step", weight_step);
    visit("adaptive_weight_step", adaptive_weight_step);
    visit("max_iter", max_iter);
    visit("tol", tol);
    visit("round_threshold", round_threshold);
    visit("safeguard", safeguard);
    visit("refit", refit);
    visit("swap", swap);
    visit("effort", effort);
    visit("target_value", target_value);
    visit("seed", seed);
    visit("history", history);
    visit("keep", keep);
    visit("positive", positive);
    visit("groups", groups);
    visit("x0", x0);
    visit("w0", w0);
  }

  /// Throws std::invalid_argument for what a method cannot run with; only solve() refits and swaps.
  void check(Index dimension) const {
    require(!refit && !swap, "refit and swap are made by solve(), not by a method alone");
    require(sparsity >= 1 && sparsity <= dimension, "sparsity must be between 1 and the dimension");
    check_indices(keep, dimension, "keep");
    if (groups) check_groups(dimension);
    require(count_units(keep) <= sparsity, "keep must not list more than s entries");
    require(!step || (*step > 0.0 && std::isfinite(*step)), "step must be positive and finite");
    require(!weight_step || (*weight_step >= 0.0 && std::isfinite(*weight_step)),
            "weight_step must be finite and not negative");
    require(!weight_step || !adaptive_weight_step,
            "weight_step must not be given when it is adaptive");
    require(max_iter >= 0, "max_iter must not be negative");
    require(tol >= 0.0, "tol must not be negative");
    require(round_threshold >= 0.0 && round_threshold <= 1.0,
            "round_threshold must be between 0 and 1");
    require(effort >= 0.0, "effort must not be negative");
    require(!w0 || w0->size() == dimension, "w0 must have one entry for every column");
    check_indices(x0.indices, dimension, "x0");
    require(x0.indices.size() == x0.values.size(), "x0 must have as many values as indices");
  }

  /// How many of the s these entries use: one each, or one per group.
  Index count_units(const Support& entries) const {
    return static_cast<Index>(groups ? groups->of_all(entries).size() : entries.size());
  }

  double effective_weight_step() const {
    if (weight_step) return *weight_step;
    const double iterations = static_cast<double>(max_iter > 0 ? max_iter : 1);
    return static_cast<double>(sparsity) / (safeguard ? 4.0 * iterations : iterations);
  }

 private:
  static void require(bool condition, const char* text) {
    if (!condition) throw std::invalid_argument(text);
  }

  void check_groups(Index dimension) const {
    require(groups->columns() == dimension, "groups must have one for every column");
    require(sparsity <= groups->count(), "sparsity must not be above the number of groups");
    require(groups->members_of_all(groups->of_all(keep)) == keep, "keep must list whole groups");
  }

  static void check_indices(const Support& indices, Index dimension, const std::string& name) {
    Index previous = -1;
    for (const Index index : indices) {
      if (index <= previous || index >= dimension)
        throw std::invalid_argument(name +
                                    " must list indices in ascending order, each below the "
                                    "dimension");
      previous = index;
    }
  }
};

}}  // namespace regiht::REGIHT_ABI
