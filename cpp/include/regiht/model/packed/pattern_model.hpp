#pragma once

#include <utility>
#include <vector>

#include "regiht/kernels/column_products.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/loss/intercept.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/model/packed/row_patterns.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Σᵢ weightᵢ ℓ((Ax)ᵢ + b, targetᵢ) for vectors x that keep listing the same few columns, where
/// many rows agree in these columns and the target: each pattern counts as one row with the weight
/// of all its rows. Binary and categorical data come down to a few hundred patterns.
class PatternModel {
 public:
  /// The last vector behind the patterns is the target, the others are the columns.
  PatternModel(const Loss& loss, const CodesOfColumns& vectors, RowPatterns patterns,
               const double* sample_weights)
      : loss_(loss),
        patterns_(std::move(patterns)),
        sample_weights_(sample_weights),
        rows_(patterns_.count(), static_cast<Index>(vectors.size()) - 1),
        target_(patterns_.count()),
        weights_(Vector::Zero(patterns_.count())),
        prediction_(patterns_.count()),
        derivative_(patterns_.count()) {
    for (Index p = 0; p < patterns_.count(); ++p) {
      const auto row = static_cast<std::size_t>(patterns_.first_row[static_cast<std::size_t>(p)]);
      const auto entry = [&](const ColumnCodes& of) { return of.values[of.codes[row]]; };
      for (Index k = 0; k < rows_.cols(); ++k)
        rows_(p, k) = entry(*vectors[static_cast<std::size_t>(k)]);
      target_[p] = entry(*vectors.back());
    }
    for (std::size_t i = 0; i < patterns_.number.size(); ++i)
      weights_[patterns_.number[i]] += sample_weights ? sample_weights[i] : 1.0;
  }

  Index count() const { return patterns_.count(); }

  /// Moves to the vector with these values in the columns, and to the best intercept if there is
  /// one; returns the sum of the losses.
  double move_to(const std::vector<double>& x, Intercept* intercept) {
    prediction_.noalias() =
        rows_ * Eigen::Map<const Vector>(x.data(), static_cast<Index>(x.size()));
    if (!intercept) return loss_.evaluate({prediction_, target_, weights_.data()}, derivative_, 1);
    prediction_.array() += intercept->start();
    ShiftedSamples samples(loss_, prediction_, target_, weights_.data(), derivative_, 1);
    return intercept->settle(samples);
  }

  /// Aᵀr in the columns.
  void gradient(VectorView out) const { out.noalias() = rows_.transpose() * derivative_; }

  /// Ax + b and r of all rows.
  void prediction(VectorView out) const { expand(prediction_, nullptr, out); }
  void derivative(VectorView out) const {
    Vector single(prediction_.size());
    loss_.evaluate({prediction_, target_, nullptr}, single, 1);
    expand(single, sample_weights_, out);
  }

  /// Second derivatives in the columns, with the intercept profiled out if it follows.
  void second_derivatives(bool intercept_follows, Matrix& out) const {
    Vector curvature(prediction_.size());
    loss_.curvature({prediction_, target_, weights_.data()}, curvature);
    const Matrix weighted = curvature.asDiagonal() * rows_;
    out.setZero(rows_.cols(), rows_.cols());
    kernels::add_column_products(rows_.rows(), {rows_.data(), rows_.cols(), rows_.rows()},
                                 {weighted.data(), rows_.cols(), rows_.rows()}, out.data(),
                                 out.rows());
    const double total = curvature.sum();
    if (!intercept_follows || !(total > 0.0)) return;
    const Vector sums = weighted.colwise().sum().transpose();
    out.noalias() -= sums * (sums / total).transpose();
  }

 private:
  void expand(const Vector& by_pattern, const double* factors, VectorView out) const {
    for (std::size_t i = 0; i < patterns_.number.size(); ++i)
      out[static_cast<Index>(i)] = by_pattern[patterns_.number[i]] * (factors ? factors[i] : 1.0);
  }

  const Loss& loss_;
  RowPatterns patterns_;
  const double* sample_weights_;
  Matrix rows_;  // one per pattern
  Vector target_, weights_, prediction_, derivative_;
};

}}  // namespace regiht::REGIHT_ABI
