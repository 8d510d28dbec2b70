#pragma once

#include <cmath>

#include "regiht/lowrank/exchange_steps.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Optimises over the spaces of H_{r−1}(A) and H₁(∇f(A)), while that lowers f.
inline ExchangeResult local_search(const MatrixObjective& objective, const ExchangeOptions& options,
                                   Factors A, const ExchangeObserver& observer) {
  const ExchangeSteps steps(objective, options, observer);
  auto at = steps.at(A);
  Index done = 0;
  const auto answer = [&](Status status, ExchangeEnd end) -> ExchangeResult {
    return {std::move(A), at->value(), status, end, done};
  };
  try {
    if (A.rank() > 0) {
      A = steps.best_in_span(A, nullptr, nullptr);
      at = steps.at(A);
    }
    while (done < options.max_iter) {
      options.poll();
      const Factors direction = steps.leading_of_gradient(A, *at, nullptr);
      if (direction.s[0] == 0.0) return answer(Status::stationary, ExchangeEnd::no_slope);
      Factors tried =
          steps.best_in_span(ExchangeSteps::truncated(A, options.rank - 1), &direction, nullptr);
      auto at_tried = steps.at(tried);
      const double value = at_tried->value();
      if (!std::isfinite(value)) return answer(Status::diverged, ExchangeEnd::by_status);
      if (!(at->value() - value > options.tol * std::abs(at->value())))
        return answer(Status::converged, ExchangeEnd::no_gain);
      A = std::move(tried);
      at = std::move(at_tried);
      ++done;
      if (const auto told = steps.tell({A, value, "step", nullptr, value, 0.0}))
        return answer(*told, ExchangeEnd::by_status);
    }
  } catch (const std::overflow_error&) {  // a product left the finite numbers
    return answer(Status::diverged, ExchangeEnd::by_status);
  }
  return answer(Status::completed, ExchangeEnd::by_status);
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
