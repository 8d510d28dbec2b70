#pragma once

#include <cassert>
#include <cmath>
#include <limits>

#include "regiht/objective.hpp"
#include "regiht/projection/projection.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The displacement d = next − x of a step.
struct Displacement {
  double slope = 0.0;             ///< ⟨∇f(x), d⟩
  double squared = 0.0;           ///< ‖d‖²
  double weighted_squared = 0.0;  ///< Σ w d²
};

/// H_s((1 − ½w)∘x − move·∇f(x)), asking f only for gradient entries that can matter.
class ThresholdedStep {
 public:
  ThresholdedStep(Objective& f, Projection& projection) : f_(f), projection_(projection) {}

  /// Reads the gradient at x. f must be there, as in propose() and steepest().
  void start_from(const SparseVector& x) {
    inside_.resize(x.size());
    f_.gradient_on_support(inside_);
  }

  /// Without weights, w = 0.
  void propose(const SparseVector& x, const Vector* weights, double move, SparseVector& next) {
    moved_.indices = x.indices;
    moved_.values.resize(x.values.size());
    for (std::size_t k = 0; k < x.indices.size(); ++k) {
      const double shrink = weights ? 1.0 - 0.5 * (*weights)[x.indices[k]] : 1.0;
      moved_.values[k] = shrink * x.values[k] - move * inside_[static_cast<Index>(k)];
    }
    // An entry off the support becomes −move·∇ⱼf; the margin covers the rounding of that product.
    constexpr double margin = 1.0 - 8.0 * std::numeric_limits<double>::epsilon();
    const double magnitude = projection_.entry_magnitude(moved_) / move * margin;
    if (f_.wants_query() && projection_.describe_contest(moved_, contest_)) {
      for (double& incumbent : contest_.incumbents) incumbent = incumbent / move * margin;
      f_.gradient_entering(magnitude, contest_, outside_);
    } else {
      f_.gradient_off_support(magnitude, outside_);
    }
    assert(are_off_support(outside_, x.indices));
    merge(move, next);
    projection_.apply(next);
  }

  /// Minus the gradient on the listed entries of x and on the s largest others: the entries a step
  /// may reach.
  void steepest(const SparseVector& x, SparseVector& descent) {
    f_.gradient_off_support(0.0, outside_);
    negate(outside_);
    projection_.apply(outside_);
    negate(outside_);
    moved_.indices = x.indices;
    moved_.values.resize(x.values.size());
    for (std::size_t k = 0; k < x.values.size(); ++k)
      moved_.values[k] = -inside_[static_cast<Index>(k)];
    merge(1.0, descent);
  }

  Displacement displacement(const SparseVector& x, const Vector* weights, double move,
                            const SparseVector& next) const {
    Displacement d;
    const auto add = [&](Index j, double gradient, double difference) {
      d.slope += gradient * difference;
      d.squared += difference * difference;
      if (weights) d.weighted_squared += (*weights)[j] * difference * difference;
    };
    std::size_t k = 0;
    for (std::size_t l = 0; l < next.indices.size(); ++l) {
      const Index j = next.indices[l];
      for (; k < x.indices.size() && x.indices[k] < j; ++k)
        add(x.indices[k], inside_[static_cast<Index>(k)], -x.values[k]);
      if (k < x.indices.size() && x.indices[k] == j) {
        add(j, inside_[static_cast<Index>(k)], next.values[l] - x.values[k]);
        ++k;
      } else {
        add(j, -next.values[l] / move, next.values[l]);
      }
    }
    for (; k < x.indices.size(); ++k)
      add(x.indices[k], inside_[static_cast<Index>(k)], -x.values[k]);
    return d;
  }

 private:
  /// Merges the moved entries on and off the support, in order of index.
  void merge(double move, SparseVector& next) const {
    next.clear();
    std::size_t k = 0;
    for (std::size_t l = 0; l < outside_.indices.size(); ++l) {
      for (; k < moved_.indices.size() && moved_.indices[k] < outside_.indices[l]; ++k)
        next.append(moved_.indices[k], moved_.values[k]);
      next.append(outside_.indices[l], -move * outside_.values[l]);
    }
    for (; k < moved_.indices.size(); ++k) next.append(moved_.indices[k], moved_.values[k]);
  }

  Objective& f_;
  Projection& projection_;
  Vector inside_;
  SparseVector moved_, outside_;
  EntryQuery contest_;
};

}}  // namespace regiht::REGIHT_ABI
