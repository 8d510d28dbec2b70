#pragma once

#include <memory>

#include "regiht/lowrank/factors.hpp"
#include "regiht/lowrank/matrix_operator.hpp"
#include "regiht/lowrank/poll.hpp"
#include "regiht/lowrank/space_weights.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// An objective evaluated at one matrix A.
class Point {
 public:
  virtual ~Point() = default;

  virtual double value() const = 0;

  /// ∇f(A) without the ridge term; the point owns it.
  virtual const MatrixOperator& gradient() = 0;

  /// ⟨∇f(A), B − A⟩, ridge included, where B is another point of the same objective.
  virtual double slope_towards(Point& other) = 0;
};

/// All matrices U·X·Vᵀ, for U and V with orthonormal columns.
struct Span {
  Block U, V;
};

/// A convex function of a matrix, evaluated at matrices given by their factors.
class MatrixObjective {
 public:
  virtual ~MatrixObjective() = default;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;

  /// f includes (ridge/2)‖A‖².
  virtual double ridge() const = 0;

  virtual std::unique_ptr<Point> at(const Factors& A, int threads) const = 0;

  /// The X that minimises f(U·X·Vᵀ) + Φ(U·X·Vᵀ), from a first guess; without weights Φ is zero.
  virtual Block corrective(const Span& span, Block X, const Regularizer* weights, int threads,
                           const Poll& poll) const = 0;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
