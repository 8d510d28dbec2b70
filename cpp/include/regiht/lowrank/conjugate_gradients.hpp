#pragma once

#include "regiht/lowrank/block.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Solves apply(x) = b for a linear map that is not negative and a b in its range.
template <class LinearMap>
Block conjugate_gradients(const LinearMap& apply, const Block& b, Index max_iter) {
  constexpr double tol = 1e-13;
  Block x = Block::Zero(b.rows(), b.cols()), residual = b, direction = b;
  const double start = b.squaredNorm();
  double size = start;
  for (Index done = 0; done < max_iter && size > tol * tol * start; ++done) {
    const Block image = apply(direction);
    const double curvature = direction.cwiseProduct(image).sum();
    if (!(curvature > 0.0)) break;
    const double step = size / curvature;
    x += step * direction;
    residual -= step * image;
    const double smaller = residual.squaredNorm();
    direction = residual + (smaller / size) * direction;
    size = smaller;
  }
  return x;
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
