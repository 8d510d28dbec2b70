#pragma once

#include "regiht/lowrank/panel_kernels.hpp"
#include "regiht/lowrank/products.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Aᵀ · A: as `inner_product`, but each pair of columns is met once.
inline Block gram(const Block& A, int threads) {
  const Index size = A.cols(), stride = kernels::panel_stride(size);
  if (size == 0) return Block(0, 0);
  Block filled_up;
  if (stride != size) {
    filled_up = Block::Zero(A.rows(), stride);
    filled_up.leftCols(size) = A;
  }
  const double* rows = stride == size ? A.data() : filled_up.data();
  const Index pieces = piece_count(A.rows(), rows_per_sum);
  std::vector<Block> parts(static_cast<std::size_t>(pieces));
  parallel_for(worth_threads(threads, A.size() * size), pieces, [&](Index piece) {
    const Index first = piece * rows_per_sum;
    const double* from = rows + first * stride;
    Block part = Block::Zero(stride, stride);
    kernels::add_panel_gram(std::min(rows_per_sum, A.rows() - first), stride, from, from,
                            part.data());
    parts[static_cast<std::size_t>(piece)] = std::move(part);
  });
  Block sum = Block::Zero(stride, stride);
  for (const Block& part : parts) sum += part;
  return sum.topLeftCorner(size, size).selfadjointView<Eigen::Upper>();
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
