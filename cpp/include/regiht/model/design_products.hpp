#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "regiht/design/column_norms.hpp"
#include "regiht/design/design.hpp"
#include "regiht/design/quantized/matrix.hpp"
#include "regiht/model/design_cache.hpp"
#include "regiht/screening/bound.hpp"
#include "regiht/screening/column_products.hpp"
#include "regiht/screening/references.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The ColumnProducts of a design and a derivative vector in memory.
class DesignProducts : public ColumnProducts, private QuantizedProducts {
 public:
  /// The cache may be null; what it would hold is then computed here.
  DesignProducts(const Design& design, DesignCache* cache, int threads)
      : design_(design), cache_(cache), threads_(threads) {}

  Index rows() const override { return design_.rows(); }
  Index cols() const override { return design_.cols(); }
  double column_cost(Index column) const override { return design_.column_cost(column); }
  double full_cost() const override { return design_.full_cost(); }

  const ColumnNorms& norms() override {
    if (!norms_)
      norms_ = cache_ ? cache_->norms(design_) : std::make_shared<const ColumnNorms>(design_);
    return *norms_;
  }

  void at(const Support& columns, VectorView out) override {
    design_.apply_transpose(columns, derivative(), out, threads_);
  }

  void all(VectorView out) override { design_.apply_transpose(derivative(), out, threads_); }

  double take_reference() override {
    references_.take(derivative());
    return references_.newer_norm();
  }

  double distance() override {
    const Vector& r = derivative();
    return std::sqrt(kernels::squared_distance(r.size(), r.data(), references_.newer().data()));
  }

  std::optional<Prediction> project() override { return references_.project(derivative()); }

  QuantizedProducts* quantized() override { return design_.can_quantize() ? this : nullptr; }

 protected:
  const Design& design_;

  /// r, in the order of the design's rows.
  virtual const Vector& derivative() = 0;

  const References& references() const { return references_; }

  /// The cost of a full gradient in multiply-adds: gathered ones take several times as long as
  /// contiguous ones, and every entry is then inspected.
  double gradient_work() const {
    constexpr double gathered = 4.0, looked_at = 8.0;
    return (design_.is_sparse() ? gathered : 1.0) * design_.full_cost() +
           looked_at * static_cast<double>(design_.cols());
  }

 private:
  double error() override {
    if (!quantized_error_) {
      quantized_ = cache_ ? cache_->quantized(design_, threads_) : design_.quantized(threads_);
      quantized_error_ =
          quantized_ ? quantized_->columns().errors.cwiseQuotient(norms().norms).maxCoeff() *
                           (1.0 + 2.0 * dot_roundoff(rows()))
                     : std::numeric_limits<double>::infinity();
    }
    return *quantized_error_;
  }

  double norm() override {
    return std::sqrt(kernels::squared_norm(derivative().size(), derivative().data()));
  }

  std::optional<double> products(const Prediction& known, VectorView out) override {
    references_.subtract(known, derivative(), rest_);
    if (!rounded_rest_.round(rest_)) return std::nullopt;
    quantized_->apply_transpose(rounded_rest_, out, threads_);
    return rounded_rest_.distance() + error() * rounded_rest_.size() +
           4.0 * std::numeric_limits<double>::epsilon() * known.size;
  }

  DesignCache* cache_;
  int threads_;
  std::shared_ptr<const ColumnNorms> norms_;
  References references_;

  std::shared_ptr<const QuantizedMatrix> quantized_;
  std::optional<double> quantized_error_;
  QuantizedVector rounded_rest_;
  Vector rest_;
};

}}  // namespace regiht::REGIHT_ABI
