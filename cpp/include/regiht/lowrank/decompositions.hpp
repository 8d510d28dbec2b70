#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <stdexcept>

#include "regiht/lowrank/block.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// U · diag(s) · Vᵀ with s falling.
struct SingularTriplets {
  Basis U;
  Vector s;
  Basis V;
};

/// All min(rows, cols) singular triplets.
inline SingularTriplets thin_svd(const Eigen::Ref<const Basis>& matrix) {
  if (matrix.size() == 0) {
    const Index least = std::min(matrix.rows(), matrix.cols());
    return {Basis::Zero(matrix.rows(), least), Vector::Zero(least),
            Basis::Zero(matrix.cols(), least)};
  }
  const Eigen::BDCSVD<Basis> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  if (svd.info() != Eigen::Success)
    throw std::overflow_error("a singular value decomposition of NaN or infinity");
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

/// The rank leading singular triplets of a matrix: H_r of the paper, in factors.
inline SingularTriplets truncate_rank(const Eigen::Ref<const Basis>& matrix, Index rank) {
  SingularTriplets all = thin_svd(matrix);
  const Index kept = std::min(rank, static_cast<Index>(all.s.size()));
  return {all.U.leftCols(kept), all.s.head(kept), all.V.leftCols(kept)};
}

/// Q · diag(values) · Qᵀ with values rising.
struct SymmetricEigen {
  Vector values;
  Basis vectors;
};

/// Reads the lower triangle.
inline SymmetricEigen symmetric_eigen(const Eigen::Ref<const Basis>& matrix) {
  const Eigen::SelfAdjointEigenSolver<Basis> solver(matrix);
  if (solver.info() != Eigen::Success)
    throw std::overflow_error("an eigenvalue decomposition of NaN or infinity");
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
