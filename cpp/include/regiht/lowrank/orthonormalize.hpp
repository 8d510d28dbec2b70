#pragma once

#include <cstdint>

#include "regiht/lowrank/block.hpp"

namespace regiht::lowrank {

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

/// Takes from v its part in the first `size` columns of the basis, twice for accuracy, and adds
/// that part's coefficients to `coefficients`.
inline void project_out(const Basis& basis, Index size, Eigen::Ref<Vector> v,
                        Eigen::Ref<Vector> coefficients) {
  const auto columns = basis.leftCols(size);
  for (int pass = 0; pass < 2; ++pass) {
    const Vector part = columns.transpose() * v;
    v.noalias() -= columns * part;
    coefficients += part;
  }
}

/// Appends block's columns, made orthonormal, at column `size` of the basis.
///
/// Column j of `coefficients` (rows: the basis after the call) tells the j-th column of the block
/// in terms of the basis. What is at most `negligible` outside the basis counts as inside, and a
/// random direction takes its place in the basis.
inline void append_orthonormal(Basis& basis, Index size, const Block& block, double negligible,
                               FixedRandom& random, Eigen::Ref<Basis> coefficients) {
  Vector ignored(coefficients.rows());
  for (Index j = 0; j < block.cols(); ++j) {
    const Index at = size + j;
    Vector v = block.col(j);
    const double before = v.norm();
    coefficients.col(j).setZero();
    project_out(basis, at, v, coefficients.col(j).head(at));
    double norm = v.norm();
    if (norm > negligible && norm > 1e-13 * before) {
      coefficients(at, j) = norm;
    } else {
      random.fill(v);
      v.normalize();
      project_out(basis, at, v, ignored.head(at));
      norm = v.norm();
    }
    basis.col(at) = v / norm;
  }
}

}  // namespace regiht::lowrank
