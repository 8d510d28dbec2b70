#pragma once

#include <memory>

#include "regiht/gram.hpp"
#include "regiht/least_squares.hpp"
#include "regiht/linear_model.hpp"
#include "regiht/loss/squared.hpp"

namespace regiht {

/// Whether one Gram matrix of all columns costs less than the steps it would spare.
/// `support_steps`: iterations times columns in the support.
inline bool gram_pays(const Design& design, Index support_steps) {
  constexpr Index largest = 2048;  // 32 MB
  const Index cols = design.cols();
  return cols <= largest && 2 * cols <= design.rows() && cols * cols <= 16 * support_steps;
}

/// The fastest objective for a linear model; which one it is changes the time and last bits only.
inline std::unique_ptr<Objective> make_objective(const Design& design, const Loss& loss,
                                                 ConstVectorView target, GramCache& cache,
                                                 LinearModel::Settings settings,
                                                 Index support_steps) {
  if (loss.name() != Squared::name || settings.sample_weights)
    return std::make_unique<LinearModel>(design, loss, target, settings);
  LeastSquares::Settings least{settings.ridge, settings.screening, settings.threads, {}, {}};
  if (cache.is_filled() || gram_pays(design, support_steps))
    least.gram = cache.get(design, settings.threads);
  return std::make_unique<LeastSquares>(design, target, std::move(least));
}

}  // namespace regiht
