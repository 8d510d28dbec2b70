#pragma once

#include <memory>
#include <utility>

#include "regiht/loss/loss.hpp"
#include "regiht/model/design_cache.hpp"
#include "regiht/model/least_squares.hpp"
#include "regiht/model/linear_model.hpp"
#include "regiht/model/settings.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Whether to form the Gram matrix of all columns before the first step. Depends on the shape
/// alone, so that a longer run starts with the iterates of a shorter one, bit for bit.
inline bool gram_pays(const Design& design) {
  constexpr Index small = 128;    // where screening would cost more than it saves
  constexpr Index largest = 256;  // beyond, it costs more than most runs
  return design.cols() <= small || (design.cols() <= largest && 2 * design.cols() <= design.rows());
}

/// Whether to learn whole columns of the Gram matrix: where one costs less than screening spends on
/// a decision, and all of them take little memory.
inline bool gram_columns_pay(const Design& design) {
  constexpr double cheap = 131'072;  // multiply-adds
  constexpr Index largest = 2048;
  return design.cols() <= largest && design.full_cost() <= cheap;
}

/// Makes objectives for one design, loss and target vector, sharing what can be shared.
///
/// The kind of objective depends on the loss and the shape alone.
class ObjectiveFactory {
 public:
  ObjectiveFactory(const Design& design, const Loss& loss, ConstVectorView target,
                   DesignCache& cache, const ModelSettings& settings)
      : design_(design),
        loss_(loss),
        target_(target),
        settings_(settings),
        cache_(&cache),
        least_squares_(loss.is_quadratic() && loss.max_curvature() == 1.0 &&
                       !settings.sample_weights && !settings.intercept) {
    if (!least_squares_) return;
    if (gram_pays(design))
      gram_ = cache.gram(design, settings.threads);
    else if (gram_columns_pay(design))
      gram_columns_ = cache.gram_columns(design);
    if (gram_ || gram_columns_) {
      auto correlations = std::make_shared<Vector>(design.cols());
      design.apply_transpose(target, *correlations, settings.threads);
      correlations_ = std::move(correlations);
    }
  }

  std::unique_ptr<Objective> make() const {
    if (!least_squares_)
      return std::make_unique<LinearModel>(
          design_, loss_, target_,
          LinearModel::Settings{settings_.ridge, settings_.sample_weights, settings_.screening,
                                settings_.threads, settings_.intercept, cache_});
    return std::make_unique<LeastSquares>(
        design_, target_,
        LeastSquares::Settings{settings_.ridge, settings_.screening, settings_.threads, gram_,
                               gram_columns_, correlations_, cache_});
  }

 private:
  const Design& design_;
  const Loss& loss_;
  Vector target_;
  ModelSettings settings_;
  DesignCache* cache_;
  bool least_squares_;
  std::shared_ptr<const Gram> gram_;
  std::shared_ptr<GramColumns> gram_columns_;
  std::shared_ptr<const Vector> correlations_;
};

}}  // namespace regiht::REGIHT_ABI
