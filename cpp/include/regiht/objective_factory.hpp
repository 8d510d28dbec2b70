#pragma once

#include <memory>
#include <utility>

#include "regiht/design/facts.hpp"
#include "regiht/least_squares.hpp"
#include "regiht/linear_model.hpp"
#include "regiht/loss/squared.hpp"

namespace regiht {

/// Whether one Gram matrix of all columns costs less than the steps it would spare.
/// `support_steps`: iterations times columns in the support.
inline bool gram_pays(const Design& design, double support_steps) {
  constexpr Index largest = 2048;  // 32 MB
  constexpr Index small = 128;     // where screening would cost more than it spares
  const Index cols = design.cols();
  const bool narrow = cols <= small || (cols <= largest && 2 * cols <= design.rows());
  return narrow && static_cast<double>(cols * cols) <= 32.0 * support_steps;
}

/// How a linear model is to be solved: what all solves on the same design and targets share.
struct ModelSettings {
  double ridge = 0.0;
  const double* sample_weights = nullptr;
  bool screening = true;
  int threads = 1;
};

/// Makes objectives for one design, one loss and one vector of targets, sharing what can be shared.
///
/// Which kind of objective it is depends on the shape and the options of a solve alone, never on
/// what was solved before, so that the same call always gives the same bits.
class ObjectiveFactory {
 public:
  /// `support_steps` as in gram_pays, the largest of all solves to come.
  ObjectiveFactory(const Design& design, const Loss& loss, ConstVectorView target,
                   DesignFacts& facts, const ModelSettings& settings, double support_steps)
      : design_(design),
        loss_(loss),
        target_(target),
        settings_(settings),
        least_squares_(loss.name() == Squared::name && !settings.sample_weights) {
    if (least_squares_ && gram_pays(design, support_steps)) {
      gram_ = facts.gram(design, settings.threads);
      auto correlations = std::make_shared<Vector>(design.cols());
      design.apply_transpose(target, *correlations, settings.threads);
      correlations_ = std::move(correlations);
    }
    if (settings.screening) norms_ = facts.norms(design);
  }

  /// `support_steps` of this solve.
  std::unique_ptr<Objective> make(double support_steps) const {
    if (!least_squares_)
      return std::make_unique<LinearModel>(
          design_, loss_, target_,
          LinearModel::Settings{settings_.ridge, settings_.sample_weights, settings_.screening,
                                settings_.threads, norms_});
    LeastSquares::Settings settings{
        settings_.ridge, settings_.screening, settings_.threads, nullptr, nullptr, norms_};
    if (gram_pays(design_, support_steps)) {
      settings.gram = gram_;
      settings.correlations = correlations_;
    }
    return std::make_unique<LeastSquares>(design_, target_, std::move(settings));
  }

 private:
  const Design& design_;
  const Loss& loss_;
  ConstVectorView target_;
  ModelSettings settings_;
  bool least_squares_;
  std::shared_ptr<const Matrix> gram_;
  std::shared_ptr<const Vector> correlations_;
  std::shared_ptr<const ColumnNorms> norms_;
};

}  // namespace regiht
