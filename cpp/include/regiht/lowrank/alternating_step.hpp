#pragma once

#include <Eigen/Cholesky>

#include "regiht/lowrank/observed_entries.hpp"

namespace regiht::lowrank {

enum class Side { left, right };

/// What one alternating step minimises over a factor, the other being fixed:
/// Σ (d·δ + curvature·δ²/2) over the observed entries + (ridge/2)‖factor‖², where δ is the change
/// of the prediction and d the derivative of the loss. For squared loss, curvature 1 makes it
/// exact.
struct AlternatingStep {
  ConstVectorView derivative;
  double curvature;
  double ridge;
};

/// What observations tell about a direction counts from this part of what all entries would tell.
inline constexpr double smallest_told = 1e-11;

/// Moves every row of `factor` (left: one for each row of the matrix, right: for each column) to
/// the minimum, all rows being independent. Directions that no observation tells about stay. The
/// columns of `other` are orthonormal.
inline void alternating_step(const ObservedEntries& entries, Side side, const AlternatingStep& step,
                             ConstBlockView other, BlockView factor, int threads) {
  const Index rank = factor.cols();
  entries.for_lines(factor.rows(), rank * rank, threads, [&](Index at) {
    const auto line = side == Side::left ? entries.row(at) : entries.col(at);
    Eigen::MatrixXd system(rank, rank);
    Vector slope(rank);
    // Row by row the lower triangle, which is column by column the upper one.
    kernels::gram(line.count, line.others, rank, other.data(), system.data());
    if (side == Side::left)
      kernels::gather(line.count, line.others, step.derivative.data() + line.first, rank,
                      other.data(), slope.data());
    else
      kernels::gather_at(line.count, line.others, line.positions, step.derivative.data(), rank,
                         other.data(), slope.data());
    system *= step.curvature;
    slope += step.ridge * factor.row(at).transpose();
    // Keeps the system definite where observations tell too little.
    system.diagonal().array() += step.ridge + smallest_told * step.curvature;
    const Eigen::LDLT<Eigen::MatrixXd, Eigen::Upper> solver(system);
    factor.row(at) -= solver.solve(slope).transpose();
  });
}

}  // namespace regiht::lowrank
