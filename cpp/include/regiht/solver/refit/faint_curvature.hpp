#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Recovers curvatures of H hidden by its own rounding, where columns are nearly but not quite
/// dependent.
///
/// Directions along which H, scaled to unit curvatures, seems flat are judged by sums of squares
/// not computed from H. Those found curved form, with the others, a basis in which H has enough
/// digits to be factorized.
class FaintCurvature {
 public:
  /// `multiply(V, out)` writes VᵀHV as sums of squares, or returns false. False unless fewer
  /// directions than `flat_directions` remain flat.
  template <class Multiply>
  bool find(const Matrix& hessian, Index flat_directions, Multiply&& multiply) {
    const Index n = hessian.rows();
    const Vector scale = hessian.diagonal().unaryExpr(
        [](double each) { return each > 0.0 ? 1.0 / std::sqrt(each) : 0.0; });
    std::vector<Index> in, out;  // with and without curvature of their own
    for (Index k = 0; k < n; ++k) (scale[k] > 0.0 ? in : out).push_back(k);
    if (in.empty()) return false;
    const Matrix unit = scale.asDiagonal() * hessian * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(unit(in, in));
    if (eigen.info() != Eigen::Success) return false;
    Matrix directions = Matrix::Zero(n, static_cast<Index>(in.size()));
    directions(in, Eigen::all) = scale(in).asDiagonal() * eigen.eigenvectors();
    const Index doubtful =
        count_up_to(hidden * eigen.eigenvalues().maxCoeff(), eigen.eigenvalues());
    Index flat = 0;
    if (doubtful > 0 && !turn(directions.leftCols(doubtful), flat, multiply)) return false;
    if (flat + static_cast<Index>(out.size()) >= flat_directions) return false;
    list_flat(directions.leftCols(flat), out);
    basis_ = directions.rightCols(directions.cols() - flat);
    return factorize(multiply);
  }

  bool has_flat() const { return flat_.cols() > 0; }

  /// Solves Hd = −g for a g that is zero along the flat directions.
  Vector solve(const Vector& gradient) const {
    const Vector along = scale_.cwiseProduct(basis_.transpose() * gradient);
    return -basis_ * scale_.cwiseProduct(cholesky_.solve(along));
  }

  Vector flat_part(const Vector& x) const { return flat_ * (flat_.transpose() * x); }

 private:
  // Rounding, relative to the largest curvature: of H, of sums of squares, and of a pivot.
  static constexpr double hidden = 1e-12, squares_rounding = 1e-26, pivot_rounding = 1e-11;

  static Index count_up_to(double most, const Vector& ascending) {
    return std::count_if(ascending.begin(), ascending.end(),
                         [&](double each) { return !(each > most); });
  }

  /// Rotates the directions to diagonalise their curvatures, in ascending order, and counts the
  /// flat ones.
  template <class Multiply>
  static bool turn(Eigen::Ref<Matrix> directions, Index& flat, Multiply&& multiply) {
    Matrix squares;
    if (!multiply(directions, squares) || !squares.allFinite()) return false;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(squares);
    if (eigen.info() != Eigen::Success) return false;
    flat = count_up_to(squares_rounding, eigen.eigenvalues());
    directions = (directions * eigen.eigenvectors()).eval();
    return true;
  }

  void list_flat(const Matrix& directions, const std::vector<Index>& without_curvature) {
    const Index count = directions.cols() + static_cast<Index>(without_curvature.size());
    Matrix all = Matrix::Zero(directions.rows(), count);
    all.leftCols(directions.cols()) = directions;
    for (std::size_t k = 0; k < without_curvature.size(); ++k)
      all(without_curvature[k], directions.cols() + static_cast<Index>(k)) = 1.0;
    flat_ = all;
    if (count > 0)
      flat_ = Eigen::HouseholderQR<Matrix>(all).householderQ() *
              Matrix::Identity(directions.rows(), count);
  }

  template <class Multiply>
  bool factorize(Multiply&& multiply) {
    Matrix inner;
    if (!multiply(basis_, inner) || !inner.allFinite() || !(inner.diagonal().minCoeff() > 0.0))
      return false;
    scale_ = inner.diagonal().cwiseSqrt().cwiseInverse();
    cholesky_.compute(scale_.asDiagonal() * inner * scale_.asDiagonal());
    const double least = cholesky_.matrixLLT().diagonal().minCoeff();
    return cholesky_.info() == Eigen::Success && least * least > pivot_rounding;
  }

  Matrix basis_, flat_;  // curved directions; flat ones, orthonormal
  Vector scale_;
  Eigen::LLT<Matrix> cholesky_;
};

}}  // namespace regiht::REGIHT_ABI
