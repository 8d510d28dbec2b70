#pragma once

#include <cmath>
#include <limits>
#include <utility>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/list_large.hpp"
#include "regiht/screening/column_products.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// γ of the bounds below: a computed dot product over `rows` rows is off by at most γ‖āⱼ‖‖r‖.
inline double dot_roundoff(Index rows) {
  return static_cast<double>(rows + 16) * std::numeric_limits<double>::epsilon();
}

/// A column can matter if |newer·g₀ⱼ + older·g₁ⱼ| + ‖aⱼ‖·distance + ‖āⱼ‖·rounding reaches the
/// magnitude.
struct ColumnBound {
  double newer, older, distance, rounding, magnitude;

  bool is_finite() const { return std::isfinite(distance + rounding); }
};

/// A magnitude surely reached by a sum of three terms whose computed value is this.
inline double lowered(double magnitude) {
  return magnitude * (1.0 - 8.0 * std::numeric_limits<double>::epsilon());
}

/// A bound evaluated for single columns; borrows their gradients and norms.
struct EntryBounds {
  ColumnBound bound;
  const double *newer, *older, *norms, *roundoff_norms;

  double predicted(Index j) const {
    return std::abs(bound.newer * newer[j] + bound.older * older[j]);
  }

  /// How far the entry may be from predicted().
  double margin(Index j) const {
    return norms[j] * bound.distance + roundoff_norms[j] * bound.rounding;
  }

  /// A lower bound on the magnitude of the entry, rounding included.
  double at_least(Index j) const {
    return lowered(predicted(j)) - margin(j) * (1.0 + 8.0 * std::numeric_limits<double>::epsilon());
  }
};

/// Lists the columns that can reach the magnitude.
REGIHT_WIDE inline Index list_reaching(const EntryBounds& entries, Index cols, Index limit,
                                       Index* out) {
  const EntryBounds e = entries;
  return list_where(cols, e.bound.magnitude, limit, out, [=](Index j) REGIHT_LAMBDA {
    return std::abs(e.bound.newer * e.newer[j] + e.bound.older * e.older[j]) +
           e.norms[j] * e.bound.distance + e.roundoff_norms[j] * e.bound.rounding;
  });
}

/// The gradients at the last two references, and the bounds they give for the current one.
///
/// Let the full gradient g₀ be known for the derivative vector r₀ of an earlier point. For the
/// derivative r of the current one, Cauchy–Schwarz gives
///
///     |gⱼ| ≤ |g₀ⱼ| + ‖aⱼ‖·‖r − r₀‖,
///
/// and a column whose right side stays below the magnitude is left out. Computed dot products are
/// off by at most γ‖āⱼ‖‖r‖, where ‖āⱼ‖ bounds the norm of the terms summed (ColumnNorms) and
/// γ = (rows + 16)·ε. So the test is
///
///     |ĝ₀ⱼ| + ‖aⱼ‖·d + ‖āⱼ‖·γ(‖r‖ + ‖r₀‖) ≥ magnitude,    d = ‖r − r₀‖(1 + 2γ),
///
/// times 1 + 8ε on the left for the rounding of the test itself: every entry whose computed value
/// reaches the magnitude is found, whatever the round-off.
///
/// Where that leaves many columns, r is compared with a combination αr₀ + βr₁ of the last two
/// references, whose gradient αg₀ + βg₁ is also known:
///
///     |αĝ₀ⱼ + βĝ₁ⱼ| + ‖aⱼ‖·d + ‖āⱼ‖·2γ(‖r‖ + |α|‖r₀‖ + |β|‖r₁‖) ≥ magnitude,
///
/// with d = ‖r − αr₀ − βr₁‖(1 + 2γ); the second γ is for the sum αĝ₀ⱼ + βĝ₁ⱼ.
///
/// A reference may be quantized: αĝ₀ + βĝ₁ plus products with v = r − αr₀ − βr₁ that are off by at
/// most slack·‖aⱼ‖. With v rounded to v̂ and a quantized column âⱼ that is
///
///     |aⱼᵀv − âⱼᵀv̂| ≤ ‖aⱼ‖·‖v − v̂‖ + ‖aⱼ − âⱼ‖·‖v̂‖ .
///
/// The error of the reference, in units of ‖aⱼ‖ and of ‖āⱼ‖, is then added to d and to the
/// rounding.
class ReferenceGradients {
 public:
  ReferenceGradients(Index rows, const ColumnNorms& columns)
      : rows_(rows),
        columns_(columns),
        roundoff_(dot_roundoff(rows)),
        largest_norm_(columns.norms.maxCoeff()),
        largest_roundoff_norm_(columns.roundoff_norms.maxCoeff()) {}

