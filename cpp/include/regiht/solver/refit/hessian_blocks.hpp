#pragma once

#include <algorithm>
#include <cmath>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// How many columns of second derivatives, `height` entries each, to evaluate between checks for
/// Ctrl-C. Depends on the size of f alone, never on a clock.
inline Index columns_at_once(const Objective& f, Index height) {
  constexpr double multiplications = 4e7;
  constexpr double least = 32.0, most = 1e9;
  const double rows = f.size() / static_cast<double>(std::max<Index>(1, f.dimension()));
  const double each = std::max(1.0, rows * static_cast<double>(height));
  return static_cast<Index>(std::clamp(multiplications / each, least, most));
}

/// Objective::second_derivatives in blocks of columns where there are many. False if the observer
/// interrupts; then `out` is incomplete.
inline bool evaluate_blocks(Objective& f, const Support& rows, const Support& columns, Matrix& out,
                            Observer& observer) {
  const Index height = static_cast<Index>(rows.size()), width = static_cast<Index>(columns.size());
  const Index step = columns_at_once(f, height);
  if (step >= width) {
    f.second_derivatives(rows, columns, out);
    return true;
  }
  const bool symmetric = rows == columns;
  out.resize(height, width);
  Matrix block;
  for (Index first = 0; first < width; first += step) {
    if (observer.interruption()) return false;
    const Index count = std::min(step, width - first), top = symmetric ? first : 0;
    f.second_derivatives({rows.begin() + top, rows.end()},
                         {columns.begin() + first, columns.begin() + first + count}, block);
    out.block(top, first, height - top, count) = block;
  }
  if (symmetric) out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return true;
}

}}  // namespace regiht::REGIHT_ABI
