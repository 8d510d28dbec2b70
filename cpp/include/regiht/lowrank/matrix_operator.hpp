#pragma once

#include "regiht/lowrank/block.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// A matrix known by its products with blocks of vectors.
class MatrixOperator {
 public:
  virtual ~MatrixOperator() = default;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;

  /// out = M · in.
  virtual void apply(ConstBlockView in, BlockView out, int threads) const = 0;

  /// out = Mᵀ · in.
  virtual void apply_transpose(ConstBlockView in, BlockView out, int threads) const = 0;

  /// out = M, entry by entry; for small matrices.
  virtual void write(BlockView out, int threads) const {
    apply(Block::Identity(cols(), cols()), out, threads);
  }
};

/// The transpose of another operator.
class Transposed final : public MatrixOperator {
 public:
  explicit Transposed(const MatrixOperator& matrix) : matrix_(matrix) {}

  Index rows() const override { return matrix_.cols(); }
  Index cols() const override { return matrix_.rows(); }

  void apply(ConstBlockView in, BlockView out, int threads) const override {
    matrix_.apply_transpose(in, out, threads);
  }
  void apply_transpose(ConstBlockView in, BlockView out, int threads) const override {
    matrix_.apply(in, out, threads);
  }

 private:
  const MatrixOperator& matrix_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
