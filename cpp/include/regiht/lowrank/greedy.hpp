#pragma once

#include "regiht/lowrank/exchange_steps.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Adds H₁(∇f(A)) to both spaces and optimises over them, until the rank is reached.
inline ExchangeResult greedy(const MatrixObjective& objective, const ExchangeOptions& options,
                             Factors A, const ExchangeObserver& observer) {
  const ExchangeSteps steps(objective, options, observer);
  auto at = steps.at(A);
  const Index most = std::min(options.rank - A.rank(), options.max_iter);
  Index done = 0;
  const auto answer = [&](Status status, ExchangeEnd end) -> ExchangeResult {
    return {std::move(A), at->value(), status, end, done};
  };
  try {
    while (done < most) {
      options.poll();
      const Factors direction = steps.leading_of_gradient(A, *at, nullptr);
      if (direction.s[0] == 0.0) return answer(Status::stationary, ExchangeEnd::no_slope);
      A = steps.best_in_span(A, &direction, nullptr);
      at = steps.at(A);
      ++done;
      const double value = at->value();
      if (const auto told = steps.tell({A, value, "step", nullptr, value, 0.0}))
        return answer(*told, ExchangeEnd::by_status);
    }
  } catch (const std::overflow_error&) {  // a product left the finite numbers
    return answer(Status::diverged, ExchangeEnd::by_status);
  }
  return answer(Status::completed,
                A.rank() >= options.rank ? ExchangeEnd::rank_used : ExchangeEnd::by_status);
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
