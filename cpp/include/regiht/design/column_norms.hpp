#pragma once

#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/kernels/roundoff.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The column norms that screening bounds need, enlarged to cover underflow.
struct ColumnNorms {
  Vector norms;           ///< ‖aⱼ‖
  Vector roundoff_norms;  ///< Design::column_roundoff_norms

  /// From norms as computed over `rows` rows.
  ColumnNorms(Index rows, Vector computed, Vector computed_roundoff)
      : norms(std::move(computed)), roundoff_norms(std::move(computed_roundoff)) {
    cover_underflow(rows);
  }

  explicit ColumnNorms(const Design& design) : norms(design.cols()), roundoff_norms(design.cols()) {
    design.column_squares(Vector::Zero(design.cols()), norms);
    norms = norms.cwiseSqrt();
    if (design.roundoff_norms_are_norms())
      roundoff_norms = norms;
    else
      design.column_roundoff_norms(roundoff_norms);
    cover_underflow(design.rows());
  }

 private:
  void cover_underflow(Index rows) {
    norms.array() += underflow_norm(rows);
    roundoff_norms.array() += underflow_norm(rows);
  }
};

}}  // namespace regiht::REGIHT_ABI
