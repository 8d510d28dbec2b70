#pragma once

#include <cmath>

#include "storage.hpp"

namespace regiht::testing {

/// Matrices that are hard to round: the same column again, entries that tie, an outlier, norms and
/// scales far apart, numbers near the ends of the range, no variance, a mean far off.
inline Matrix hard_matrix(Random& random, int kind, Index rows, Index cols) {
  Matrix A = random.matrix(rows, cols, 1.0);
  switch (kind) {
    case 1:
      for (Index j = 1; j < cols; ++j) A.col(j) = (j % 2 == 0 ? 1.0 : -1.0) * A.col(0);
      break;
    case 2:
      A = (2.0 * A.array()).round();
      break;
    case 3:
      A.row(rows / 2) *= 1000.0;
      break;
    case 4:
      for (Index j = 0; j < cols; ++j) A.col(j) *= std::ldexp(1.0, static_cast<int>(j % 60) - 30);
      break;
    case 5:
      A *= 1e-20;
      break;
    case 6:
      A *= 1e20;
      break;
    case 7:
      for (Index j = 0; j < cols; j += 3)
        A.col(j).setConstant(static_cast<float>(0.1 * static_cast<double>(j)));
      break;
    case 8:
      A.array() += 1000.0;
      break;
    case 9:  // within bits of each other
      for (Index j = 1; j < cols; ++j)
        A.col(j) = A.col(0) * (1.0 + 1e-15 * static_cast<double>(j % 7));
      break;
    default:
      break;
  }
  return A;
}
inline constexpr int hard_kinds = 10;

}  // namespace regiht::testing
