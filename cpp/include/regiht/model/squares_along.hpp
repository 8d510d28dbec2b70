#pragma once

#include <algorithm>

#include "regiht/design/design.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// out = Vᵀ(AᵀWA + ridge)V for the columns `entries` of A and the directions V, without inner
/// products of columns, which would cancel where columns are nearly dependent. `change(z)` may
/// alter each Av; null weights W are ones. False if it would take too much memory.
template <class Change>
bool squares_along(const Design& design, const Support& entries, const Matrix& directions,
                   const Vector* weights, double ridge, int threads, Matrix& out, Change&& change) {
  constexpr Index most = 50'000'000;
  if (design.rows() * directions.cols() > most) return false;
  SparseVector direction{entries, std::vector<double>(entries.size())};
  Matrix images(design.rows(), directions.cols());
  for (Index k = 0; k < directions.cols(); ++k) {
    std::copy_n(directions.col(k).data(), entries.size(), direction.values.begin());
    design.apply(direction, 0.0, images.col(k), threads);
    change(images.col(k));
  }
  out.noalias() = images.transpose() * (weights ? Matrix(weights->asDiagonal() * images) : images);
  out += ridge * (directions.transpose() * directions);
  return true;
}

}}  // namespace regiht::REGIHT_ABI
