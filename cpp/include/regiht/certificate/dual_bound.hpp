#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "regiht/design/column_norms.hpp"
#include "regiht/design/design.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/projection/largest_entries.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Σᵢ weightᵢ ℓ((Ax)ᵢ, targetᵢ) + (ridge/2)‖x‖² over x with at most s nonzeros, ridge > 0. Borrows
/// all but `keep`; kept entries count towards s.
struct ConstrainedModel {
  const Design& design;
  const Loss& loss;
  ConstVectorView target;
  const double* sample_weights;
  double ridge;
  Index sparsity;
  Support keep;
  int threads;
};

/// Lower bounds on the optimum of a constrained model by Fenchel duality: for any slopes u,
///
///     f(x) ≥ D(u) = −Σ wᵢ ℓ*(uᵢ) − (1/2ρ)·(sum of the s largest gⱼ²),    g = Aᵀ(w∘u),
///
/// with kept entries always among the s. The bound holds in floating point. With γ = (rows + 16)ε,
/// a computed ĝⱼ is off by at most γ‖āⱼ‖‖w∘u‖ and the sum of conjugates by γ times the sum of its
/// terms' magnitudes (Conjugate); both are taken at their worst, and the remaining rounding,
/// (s + 16)ε of each of the two sums, is subtracted.
class DualBound {
 public:
  DualBound(const ConstrainedModel& model, std::shared_ptr<const ColumnNorms> norms)
      : model_(model),
        norms_(std::move(norms)),
        selection_(model.sparsity, model.keep),
        weighted_(model.design.rows()) {}

  /// D(0), without a product: exactly zero for a loss whose least value is zero.
  double at_zero() const {
    const Conjugate sum = model_.loss.conjugate(Vector::Zero(model_.design.rows()), model_.target,
                                                model_.sample_weights, model_.threads);
    return 0.0 - sum.value - conjugate_margin(sum);
  }

  /// Returns a number not above D(u), possibly −∞, and writes g as computed.
  double at(ConstVectorView slope, Vector& gradient) {
    weighted_ = slope;
    if (model_.sample_weights)
      for (Index i = 0; i < slope.size(); ++i) weighted_[i] *= model_.sample_weights[i];
    gradient.resize(model_.design.cols());
    model_.design.apply_transpose(weighted_, gradient, model_.threads);
    const Conjugate sum =
        model_.loss.conjugate(slope, model_.target, model_.sample_weights, model_.threads);
    const double quadratic = largest_squares(gradient) / (2.0 * model_.ridge);
    const double margin = conjugate_margin(sum) +
                          last_roundoff() * (std::abs(sum.value) + quadratic) +
                          static_cast<double>(slope.size()) * std::numeric_limits<double>::min();
    const double bound = -sum.value - quadratic - margin;
    return std::isnan(bound) ? -std::numeric_limits<double>::infinity() : bound;
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  double roundoff() const { return static_cast<double>(model_.design.rows() + 16) * epsilon; }
  double last_roundoff() const { return static_cast<double>(model_.sparsity + 16) * epsilon; }

  double conjugate_margin(const Conjugate& sum) const { return roundoff() * sum.magnitude; }

  /// An upper bound on the sum of the s largest gⱼ², rounding included.
  double largest_squares(const Vector& gradient) {
    const Index rows = weighted_.size();
    const double length =
        std::sqrt(kernels::squared_norm(rows, weighted_.data())) + underflow_norm(rows);
    const double error = roundoff() * (1.0 + 2.0 * roundoff()) * length;
    largest_.clear();
    for (Index j = 0; j < gradient.size(); ++j)
      largest_.append(j, std::abs(gradient[j]) + norms_->roundoff_norms[j] * error);
    selection_.apply(largest_);
    return largest_.squared_norm();
  }

  const ConstrainedModel& model_;
  std::shared_ptr<const ColumnNorms> norms_;
  LargestEntries selection_;
  Vector weighted_;
  SparseVector largest_;
};

}}  // namespace regiht::REGIHT_ABI
