#pragma once

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Adds the second derivatives of (ridge/2)‖x‖² to a block of second derivatives.
inline void add_ridge(double ridge, const Support& rows, const Support& columns, Matrix& out) {
  if (ridge == 0.0) return;
  std::size_t k = 0;
  for (std::size_t l = 0; l < columns.size(); ++l) {
    while (k < rows.size() && rows[k] < columns[l]) ++k;
    if (k < rows.size() && rows[k] == columns[l])
      out(static_cast<Index>(k), static_cast<Index>(l)) += ridge;
  }
}

}}  // namespace regiht::REGIHT_ABI
