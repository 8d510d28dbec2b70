#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "regiht/kernels/vector.hpp"
#include "regiht/screening/column_products.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The references of a ColumnProducts that holds its derivative vectors in memory.
class References {
 public:
  void take(ConstVectorView derivative) {
    ++taken_;
    older_.swap(newer_);
    older_square_ = newer_square_;
    newer_ = derivative;
    newer_square_ = kernels::squared_norm(newer_.size(), newer_.data());
    if (older_.size() != 0) product_ = kernels::dot(newer_.size(), newer_.data(), older_.data());
  }

  /// How many references have been taken.
  Index taken() const { return taken_; }

  const Vector& newer() const { return newer_; }
  double newer_norm() const { return std::sqrt(newer_square_); }

  /// out = r − newer·r₀ − older·r₁; rounded by less than 4ε times the size in total.
  void subtract(const Prediction& known, ConstVectorView r, Vector& out) const {
    out = r - known.newer * newer_;
    if (known.older != 0.0) out -= known.older * older_;
  }

  /// The combination of both nearest to r; nothing if there is only one or they are parallel.
  ///
  /// Any coefficients would be valid: the distance is measured with those returned, and covers the
  /// rounding of the combination, less than 4ε times the size.
  std::optional<Prediction> project(ConstVectorView r) const {
    if (older_.size() == 0) return std::nullopt;
    const double determinant = newer_square_ * older_square_ - product_ * product_;
    if (!(determinant > 1e-10 * newer_square_ * older_square_)) return std::nullopt;
    const double along_newer = kernels::dot(r.size(), r.data(), newer_.data());
    const double along_older = kernels::dot(r.size(), r.data(), older_.data());
    Prediction found;
    found.newer = (older_square_ * along_newer - product_ * along_older) / determinant;
    found.older = (newer_square_ * along_older - product_ * along_newer) / determinant;
    const double rest = std::sqrt(kernels::squared_distance_from_combination(
        r.size(), r.data(), found.newer, newer_.data(), found.older, older_.data()));
    const double combined = std::abs(found.newer) * std::sqrt(newer_square_) +
                            std::abs(found.older) * std::sqrt(older_square_);
    found.size = 2.0 * combined + rest;
    found.distance = rest + 4.0 * std::numeric_limits<double>::epsilon() * found.size;
    if (!std::isfinite(found.size)) return std::nullopt;
    return found;
  }

 private:
  Index taken_ = 0;
  Vector newer_, older_;
  double newer_square_ = 0.0, older_square_ = 0.0, product_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
