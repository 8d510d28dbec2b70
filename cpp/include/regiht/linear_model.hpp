#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/intercept.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/loss/squared.hpp"
#include "regiht/objective.hpp"
#include "regiht/outside_gradient.hpp"

namespace regiht {

/// f(x) = Σᵢ weightᵢ ℓ((Ax)ᵢ, targetᵢ) + (ridge/2)‖x‖², or with an intercept the least over b of
/// the same with Ax + b.
///
/// The design, the targets and the sample weights are borrowed. One LinearModel serves one solve.
class LinearModel final : public Objective {
 public:
  struct Settings {
    double ridge = 0.0;
    const double* sample_weights = nullptr;
    bool screening = true;
    int threads = 1;
    bool intercept = false;
    std::shared_ptr<const ColumnNorms> norms;  ///< if they are at hand
  };

  LinearModel(const Design& design, const Loss& loss, ConstVectorView target, Settings settings)
      : design_(design),
        loss_(loss),
        target_(target),
        settings_(std::move(settings)),
        prediction_(design.rows()),
        derivative_(design.rows()),
        outside_(design, settings_.screening, settings_.norms, settings_.threads) {
    check_target(design, target);
    if (settings_.intercept) {
      move_to({});
      intercept_.begin_here();
    }
  }

  Index dimension() const override { return design_.cols(); }

  double move_to(const SparseVector& x) override {
    x_ = x;
    curvature_is_current_ = false;
    outside_.move_to(x);
    design_.apply(x_, intercept_.start(), prediction_, settings_.threads);
    const Samples samples{prediction_, target_, settings_.sample_weights,
                          intercept_.start() + design_.background(x_)};
    const double loss =
        settings_.intercept
            ? intercept_.settle(loss_, samples, prediction_, derivative_, settings_.threads)
            : loss_.evaluate(samples, derivative_, settings_.threads);
    return settings_.ridge == 0.0 ? loss : loss + 0.5 * settings_.ridge * x_.squared_norm();
  }

  const SparseVector& point() const override { return x_; }

  void gradient_inside(VectorView out) override {
    if (outside_.expects_full()) outside_.evaluate(x_, derivative_);
    if (outside_.is_current()) {
      for (std::size_t k = 0; k < x_.indices.size(); ++k)
        out[static_cast<Index>(k)] = outside_.full()[x_.indices[k]];
    } else {
      design_.apply_transpose(x_.indices, derivative_, out, settings_.threads);
    }
    for (std::size_t k = 0; k < x_.values.size(); ++k)
      out[static_cast<Index>(k)] += settings_.ridge * x_.values[k];
  }

  void gradient_outside(double magnitude, SparseVector& entries) override {
    outside_.read(
        magnitude, x_, [&] { return distance_from_reference(); },
        [&]() -> const Vector& { return derivative_; }, entries);
  }

  void largest_outside(Index count, SparseVector& entries) override {
    outside_.read_largest(
        count, x_, [&] { return distance_from_reference(); },
        [&]() -> const Vector& { return derivative_; }, entries);
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    design_.weighted_products(rows, columns, curvatures().data(), out, settings_.threads);
    if (settings_.intercept) subtract_intercept(rows, columns, out);
    add_ridge(settings_.ridge, rows, columns, out);
  }

  bool is_quadratic() const override { return loss_.name() == Squared::name; }

  void rough_curvatures(VectorView out) override {
    const Vector& curvature = curvatures();
    const double average =
        kernels::sum(curvature.size(), curvature.data()) / static_cast<double>(curvature.size());
    out = average * outside_.squared_norms().array() + settings_.ridge;
  }

  double gradients_spent() const override { return outside_.spent(); }

  double intercept() const override { return intercept_.value(); }

 private:
  double distance_from_reference() const {
    return std::sqrt(kernels::squared_distance(derivative_.size(), derivative_.data(),
                                               outside_.reference_derivative().data()));
  }

  /// ℓ″ of every sample at x, weighted.
  const Vector& curvatures() {
    if (!curvature_is_current_) {
      curvature_.resize(design_.rows());
      loss_.curvature({prediction_, target_, settings_.sample_weights}, curvature_);
      curvature_is_current_ = true;
    }
    return curvature_;
  }

  /// The intercept follows x, so second derivatives are those of x at a fixed intercept less what
  /// following saves: H − h hᵀ/c, with h and c the second derivatives that involve it.
  void subtract_intercept(const Support& rows, const Support& columns, Matrix& out) {
    const Vector& curvature = curvatures();
    const double total = kernels::sum(curvature.size(), curvature.data());
    if (!(total > 0.0)) return;
    Vector left(out.rows()), right(out.cols());
    design_.apply_transpose(rows, curvature, left, settings_.threads);
    design_.apply_transpose(columns, curvature, right, settings_.threads);
    out.noalias() -= left * (right / total).transpose();
  }

  const Design& design_;
  const Loss& loss_;
  ConstVectorView target_;
  Settings settings_;

  SparseVector x_;
  Intercept intercept_;
  Vector prediction_, derivative_, curvature_;
  bool curvature_is_current_ = false;
  OutsideGradient outside_;
};

}  // namespace regiht
