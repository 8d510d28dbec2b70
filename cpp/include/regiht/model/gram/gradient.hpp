#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "regiht/kernels/list_large.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/model/gram/cache.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The entries of ∇f(x) = ḡ + G(x − x̄) off the support of x, read from whole columns of the Gram
/// matrix.
///
/// Let L be the largest of them at an earlier x₀ with the same support. At x none exceeds
///
///     L + Σₖ |xₖ − x₀ₖ|·Mₖ,    Mₖ = max |Gₖⱼ| over j ≠ k,
///
/// and where that stays below the magnitude, none is computed. An entry is a sum of n + 1 rounded
/// terms, and the coefficients d = x − x̄ are rounded too: it is off by at most (n + 4)·ε·S, with
/// S = max |ḡⱼ| + Σₖ |dₖ| max |Gₖⱼ|, at x and at x₀.
class GramGradient {
 public:
  GramGradient(const GramCache& inner, bool screening) : inner_(inner), may_skip_(screening) {}

  /// Takes a new x̄ with this ḡ.
  void take_base(const Vector& gradient) {
    if (may_skip_) largest_base_ = kernels::largest_magnitude(gradient.size(), gradient.data());
    evaluated_.reset();
  }

  /// Lists the entries not in x with at least this magnitude; columns in d = x − x̄ must be known.
  void read(double magnitude, const SparseVector& x, const Vector& base_gradient,
            const SparseVector& d, SparseVector& entries) {
    entries.clear();
    const double size = may_skip_ ? size_of_terms(d) : 0.0;
    skipped_ = may_skip_ && evaluated_ && evaluated_->indices == x.indices &&
               largest_now(x, d, size) < magnitude;
    if (skipped_) return;
    evaluate(base_gradient, d);
    for (const Index j : x.indices) gradient_[j] = 0.0;
    if (may_skip_) {
      evaluated_ = x;
      size_ = size;
      largest_ = kernels::largest_magnitude(gradient_.size(), gradient_.data());
      // Where S is finite, no entry can be NaN.
      if (largest_ < magnitude && std::isfinite(size)) return;
    }
    if (magnitude > 0.0)
      append_reaching(magnitude, entries);
    else
      append_outside(x.indices, gradient_, magnitude, entries);
  }

  /// Whether the last read computed nothing.
  bool skipped() const { return skipped_; }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  void evaluate(const Vector& base_gradient, const SparseVector& d) {
    columns_.clear();
    for (const Index j : d.indices) columns_.push_back(inner_.products(j));
    gradient_ = base_gradient;
    kernels::add_scaled_columns(static_cast<Index>(columns_.size()), gradient_.size(),
                                d.values.data(), columns_.data(), gradient_.data());
  }

  void append_reaching(double magnitude, SparseVector& entries) {
    listed_.resize(static_cast<std::size_t>(gradient_.size()));
    const Index count = list_large(gradient_.size(), gradient_.data(), magnitude, listed_.data());
    for (Index k = 0; k < count; ++k) {
      const Index j = listed_[static_cast<std::size_t>(k)];
      entries.append(j, gradient_[j]);
    }
  }

  double size_of_terms(const SparseVector& d) const {
    double size = largest_base_;
    for (std::size_t k = 0; k < d.indices.size(); ++k)
      size += std::abs(d.values[k]) * inner_.peaks(d.indices[k]).all;
    return size;
  }

  /// Bounds the entries off the support at x, whose support is that of the last evaluation.
  double largest_now(const SparseVector& x, const SparseVector& d, double size) const {
    double bound = largest_;
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      bound += std::abs(x.values[k] - evaluated_->values[k]) * inner_.peaks(x.indices[k]).beside;
    const double terms = static_cast<double>(d.size() + 8);
    return (bound + terms * epsilon * (size + size_)) * (1.0 + terms * epsilon);
  }

  const GramCache& inner_;
  bool may_skip_;
  bool skipped_ = false;
  Vector gradient_;
  Support listed_;
  std::vector<const double*> columns_;

  std::optional<SparseVector> evaluated_;  // x₀
  double largest_base_ = 0.0;              // max |ḡⱼ|
  double size_ = 0.0;                      // S there
  double largest_ = 0.0;                   // L
};

}}  // namespace regiht::REGIHT_ABI
