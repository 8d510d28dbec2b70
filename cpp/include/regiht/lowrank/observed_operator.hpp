#pragma once

#include "regiht/lowrank/matrix_operator.hpp"
#include "regiht/lowrank/observed_entries.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// The sparse matrix with borrowed values at the observed entries.
class ObservedOperator final : public MatrixOperator {
 public:
  ObservedOperator(const ObservedEntries& entries, Eigen::Map<const Vector> values)
      : entries_(entries), values_(values) {}

  Index rows() const override { return entries_.rows(); }
  Index cols() const override { return entries_.cols(); }

  void apply(ConstBlockView in, BlockView out, int threads) const override {
    entries_.times(values_, in, out, threads);
  }
  void apply_transpose(ConstBlockView in, BlockView out, int threads) const override {
    entries_.transpose_times(values_, in, out, threads);
  }
  void write(BlockView out, int) const override {
    out.setZero();
    for (Index i = 0; i < rows(); ++i) {
      const EntryLine line = entries_.row(i);
      for (Index e = 0; e < line.count; ++e) out(i, line.others[e]) += values_[line.first + e];
    }
  }

 private:
  const ObservedEntries& entries_;
  Eigen::Map<const Vector> values_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
