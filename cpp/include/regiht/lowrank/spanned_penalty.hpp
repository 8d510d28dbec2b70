#pragma once

#include "regiht/lowrank/space_weights.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Φ(U·X·Vᵀ) + (ridge/2)‖X‖² as a function of X, for orthonormal U and V: a quadratic whose minimum
/// is at zero.
class SpannedPenalty {
 public:
  /// Without weights, Φ is zero.
  SpannedPenalty(const Regularizer* weights, double ridge, ConstBlockView U, ConstBlockView V,
                 int threads)
      : ridge_(ridge) {
    if (weights == nullptr) return;
    half_ = 0.5 * weights->beta;
    P_ = gram(weights->W, U, threads);
    Q_ = gram(weights->Y, V, threads);
  }

  Block gradient(const Block& X) const {
    Block slope = ridge_ * X;
    if (half_ > 0.0) slope += half_ * (P_ * X + X * Q_);
    return slope;
  }

  double value(const Block& X) const { return 0.5 * X.cwiseProduct(gradient(X)).sum(); }

  /// Adds the gradient as a matrix that acts on a rows × cols X, row by row.
  void add_to(Basis& system, Index rows, Index cols) const {
    system.diagonal().array() += ridge_;
    if (half_ == 0.0) return;
    for (Index a = 0; a < rows; ++a) {
      system.block(a * cols, a * cols, cols, cols) += half_ * Q_;
      for (Index b = 0; b < rows; ++b)
        system.block(a * cols, b * cols, cols, cols).diagonal().array() += half_ * P_(a, b);
    }
  }

  /// X with shift·X + gradient(X) = C: diagonal in the eigenvectors of the weights.
  Block solve_shifted(double shift, const Block& C) const {
    if (half_ == 0.0) return C / (shift + ridge_);
    const SymmetricEigen p = symmetric_eigen(P_), q = symmetric_eigen(Q_);
    Block turned = p.vectors.transpose() * C * q.vectors;
    for (Index a = 0; a < turned.rows(); ++a)
      for (Index b = 0; b < turned.cols(); ++b)
        turned(a, b) /= shift + ridge_ + half_ * (p.values[a] + q.values[b]);
    return p.vectors * turned * q.vectors.transpose();
  }

 private:
  static Basis gram(const SpaceWeights& W, ConstBlockView U, int threads) {
    const Block half = W.root_times(U, threads);
    return inner_product(half, half, threads);
  }

  double ridge_, half_ = 0.0;
  Basis P_, Q_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
