#pragma once

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/kernels/vector.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A′ = (A − 1μᵀ)D with D = diag(factors), never formed: A′x = A(Dx) − 1·μᵀDx and
/// A′ᵀv = D(Aᵀv − μ·Σv).
class StandardizedDesign final : public Design {
 public:
  StandardizedDesign(std::shared_ptr<const Design> base, Vector means, Vector factors)
      : base_(std::move(base)), means_(std::move(means)), factors_(std::move(factors)) {}

  const Vector& means() const { return means_; }
  const Vector& factors() const { return factors_; }

  Index rows() const override { return base_->rows(); }
  Index cols() const override { return base_->cols(); }

  void apply(const SparseVector& x, double start, VectorView prediction,
             int threads) const override {
    SparseVector scaled = x;
    for (std::size_t k = 0; k < x.indices.size(); ++k) scaled.values[k] *= factors_[x.indices[k]];
    base_->apply(scaled, start - shift_of(x), prediction, threads);
  }

  void apply_transpose(ConstVectorView v, VectorView out, int threads) const override {
    base_->apply_transpose(v, out, threads);
    const double total = kernels::sum(v.size(), v.data());
    out = factors_.cwiseProduct(out - total * means_);
  }

  void apply_transpose(const Support& columns, ConstVectorView v, VectorView out,
                       int threads) const override {
    base_->apply_transpose(columns, v, out, threads);
    const double total = kernels::sum(v.size(), v.data());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      double& entry = out[static_cast<Index>(k)];
      entry = factors_[columns[k]] * (entry - means_[columns[k]] * total);
    }
  }

  // From sums over stored entries only if sparse: for dense columns with large means the difference
  // of sums would cancel.
  void weighted_products(const Support& left, const Support& right, const double* weights,
                         Matrix& out, int threads) const override {
    if (!base_->is_sparse()) {
      Design::weighted_products(left, right, weights, out, threads);
      return;
    }
    if (left.size() == 1) {
      products_with_one(left.front(), right, weights, out, threads);
      return;
    }
    base_->weighted_products(left, right, weights, out, threads);
    const Vector w =
        weights ? Vector(Eigen::Map<const Vector>(weights, rows())) : Vector(Vector::Ones(rows()));
    const double total = kernels::sum(w.size(), w.data());
    Vector left_sums(out.rows()), right_sums(out.cols());
    base_->apply_transpose(left, w, left_sums, threads);
    base_->apply_transpose(right, w, right_sums, threads);
    for (Index l = 0; l < out.cols(); ++l)
      for (Index k = 0; k < out.rows(); ++k) {
        const Index i = left[static_cast<std::size_t>(k)], j = right[static_cast<std::size_t>(l)];
        out(k, l) -= means_[i] * right_sums[l] + means_[j] * (left_sums[k] - means_[i] * total);
        out(k, l) *= factors_[i] * factors_[j];
      }
  }

  // The means make no difference.
  void weighted_covariances(const Support& left, const Support& right, const double* weights,
                            double total, Matrix& out, int threads) const override {
    if (!base_->is_sparse() || !(total > 0.0)) {
      Design::weighted_covariances(left, right, weights, total, out, threads);
      return;
    }
    base_->weighted_covariances(left, right, weights, total, out, threads);
    for (Index l = 0; l < out.cols(); ++l)
      for (Index k = 0; k < out.rows(); ++k)
        out(k, l) *= factors_[left[static_cast<std::size_t>(k)]] *
                     factors_[right[static_cast<std::size_t>(l)]];
  }

  // Σw(a − μ)² over stored entries only: Σwa² − μ(2Σwa − μΣw).
  void weighted_squares(const Support& columns, const double* weights, VectorView out,
                        int threads) const override {
    if (!base_->is_sparse()) {
      Design::weighted_squares(columns, weights, out, threads);
      return;
    }
    base_->weighted_squares(columns, weights, out, threads);
    const Eigen::Map<const Vector> w(weights, rows());
    const double total = kernels::sum(w.size(), weights);
    Vector sums(out.size());
    base_->apply_transpose(columns, w, sums, threads);
    for (Index k = 0; k < out.size(); ++k) {
      const Index j = columns[static_cast<std::size_t>(k)];
      out[k] =
          factors_[j] * factors_[j] * (out[k] - means_[j] * (2.0 * sums[k] - means_[j] * total));
    }
  }

  bool is_sparse() const override { return base_->is_sparse(); }

  bool list_entries(const Support& columns, ColumnEntries& out) const override {
    if (!base_->list_entries(columns, out)) return false;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      // f(g(v − m) − μ) = fg(v − (m + μ/g)), with the inner factor g and mean m.
      if (out.factors[k] == 0.0) return false;
      out.means[k] += means_[columns[k]] / out.factors[k];
      out.factors[k] *= factors_[columns[k]];
    }
    return true;
  }

  ColumnRanges column_ranges() const override {
    ColumnRanges ranges = base_->column_ranges();
    const double count = static_cast<double>(rows());
    ranges.sums = (ranges.sums - count * means_).cwiseProduct(factors_);
    ranges.minima = (ranges.minima - means_).cwiseProduct(factors_);
    ranges.maxima = (ranges.maxima - means_).cwiseProduct(factors_);
    return ranges;
  }

  void column_squares(ConstVectorView shift, VectorView out) const override {
    Vector center = means_;
    for (Index j = 0; j < cols(); ++j)
      if (factors_[j] != 0.0) center[j] += shift[j] / factors_[j];
    base_->column_squares(center, out);
    for (Index j = 0; j < cols(); ++j)
      out[j] = factors_[j] != 0.0 ? out[j] * factors_[j] * factors_[j]
                                  : static_cast<double>(rows()) * shift[j] * shift[j];
  }

  bool roundoff_norms_are_norms() const override { return false; }

  // D(Aᵀv − μΣv) subtracts two numbers that may both be large compared with their difference.
  void column_roundoff_norms(VectorView out) const override {
    base_->column_roundoff_norms(out);
    const double root = 2.0 * std::sqrt(static_cast<double>(rows()));
    out = (out + root * means_.cwiseAbs()).cwiseProduct(factors_);
  }

  void copy_rows(Index first, Index count, double* block, Index stride) const override {
    base_->copy_rows(first, count, block, stride);
    for (Index i = 0; i < count; ++i)
      kernels::shift_and_scale(cols(), means_.data(), factors_.data(), block + i * stride);
  }

  void copy_columns(const Support& columns, Index first, Index count, double* block,
                    Index stride) const override {
    base_->copy_columns(columns, first, count, block, stride);
    for (std::size_t k = 0; k < columns.size(); ++k)
      kernels::shift_and_scale(count, means_[columns[k]], factors_[columns[k]],
                               block + static_cast<Index>(k) * stride);
  }

  bool can_quantize() const override { return base_->can_quantize(); }
  std::shared_ptr<QuantizedMatrix> quantized(int threads) const override {
    std::shared_ptr<QuantizedMatrix> rounded = base_->quantized(threads);
    if (rounded) rounded->standardize(means_, factors_, rows());
    return rounded;
  }

  double column_cost(Index column) const override { return base_->column_cost(column); }
  double full_cost() const override { return base_->full_cost(); }

 private:
  /// The same for a single column on the left, which may as well be made dense.
  void products_with_one(Index left, const Support& right, const double* weights, Matrix& out,
                         int threads) const {
    Vector column(rows()), products(static_cast<Index>(right.size()));
    apply(SparseVector{{left}, {1.0}}, 0.0, column, threads);
    if (weights) column.array() *= Eigen::Map<const Vector>(weights, rows()).array();
    apply_transpose(right, column, products, threads);
    out = products.transpose();
  }

  /// μᵀDx.
  double shift_of(const SparseVector& x) const {
    double shift = 0.0;
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      shift += means_[x.indices[k]] * (x.values[k] * factors_[x.indices[k]]);
    return shift;
  }

  std::shared_ptr<const Design> base_;
  Vector means_;
  Vector factors_;
};

