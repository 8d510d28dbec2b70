#pragma once

#include <optional>

#include "regiht/design/column_norms.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A prediction of the current derivative vector r from two references:
/// ‖r − newer·r₀ − older·r₁‖ ≤ distance.
struct Prediction {
  double newer = 1.0, older = 0.0;
  double distance = 0.0;
  double size = 0.0;  ///< bounds ‖r‖ + |newer|‖r₀‖ + |older|‖r₁‖
};

/// Products with a copy âⱼ of the columns, at a fraction of the cost of exact ones.
class QuantizedProducts {
 public:
  virtual ~QuantizedProducts() = default;

  /// The largest ‖aⱼ − âⱼ‖/‖aⱼ‖; infinite if there is no copy. The first call may make it.
  virtual double error() = 0;

  /// ‖r‖.
  virtual double norm() = 0;

  /// out[j] = ⟨aⱼ, r − newer·r₀ − older·r₁⟩, off by at most ‖aⱼ‖ times the return value; nothing if
  /// no bound is known.
  virtual std::optional<double> products(const Prediction& known, VectorView out) = 0;
};

/// What screening needs of the data at the current point x, where the loss has the derivative
/// vector r and the gradient is Aᵀr.
///
/// The rows may live anywhere: only numbers and vectors with one entry per column leave them. So
/// the implementation keeps the references, the last two r taken. Computed products may be off by
/// (rows + 16)·ε·‖āⱼ‖‖r‖, with the roundoff norms ‖āⱼ‖; norms and distances by 2(rows + 16)·ε of
/// their size.
class ColumnProducts {
 public:
  virtual ~ColumnProducts() = default;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;

  /// The cost of one product with column j, and of all products together, in the same units.
  virtual double column_cost(Index column) const = 0;
  virtual double full_cost() const = 0;

  /// Called only once screening is worth it: norms cost about as much as a full gradient.
  virtual const ColumnNorms& norms() = 0;

  /// x.
  virtual const SparseVector& point() const = 0;

  /// out[k] = ⟨aⱼ, r⟩ with j = columns[k].
  virtual void at(const Support& columns, VectorView out) = 0;

  /// out = Aᵀr.
  virtual void all(VectorView out) = 0;

  /// Makes r the newest reference r₀, and the previous one r₁. Returns ‖r‖.
  virtual double take_reference() = 0;

  /// An upper bound on ‖r − r₀‖.
  virtual double distance() = 0;

  /// The combination of r₀ and r₁ nearest to r, or nothing. Called only if both exist.
  virtual std::optional<Prediction> project() { return std::nullopt; }

  /// Null if not supported.
  virtual QuantizedProducts* quantized() { return nullptr; }
};

}}  // namespace regiht::REGIHT_ABI
