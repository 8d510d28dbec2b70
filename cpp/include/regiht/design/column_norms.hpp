#pragma once

#include "regiht/design/design.hpp"
#include "regiht/kernels/roundoff.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// What the screening bound needs to know of each column; nothing is lost to underflow.
struct ColumnNorms {
  Vector norms;           ///< ‖aⱼ‖
  Vector roundoff_norms;  ///< Design::column_roundoff_norms

  explicit ColumnNorms(const Design& design) : norms(design.cols()), roundoff_norms(design.cols()) {
    design.column_squares(Vector::Zero(design.cols()), norms);
    norms = norms.cwiseSqrt();
    if (design.roundoff_norms_are_norms())
      roundoff_norms = norms;
    else
      design.column_roundoff_norms(roundoff_norms);
    norms.array() += underflow_norm(design.rows());
    roundoff_norms.array() += underflow_norm(design.rows());
  }
};

}  // namespace regiht
