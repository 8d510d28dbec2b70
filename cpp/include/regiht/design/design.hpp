#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "regiht/design/column_blocks.hpp"
#include "regiht/design/quantized/matrix.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// What standardization needs to know of each column, counting implicit zeros.
struct ColumnRanges {
  Vector sums, minima, maxima;
};

/// The stored entries of some columns: aᵢₖ = factorₖ(vᵢₖ − meanₖ), where v is zero unless listed.
struct ColumnEntries {
  std::vector<Index> offsets;  ///< those of column k are at [offsets[k], offsets[k + 1])
  std::vector<std::int32_t> rows;
  std::vector<double> values;
  std::vector<double> means, factors;

  Index columns() const { return static_cast<Index>(offsets.size()) - 1; }
  Index length(Index k) const {
    return offsets[static_cast<std::size_t>(k) + 1] - offsets[static_cast<std::size_t>(k)];
  }
};

/// A read-only view of the borrowed matrix A. Has no workspace: any number of threads may use it.
class Design {
 public:
  virtual ~Design() = default;

  virtual Index rows() const = 0;
  virtual Index cols() const = 0;

  /// prediction = start + A x.
  virtual void apply(const SparseVector& x, double start, VectorView prediction,
                     int threads) const = 0;

  /// out = Aᵀ v. Bitwise independent of the number of threads.
  virtual void apply_transpose(ConstVectorView v, VectorView out, int threads) const = 0;

  /// out[k] = ⟨a_columns[k], v⟩, bitwise equal to the entries of the full product.
  virtual void apply_transpose(const Support& columns, ConstVectorView v, VectorView out,
                               int threads) const = 0;

  /// out(k, l) = Σᵢ weightᵢ aᵢⱼ aᵢₘ with j = left[k] and m = right[l]; null weights are ones.
  virtual void weighted_products(const Support& left, const Support& right, const double* weights,
                                 Matrix& out, int threads) const {
    if (left == right)
      detail::weighted_products(*this, left, weights, out, threads);
    else
      detail::weighted_products(*this, left, right, weights, out, threads);
  }

  /// The same minus (Σᵢ weightᵢ aᵢⱼ)(Σᵢ weightᵢ aᵢₘ)/total, where `total` is the sum of the
  /// weights; the products alone if that is not positive.
  virtual void weighted_covariances(const Support& left, const Support& right,
                                    const double* weights, double total, Matrix& out,
                                    int threads) const {
    weighted_products(left, right, weights, out, threads);
    if (!(total > 0.0)) return;
    const Eigen::Map<const Vector> each(weights, rows());
    Vector left_sums(out.rows()), right_sums(out.cols());
    apply_transpose(left, each, left_sums, threads);
    apply_transpose(right, each, right_sums, threads);
    out.noalias() -= left_sums * (right_sums / total).transpose();
  }

  /// out[k] = Σᵢ weightᵢ aᵢⱼ² with j = columns[k].
  virtual void weighted_squares(const Support& columns, const double* weights, VectorView out,
                                int threads) const {
    detail::weighted_squares(*this, columns, weights, out, threads);
  }

  /// Whether zeros are implicit.
  virtual bool is_sparse() const { return false; }

  /// Lists the stored entries of some columns, each row at most once; false if they are not stored
  /// by column, or rows exceed their integer type.
  virtual bool list_entries(const Support&, ColumnEntries&) const { return false; }

  virtual ColumnRanges column_ranges() const = 0;

  /// out[j] = Σᵢ (aᵢⱼ − shift[j])².
  virtual void column_squares(ConstVectorView shift, VectorView out) const = 0;

  /// Whether the roundoff norms are just the norms of the columns.
  virtual bool roundoff_norms_are_norms() const { return true; }

  /// out[j] bounds the norm of the terms summed in ⟨aⱼ, v⟩, which scales its rounding error.
  virtual void column_roundoff_norms(VectorView out) const {
    column_squares(Vector::Zero(cols()), out);
    out = out.cwiseSqrt();
  }

  /// Writes rows [first, first + count) as a block whose rows are `stride` apart.
  virtual void copy_rows(Index first, Index count, double* block, Index stride) const = 0;

  /// Writes rows [first, first + count) of some columns, `stride` apart.
  virtual void copy_columns(const Support& columns, Index first, Index count, double* block,
                            Index stride) const {
    std::vector<double> whole(static_cast<std::size_t>(count * cols()));
    copy_rows(first, count, whole.data(), cols());
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (Index i = 0; i < count; ++i)
        block[static_cast<Index>(k) * stride + i] =
            whole[static_cast<std::size_t>(i * cols() + columns[k])];
  }

  /// A quantized copy, or null unless products with it are much cheaper. For sparse columns they
  /// are not: the cost is in finding the entries.
  virtual std::shared_ptr<QuantizedMatrix> quantized(int /*threads*/) const { return nullptr; }
  virtual bool can_quantize() const { return false; }

  /// The cost of one dot product with a column, and of the full product, in the same units.
  virtual double column_cost(Index column) const = 0;
  virtual double full_cost() const = 0;
};

}}  // namespace regiht::REGIHT_ABI
