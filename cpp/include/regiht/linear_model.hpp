#pragma once

#include <cmath>
#include <memory>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/objective.hpp"
#include "regiht/outside_gradient.hpp"

namespace regiht {

/// f(x) = Σᵢ weightᵢ ℓ((Ax)ᵢ, targetᵢ) + (ridge/2)‖x‖².
///
/// The design, the targets and the sample weights are borrowed. One LinearModel serves one solve.
class LinearModel final : public Objective {
 public:
  struct Settings {
    double ridge = 0.0;
    const double* sample_weights = nullptr;
    bool screening = true;
    int threads = 1;
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
  }

  Index dimension() const override { return design_.cols(); }

  double move_to(const SparseVector& x) override {
    x_ = x;
    outside_.move_to(x);
    design_.apply(x_, 0.0, prediction_, settings_.threads);
    const double loss =
        loss_.evaluate({prediction_, target_, settings_.sample_weights, design_.background(x_)},
                       derivative_, settings_.threads);
    return settings_.ridge == 0.0 ? loss : loss + 0.5 * settings_.ridge * x_.squared_norm();
  }

  void gradient_inside(VectorView out) override {
    if (!outside_.screens()) outside_.evaluate(x_, derivative_);
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
    const auto distance = [&] {
      return std::sqrt(kernels::squared_distance(derivative_.size(), derivative_.data(),
                                                 outside_.reference_derivative().data()));
    };
    outside_.read(magnitude, x_, distance, [&]() -> const Vector& { return derivative_; }, entries);
  }

  double gradients_spent() const override { return outside_.spent(); }

 private:
  const Design& design_;
  const Loss& loss_;
  ConstVectorView target_;
  Settings settings_;

  SparseVector x_;
  Vector prediction_, derivative_;
  OutsideGradient outside_;
};

}  // namespace regiht
