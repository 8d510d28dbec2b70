#pragma once

#include "regiht/lowrank/matrix_operator.hpp"
#include "regiht/lowrank/products.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// A borrowed dense matrix, stored row by row.
class DenseOperator final : public MatrixOperator {
 public:
  explicit DenseOperator(Eigen::Map<const Block> matrix) : matrix_(matrix) {}

  Index rows() const override { return matrix_.rows(); }
  Index cols() const override { return matrix_.cols(); }

  void apply(ConstBlockView in, BlockView out, int threads) const override {
    out.setZero();
    add_product(matrix_, in, out, threads);
  }
  void apply_transpose(ConstBlockView in, BlockView out, int threads) const override {
    transposed_product(matrix_, in, out, threads);
  }
  void write(BlockView out, int) const override { out = matrix_; }

 private:
  Eigen::Map<const Block> matrix_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
