#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/objective.hpp"
#include "regiht/screening.hpp"

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
        gradient_(design.cols()) {
    if (settings_.screening && Screening::pays(design)) screening_.emplace(design, settings_.norms);
  }

  Index dimension() const override { return design_.cols(); }

  double move_to(const SparseVector& x) override {
    x_ = x;
    gradient_is_current_ = gradient_point_ && *gradient_point_ == x;
    design_.apply(x_, 0.0, prediction_, settings_.threads);
    const double loss =
        loss_.evaluate({prediction_, target_, settings_.sample_weights, design_.background(x_)},
                       derivative_, settings_.threads);
    return settings_.ridge == 0.0 ? loss : loss + 0.5 * settings_.ridge * x_.squared_norm();
  }

  void gradient_inside(VectorView out) override {
    if (!screening_) evaluate_full_gradient();
    if (gradient_is_current_) {
      for (Index k = 0; k < x_.size(); ++k) out[k] = gradient_[listed(k)];
    } else {
      design_.apply_transpose(x_.indices, derivative_, out, settings_.threads);
    }
    for (Index k = 0; k < x_.size(); ++k)
      out[k] += settings_.ridge * x_.values[static_cast<std::size_t>(k)];
  }

  void gradient_outside(double magnitude, SparseVector& entries) override {
    entries.clear();
    if (screening_ && !gradient_is_current_ && gradient_point_ &&
        screening_->select(magnitude, distance_from_reference(), x_.indices, candidates_)) {
      const Index count = static_cast<Index>(candidates_.size());
      gradient_at_candidates_.resize(count);
      design_.apply_transpose(candidates_, derivative_, gradient_at_candidates_, settings_.threads);
      spent_ += static_cast<double>(count) / static_cast<double>(dimension());
      for (Index k = 0; k < count; ++k)
        entries.append_if_large(candidates_[static_cast<std::size_t>(k)],
                                gradient_at_candidates_[k], magnitude);
      return;
    }
    evaluate_full_gradient();
    append_outside(x_.indices, gradient_, magnitude, entries);
  }

  double gradients_spent() const override { return spent_; }

 private:
  Index listed(Index k) const { return x_.indices[static_cast<std::size_t>(k)]; }

  double distance_from_reference() const {
    return std::sqrt(kernels::squared_distance(derivative_.size(), derivative_.data(),
                                               reference_derivative_.data()));
  }

  void evaluate_full_gradient() {
    if (gradient_is_current_) return;
    design_.apply_transpose(derivative_, gradient_, settings_.threads);
    gradient_is_current_ = true;
    gradient_point_ = x_;
    spent_ += 1.0;
    if (screening_) {
      reference_derivative_ = derivative_;
      screening_->take_reference(
          gradient_, std::sqrt(kernels::squared_norm(derivative_.size(), derivative_.data())));
    }
  }

  const Design& design_;
  const Loss& loss_;
  ConstVectorView target_;
  Settings settings_;

  SparseVector x_;
  Vector prediction_, derivative_;
  Vector gradient_;  // of the loss alone, at gradient_point_
  std::optional<SparseVector> gradient_point_;
  bool gradient_is_current_ = false;
  double spent_ = 0.0;

  std::optional<Screening> screening_;
  Vector reference_derivative_;
  Support candidates_;
  Vector gradient_at_candidates_;
};

}  // namespace regiht
