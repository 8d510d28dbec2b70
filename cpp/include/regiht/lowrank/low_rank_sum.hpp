#pragma once

#include "regiht/lowrank/matrix_operator.hpp"
#include "regiht/lowrank/products.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// scale · M + L · Rᵀ, without forming it.
class LowRankSum final : public MatrixOperator {
 public:
  LowRankSum(const MatrixOperator& matrix, double scale, ConstBlockView left, ConstBlockView right)
      : matrix_(matrix), scale_(scale), left_(left), right_(right) {}

  Index rows() const override { return matrix_.rows(); }
  Index cols() const override { return matrix_.cols(); }

  void apply(ConstBlockView in, BlockView out, int threads) const override {
    matrix_.apply(in, out, threads);
    add(left_, right_, in, out, threads);
  }
  void apply_transpose(ConstBlockView in, BlockView out, int threads) const override {
    matrix_.apply_transpose(in, out, threads);
    add(right_, left_, in, out, threads);
  }
  void write(BlockView out, int threads) const override {
    matrix_.write(out, threads);
    out *= scale_;
    if (left_.cols() > 0) add_product(left_, right_.transpose(), out, threads);
  }

 private:
  /// out = scale · out + left · (rightᵀ · in).
  void add(ConstBlockView left, ConstBlockView right, ConstBlockView in, BlockView out,
           int threads) const {
    out *= scale_;
    if (left.cols() == 0) return;
    add_product(left, inner_product(right, in, threads), out, threads);
  }

  const MatrixOperator& matrix_;
  double scale_;
  ConstBlockView left_, right_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
