#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Slots that entries off the support compete for, by magnitude alone, with each other and with
/// incumbents of these magnitudes.
struct EntryQuery {
  Index slots = 0;
  std::vector<double> incumbents;
};

/// out(k, l) ≈ ∂²f/∂xᵢ∂xⱼ at x, with i = rows[k] and j = columns[l], by central differences of
/// gradients. By symmetry the differences run along the shorter of the two lists.
///
/// `gradient_at(point, out)` writes ∇ⱼf at the point for the indices it lists.
template <class GradientAt>
void difference_gradients(const SparseVector& x, const Support& rows, const Support& columns,
                          Matrix& out, GradientAt&& gradient_at) {
  const bool along_rows = rows.size() < columns.size();
  const Support& varied = along_rows ? rows : columns;
  const Support& read = along_rows ? columns : rows;
  SparseVector near = restricted(x, united(x.indices, united(rows, columns)));
  Vector before(near.size()), after(near.size());
  out.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t v = 0; v < varied.size(); ++v) {
    double& entry = near.values[near.position(varied[v])];
    const double middle = entry;
    const double distance = 1e-5 * std::max(1.0, std::abs(middle));
    entry = middle - distance;
    gradient_at(std::as_const(near), before);
    entry = middle + distance;
    gradient_at(std::as_const(near), after);
    entry = middle;
    for (std::size_t r = 0; r < read.size(); ++r) {
      const Index at = static_cast<Index>(near.position(read[r]));
      const Index k = static_cast<Index>(along_rows ? v : r);
      const Index l = static_cast<Index>(along_rows ? r : v);
      out(k, l) = (after[at] - before[at]) / (2.0 * distance);
    }
  }
}

/// A convex function as the solvers see it, positioned at the point of the last move_to.
///
/// Results depend on that point, not on the path to it, up to rounding. A solver borrows the
/// objective for one run and calls it on its own thread only. Exceptions pass through the solver to
/// its caller; the next call after one, if any, is a move_to. Arguments belong to the caller and
/// must not be stored. `entries` may hold an earlier answer: the objective clears it, then fills it
/// in ascending order of index.
class Objective {
 public:
  virtual ~Objective() = default;

  /// The number of variables, the same in every call.
  virtual Index dimension() const = 0;

  /// Rows times columns of the matrix behind f, or a number of comparable cost.
  virtual double size() const { return 500.0 * static_cast<double>(dimension()); }

  /// Announces that the next points will list these indices, as in a refit; may prepare or do
  /// nothing.
  virtual void expect(const Support& /*indices*/) {}

  /// Moves to x, keeping a copy, and returns f(x); a value that is not finite is a failed step.
  virtual double move_to(const SparseVector& x) = 0;

  /// The x of the last move_to, including any zeros it lists; valid until the next move_to.
  virtual const SparseVector& point() const = 0;

  /// Writes ∇ⱼf for the indices that x lists; `out` has one entry for each.
  virtual void gradient_on_support(VectorView out) = 0;

  /// Lists every j that x does not list with |∇ⱼf| ≥ magnitude; may list others as well.
  virtual void gradient_off_support(double magnitude, SparseVector& entries) = 0;

  /// Whether gradient_entering can make use of an EntryQuery at this point.
  virtual bool wants_query() const { return false; }

  /// Like gradient_off_support, but may omit entries that cannot win or tie for a slot.
  virtual void gradient_entering(double magnitude, const EntryQuery&, SparseVector& entries) {
    gradient_off_support(magnitude, entries);
  }

  /// Lists at least the `count` largest gradient entries among the indices that x does not list.
  virtual void largest_off_support(Index /*count*/, SparseVector& entries) {
    gradient_off_support(0.0, entries);
  }

  /// Resizes `out` and sets out(k, l) = ∂²f/∂xᵢ∂xⱼ at x, with i = rows[k] and j = columns[l]; by
  /// default from differences of gradients.
  virtual void second_derivatives(const Support& rows, const Support& columns, Matrix& out) {
    const SparseVector start = point();
    difference_gradients(start, rows, columns, out, [&](const SparseVector& at, VectorView g) {
      move_to(at);
      gradient_on_support(g);
    });
    move_to(start);
  }

  /// out = VᵀHV for these directions V, with H the second derivatives for these entries, formed as
  /// sums of squares: keeps the digits that H loses where columns are nearly dependent. False if
  /// unsupported.
  virtual bool second_derivatives_along(const Support& /*entries*/, const Matrix& /*directions*/,
                                        Matrix& /*out*/) {
    return false;
  }

  /// The second derivatives, for these entries, of a quadratic that touches f at x and lies above f
  /// everywhere; false if none is known.
  virtual bool majorizing_derivatives(const Support& /*entries*/, Matrix& /*out*/) { return false; }

  /// out[k] = ∂²f/∂xⱼ² at x, with j = columns[k]; searches ask for a few hundred at a time.
  virtual void curvatures(const Support& columns, VectorView out) {
    Matrix one;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      second_derivatives({columns[k]}, {columns[k]}, one);
      out[static_cast<Index>(k)] = one(0, 0);
    }
  }

  /// Whether the second derivatives are constant; the answer must never change.
  virtual bool is_quadratic() const { return false; }

  /// out[j] ≈ ∂²f/∂xⱼ² at x for every j; used only to compare columns of different scale.
  virtual void approximate_curvatures(VectorView out) { out.setOnes(); }

  /// Gradient entries evaluated off the listed indices so far, in units of one full gradient.
  virtual double gradients_spent() const = 0;

  /// Multiply-adds spent so far, or a comparable cost; by default that of the gradients. Searches
  /// budget by it rather than by time, so that every run does the same.
  virtual double work() const { return size() * gradients_spent(); }

  /// Whether f optimises an intercept by itself, and its best value at x.
  virtual bool has_intercept() const { return false; }
  virtual double intercept() const { return 0.0; }
};

/// Whether entries meet an objective's contract: ascending indices, none of them in the support.
inline bool are_off_support(const SparseVector& entries, const Support& support) {
  std::size_t k = 0;
  for (std::size_t l = 0; l < entries.indices.size(); ++l) {
    const Index j = entries.indices[l];
    if (l > 0 && j <= entries.indices[l - 1]) return false;
    while (k < support.size() && support[k] < j) ++k;
    if (k < support.size() && support[k] == j) return false;
  }
  return entries.values.size() == entries.indices.size();
}

}}  // namespace regiht::REGIHT_ABI
