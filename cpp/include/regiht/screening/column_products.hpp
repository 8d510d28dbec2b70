#pragma once

#include <optional>

#include "regiht/design/column_norms.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// What is known of the present derivative vector r: ‖r − newer·r₀ − older·r₁‖ ≤ distance for two
/// earlier ones whose gradients are known.
struct Prediction {
  double newer = 1.0, older = 0.0;
  double distance = 0.0;
  double size = 0.0;  ///< bounds ‖r‖ + |newer|‖r₀‖ + |older|‖r₁‖
};

/// Products with a copy of the columns, âⱼ, that cost a small part of exact ones.
class QuantizedProducts {
 public:
  virtual ~QuantizedProducts() = default;

  /// The largest ‖aⱼ − âⱼ‖/‖aⱼ‖; infinite if there is no copy. The first call may make it.
  virtual double error() = 0;

  /// ‖r‖.
  virtual double norm() = 0;

  /// out[j] = ⟨aⱼ, r − newer·r₀ − older·r₁⟩, off by at most ‖aⱼ‖ times what is returned; nothing if
  /// that cannot be said.
  virtual std::optional<double> products(const Prediction& known, VectorView out) = 0;
};

/// What screening needs of the data at the present point x, where the loss has the derivative
/// vector r and the gradient is Aᵀr.
///
/// The rows may live anywhere: what leaves are numbers, and vectors of one entry for each column.
/// So who implements it keeps the references, the two r that were last taken. Computed products may
/// be off by (rows + 16)·ε·‖āⱼ‖‖r‖, with the roundoff norms ‖āⱼ‖; norms and distances by 2(rows +
/// 16)·ε of their size.
class ColumnProducts {
 public:
  virtual ~ColumnProducts() = default;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;

  /// What one product with column j costs, and what all of them cost together, in like units.
  virtual double column_cost(Index column) const = 0;
  virtual double full_cost() const = 0;

  /// Asked for only once screening is worth it: they cost about as much as a full gradient.
  virtual const ColumnNorms& norms() = 0;

  /// x.
  virtual const SparseVector& point() const = 0;

  /// out[k] = ⟨aⱼ, r⟩ with j = columns[k].
  virtual void at(const Support& columns, VectorView out) = 0;

  /// out = Aᵀr.
  virtual void all(VectorView out) = 0;

  /// r becomes the newest reference r₀, and what was that becomes r₁. Returns ‖r‖.
  virtual double take_reference() = 0;

  /// ‖r − r₀‖, or more.
  virtual double distance() = 0;

  /// The combination of r₀ and r₁ nearest to r; nothing if there is none worth it. Asked for only
  /// if both are there.
  virtual std::optional<Prediction> project() { return std::nullopt; }

  /// Null if it has none to offer.
  virtual QuantizedProducts* quantized() { return nullptr; }
};

}}  // namespace regiht::REGIHT_ABI
