#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "regiht/types.hpp"

namespace regiht {

/// What entries off the support compete for by their magnitudes alone: a number of slots, with
/// each other and with incumbents of these magnitudes.
struct EntryQuery {
  Index slots = 0;
  std::vector<double> incumbents;
};

/// A convex function as the solvers see it: it stands at one point, that of the last move_to.
///
/// What it answers depends on that point, not on the way there, but for rounding in the last bits.
class Objective {
 public:
  virtual ~Objective() = default;

  virtual Index dimension() const = 0;

  /// Rows times columns of the matrix behind f, or about what would cost as much.
  virtual double size() const { return 500.0 * static_cast<double>(dimension()); }

  /// Goes to x and returns f(x).
  virtual double move_to(const SparseVector& x) = 0;

  /// The x of the last move_to.
  virtual const SparseVector& point() const = 0;

  /// Writes ∇ⱼf for the indices that x lists.
  virtual void gradient_on_support(VectorView out) = 0;

  /// Lists every j that x does not list with |∇ⱼf| ≥ magnitude; may list others as well.
  virtual void gradient_off_support(double magnitude, SparseVector& entries) = 0;

  /// Whether it gains at this point from knowing what they compete for.
  virtual bool wants_query() const { return false; }

  /// Lists those of them that can win a place, or draw; may list others as well.
  virtual void gradient_entering(double magnitude, const EntryQuery&, SparseVector& entries) {
    gradient_off_support(magnitude, entries);
  }

  /// Lists at least the `count` largest gradient entries that x does not list.
  virtual void largest_off_support(Index /*count*/, SparseVector& entries) {
    gradient_off_support(0.0, entries);
  }

  /// out(k, l) = ∂²f/∂xᵢ∂xⱼ at x, with i = rows[k] and j = columns[l]. Differences of
  /// gradients, unless the function knows better.
  virtual void second_derivatives(const Support& rows, const Support& columns, Matrix& out) {
    difference_gradients(rows, columns, out);
  }

  /// out = VᵀHV with these directions V, H being the second derivatives for these entries, as sums
  /// of squares: with the digits that H loses where columns are nearly dependent. False if f knows
  /// none.
  virtual bool second_derivatives_along(const Support& /*entries*/, const Matrix& /*directions*/,
                                        Matrix& /*out*/) {
    return false;
  }

  /// The second derivatives, for these entries, of a quadratic that touches f at x and lies above f
  /// everywhere; false if f knows none.
  virtual bool majorizing_derivatives(const Support& /*entries*/, Matrix& /*out*/) { return false; }

  /// out[k] = ∂²f/∂xⱼ² at x, with j = columns[k].
  virtual void curvatures(const Support& columns, VectorView out) {
    Matrix one;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      second_derivatives({columns[k]}, {columns[k]}, one);
      out[static_cast<Index>(k)] = one(0, 0);
    }
  }

  /// Whether second derivatives are the same everywhere.
  virtual bool is_quadratic() const { return false; }

  /// out[j] ≈ ∂²f/∂xⱼ² at x for every j: to compare columns of unlike size, nothing more.
  virtual void approximate_curvatures(VectorView out) { out.setOnes(); }

  /// Gradient entries evaluated outside the listed indices so far, in units of one full gradient.
  virtual double gradients_spent() const = 0;

  /// The best intercept at x, if the function has one that it chooses by itself.
  virtual double intercept() const { return 0.0; }

 private:
  void difference_gradients(const Support& rows, const Support& columns, Matrix& out) {
    const SparseVector start = point();
    SparseVector near = restricted(start, united(start.indices, united(rows, columns)));
    Vector before(near.size()), after(near.size());
    out.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    for (std::size_t l = 0; l < columns.size(); ++l) {
      double& entry = near.values[near.position(columns[l])];
      const double middle = entry;
      const double distance = 1e-5 * std::max(1.0, std::abs(middle));
      entry = middle - distance;
      move_to(near);
      gradient_on_support(before);
      entry = middle + distance;
      move_to(near);
      gradient_on_support(after);
      entry = middle;
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const Index at = static_cast<Index>(near.position(rows[k]));
        out(static_cast<Index>(k), static_cast<Index>(l)) =
            (after[at] - before[at]) / (2.0 * distance);
      }
    }
    move_to(start);
  }
};

}  // namespace regiht
