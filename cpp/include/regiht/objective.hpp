#pragma once

#include "regiht/types.hpp"

namespace regiht {

/// A convex function as the solvers see it: it stands at one point, that of the last move_to.
///
/// What it answers depends on that point, not on the way there, but for rounding in the last bits.
class Objective {
 public:
  virtual ~Objective() = default;

  virtual Index dimension() const = 0;

  /// Goes to x and returns f(x).
  virtual double move_to(const SparseVector& x) = 0;

  /// Writes ∇ⱼf for the indices that x lists.
  virtual void gradient_inside(VectorView out) = 0;

  /// Lists every j that x does not list with |∇ⱼf| ≥ magnitude; may list others as well.
  virtual void gradient_outside(double magnitude, SparseVector& entries) = 0;

  /// Gradient entries evaluated outside the listed indices so far, in units of one full gradient.
  virtual double gradients_spent() const = 0;
};

}  // namespace regiht
