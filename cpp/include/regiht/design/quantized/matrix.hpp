#pragma once

#include <cstdint>
#include <utility>

#include "regiht/design/quantized/vector.hpp"
#include "regiht/kernels/dispatch.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// âⱼ = centerⱼ·1 + unitⱼ·qⱼ with integers |q| ≤ 127, and bounds on ‖aⱼ − âⱼ‖.
struct QuantizedColumns {
  Vector centers, units, errors;

  explicit QuantizedColumns(Index cols)
      : centers(Vector::Zero(cols)), units(Vector::Zero(cols)), errors(Vector::Zero(cols)) {}
};

/// A quantized copy of a matrix, one byte per entry, with products at a fraction of the cost of
/// exact ones.
class QuantizedMatrix {
 public:
  virtual ~QuantizedMatrix() = default;

  const QuantizedColumns& columns() const { return columns_; }

  /// Replaces the columns by factorⱼ(aⱼ − meanⱼ).
  void standardize(const Vector& means, const Vector& factors, Index rows) {
    const double root = std::sqrt(static_cast<double>(rows));
    columns_.errors += 4.0 * std::numeric_limits<double>::epsilon() * root *
                       (columns_.centers.cwiseAbs() + means.cwiseAbs());
    columns_.centers = factors.cwiseProduct(columns_.centers - means);
    columns_.units = columns_.units.cwiseProduct(factors);
    columns_.errors = columns_.errors.cwiseProduct(factors) * (1.0 + 1e-15);
  }

  /// out[j] = âⱼᵀv̂. Sums are exact integer sums, so their order does not matter.
  void apply_transpose(const QuantizedVector& v, VectorView out, int threads) const {
    multiply(v.entries(), out.data(), threads);
    finish(out.size(), v.unit(), v.unit() * v.total(), columns_.units.data(),
           columns_.centers.data(), out.data());
  }

 protected:
  explicit QuantizedMatrix(QuantizedColumns columns) : columns_(std::move(columns)) {}

  QuantizedColumns columns_;

 private:
  /// out[j] = qⱼᵀw.
  virtual void multiply(const std::int16_t* w, double* out, int threads) const = 0;

  REGIHT_WIDE static void finish(Index cols, double unit, double total, const double* units,
                                 const double* centers, double* out) {
    for (Index j = 0; j < cols; ++j) out[j] = unit * units[j] * out[j] + total * centers[j];
  }
};

}}  // namespace regiht::REGIHT_ABI