  Index cols() const { return columns_.norms.size(); }

  /// How many references have been taken.
  Index taken() const { return taken_; }
  bool has_two() const { return taken_ > 1; }

  const Vector& newest() const { return newer_; }

  /// Takes a new reference with this gradient and this norm of the derivative vector.
  void take(ConstVectorView gradient, double derivative_norm) {
    older_.swap(newer_);
    newer_ = gradient;
    if (taken_ == 0) older_ = newer_;
    begin(derivative_norm, {0.0, roundoff_ * derivative_norm});
  }

  /// The same from products with r − newer·r₀ − older·r₁, known to within slack·‖aⱼ‖.
  void take_quantized(const Vector& products, const Prediction& known, double slack,
                      double derivative_norm) {
    const Error error = combined(known);
    older_ = products + known.newer * newer_ + known.older * older_;
    older_.swap(newer_);
    begin(derivative_norm,
          {enlarged(slack) + error.slack, error.rounding + 4.0 * roundoff_ * known.size});
  }

  /// For r at this distance from r₀.
  ColumnBound bound(double distance, double magnitude) const {
    const double most = enlarged(distance);
    // ‖r‖ ≤ ‖r₀‖ + d
    const double rounding = roundoff_ * (most + newer_norm_) + newer_error_.rounding;
    return {1.0, 0.0, most + newer_error_.slack, rounding, lowered(magnitude)};
  }

  ColumnBound bound(const Prediction& known, double magnitude) const {
    const Error error = combined(known);
    return {known.newer, known.older, enlarged(known.distance) + error.slack,
            2.0 * roundoff_ * known.size + error.rounding, lowered(magnitude)};
  }

  /// r at this distance from r₀, as a prediction.
  Prediction at_distance(double distance) const {
    return {1.0, 0.0, distance, 2.0 * newer_norm_ + distance};
  }

  /// The error of a combination of the references, in units of ‖aⱼ‖.
  double slack(const Prediction& known) const { return combined(known).slack; }

  /// The same for the newest reference.
  double newest_slack() const { return newer_error_.slack; }

  /// The bound for single columns; borrows from this object.
  EntryBounds under(const ColumnBound& bound) const {
    return {bound, newer_.data(), older_.data(), columns_.norms.data(),
            columns_.roundoff_norms.data()};
  }

  /// The largest margin of any column.
  double largest_margin(const ColumnBound& bound) const {
    return largest_norm_ * bound.distance + largest_roundoff_norm_ * bound.rounding;
  }

  /// Lists the columns that can reach the magnitude, stopping beyond `limit`; `out` has room for
  /// all.
  Index list(const ColumnBound& bound, Index limit, Index* out) const {
    return list_reaching(under(bound), cols(), limit, out);
  }

 private:
  /// |ĝⱼ − aⱼᵀr| ≤ slack·‖aⱼ‖ + rounding·‖āⱼ‖ for the gradient ĝ of a reference.
  struct Error {
    double slack = 0.0, rounding = 0.0;
  };

  Error combined(const Prediction& known) const {
    const double newer = std::abs(known.newer), older = std::abs(known.older);
    return {newer * newer_error_.slack + older * older_error_.slack,
            newer * newer_error_.rounding + older * older_error_.rounding};
  }

  void begin(double derivative_norm, const Error& error) {
    ++taken_;
    older_error_ = std::exchange(newer_error_, error);
    newer_norm_ = derivative_norm;
  }

  /// An upper bound on a norm computed as this.
  double enlarged(double norm) const {
    return norm * (1.0 + 2.0 * roundoff_) + underflow_norm(rows_);
  }

  Index rows_;
  const ColumnNorms& columns_;
  double roundoff_, largest_norm_, largest_roundoff_norm_;
  Index taken_ = 0;
  Vector newer_, older_;  // g₀ and g₁; equal while there is only one
  Error newer_error_, older_error_;
  double newer_norm_ = 0.0;  // ‖r₀‖
};

}}  // namespace regiht::REGIHT_ABI
