#pragma once

#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/kernels/roundoff.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// What the screening bound needs to know of each column; nothing is lost to underflow.
struct ColumnNorms {
  Vector norms;           ///< ‖aⱼ‖
  Vector roundoff_norms;  ///< Design::column_roundoff_norms

  /// As computed of columns with so many rows.
  ColumnNorms(Index rows, Vector computed, Vector computed_roundoff)
      : norms(std::move(computed)), roundoff_norms(std::move(computed_roundoff)) {
    norms.array() += underflow_norm(rows);
    roundoff_norms.array() += underflow_norm(rows);
  }

  explicit ColumnNorms(const Design& design) : ColumnNorms(design, norms_of(design)) {}

 private:
  ColumnNorms(const Design& design, const Vector& computed)
      : ColumnNorms(design.rows(), computed,
                    design.roundoff_norms_are_norms() ? computed : roundoff_norms_of(design)) {}

  static Vector norms_of(const Design& design) {
    Vector squares(design.cols());
    design.column_squares(Vector::Zero(design.cols()), squares);
    return squares.cwiseSqrt();
  }

  static Vector roundoff_norms_of(const Design& design) {
    Vector out(design.cols());
    design.column_roundoff_norms(out);
    return out;
  }
};

}  // namespace regiht