/// Centres the columns, then scales them to unit ℓ₂ norm, each if asked. A column without variance
/// (or, uncentred, without entries) gets factor 0: it becomes a zero column and is never selected.
inline std::shared_ptr<const StandardizedDesign> standardize(std::shared_ptr<const Design> base,
                                                             bool center, bool scale) {
  const Index cols = base->cols();
  Vector means = Vector::Zero(cols);
  Vector factors = Vector::Ones(cols);
  const ColumnRanges ranges = base->column_ranges();
  if (center) means = ranges.sums / static_cast<double>(base->rows());
  Vector squares = Vector::Ones(cols);
  if (scale) base->column_squares(means, squares);
  for (Index j = 0; j < cols; ++j) {
    // Exact, since the computed variance of equal entries is seldom exactly zero.
    const bool constant = ranges.minima[j] == ranges.maxima[j];
    const bool zero = center ? constant : constant && ranges.maxima[j] == 0.0;
    if (zero) means[j] = ranges.minima[j];
    const double factor = zero ? 0.0 : 1.0 / std::sqrt(squares[j]);
    if (!std::isfinite(means[j]) || !std::isfinite(factor) || (factor == 0.0 && !zero))
      throw std::invalid_argument("column " + std::to_string(j) +
                                  " is too large or too small to standardize in double precision");
    factors[j] = factor;
  }
  return std::make_shared<const StandardizedDesign>(std::move(base), std::move(means),
                                                    std::move(factors));
}

}}  // namespace regiht::REGIHT_ABI
