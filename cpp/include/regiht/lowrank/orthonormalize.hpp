#pragma once

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cstdint>

#include "regiht/lowrank/products.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// The same numbers between −1 and 1 in every run, on every machine.
class FixedRandom {
 public:
  double next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-52 - 1.0;
  }

  void fill(Eigen::Ref<Vector> v) {
    for (Index i = 0; i < v.size(); ++i) v[i] = next();
  }

 private:
  std::uint64_t state_ = 1;
};

/// Subtracts from v its projection on the columns, twice for accuracy, and adds the coefficients of
/// that projection to `coefficients`.
template <class Columns>
void project_out(const Columns& columns, Eigen::Ref<Vector> v, Eigen::Ref<Vector> coefficients) {
  for (int pass = 0; pass < 2; ++pass) {
    const Vector part = columns.transpose() * v;
    v.noalias() -= columns * part;
    coefficients += part;
  }
}

/// Appends block's columns, made orthonormal, at column `size` of the basis.
///
/// Column j of `coefficients` expresses column j of the block in the basis after the call. A column
/// whose part outside the basis is at most `negligible` counts as inside, and a random direction
/// takes its place.
inline void append_orthonormal(Block& basis, Index size, const Block& block, double negligible,
                               FixedRandom& random, Eigen::Ref<Basis> coefficients, int threads) {
  const auto old = basis.leftCols(size);
  const Vector before = block.colwise().norm();
  coefficients.setZero();
  Block rest = block;
  for (int pass = 0; pass < 2 && size > 0; ++pass) {
    const Block part = inner_product(old, rest, threads);
    add_product(old, part, rest, threads, -1.0);
    coefficients.topRows(size) += part;
  }
  Basis added = rest;
  Vector ignored(size + block.cols());
  for (Index j = 0; j < block.cols(); ++j) {
    Vector v = added.col(j);
    const double outside = v.norm();
    project_out(added.leftCols(j), v, coefficients.col(j).segment(size, j));
    double norm = v.norm();
    if (norm < 0.1 * outside) {
      // So much was taken that rounding has brought back some of the old basis.
      project_out(old, v, coefficients.col(j).head(size));
      project_out(added.leftCols(j), v, coefficients.col(j).segment(size, j));
      norm = v.norm();
    }
    if (norm > negligible && norm > 1e-13 * before[j]) {
      coefficients(size + j, j) = norm;
    } else {
      random.fill(v);
      v.normalize();
      for (int pass = 0; pass < 2; ++pass) {
        project_out(old, v, ignored.head(size));
        project_out(added.leftCols(j), v, ignored.head(j));
      }
      norm = v.norm();
    }
    added.col(j) = v / norm;
  }
  basis.middleCols(size, block.cols()) = added;
}

/// Q · R with orthonormal columns in Q and R upper triangular.
struct QR {
  Block Q, R;
};

inline QR householder_qr(const Basis& matrix) {
  const Index least = std::min(matrix.rows(), matrix.cols());
  const Eigen::HouseholderQR<Basis> qr(matrix);
  return {qr.householderQ() * Basis::Identity(matrix.rows(), least),
          qr.matrixQR().topRows(least).triangularView<Eigen::Upper>()};
}

/// Twice by the Cholesky factor of the Gram matrix, which is as good as Householder's reflections
/// where the columns are far from dependent, and works by pieces; else by these.
inline QR thin_qr(ConstBlockView matrix, int threads) {
  constexpr double far_from_dependent = 1e-6;
  const Index cols = matrix.cols();
  QR found{matrix, Block::Identity(cols, cols)};
  for (int pass = 0; pass < 2 && matrix.rows() >= cols && cols > 0; ++pass) {
    const Basis gram = inner_product(found.Q, found.Q, threads);
    const Eigen::LLT<Basis> llt(gram);
    const Basis R = llt.matrixU();
    const auto diagonal = R.diagonal().cwiseAbs();
    const double largest = gram.diagonal().maxCoeff();
    if (llt.info() != Eigen::Success ||
        !(diagonal.minCoeff() > far_from_dependent * std::sqrt(largest)))
      return householder_qr(matrix);
    const Basis inverse = R.triangularView<Eigen::Upper>().solve(Basis::Identity(cols, cols));
    found.Q = product(found.Q, Block(inverse), threads);
    found.R = (R * Basis(found.R)).eval();
  }
  if (matrix.rows() < cols || cols == 0) return householder_qr(matrix);
  return found;
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
