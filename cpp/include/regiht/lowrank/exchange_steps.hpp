#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "regiht/lowrank/leading_singular.hpp"
#include "regiht/lowrank/low_rank_sum.hpp"
#include "regiht/lowrank/matrix_objective.hpp"
#include "regiht/status.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// What greedy, local search and Algorithm 2 are given.
struct ExchangeOptions {
  Index rank;
  Index max_iter;
  double tol;
  int threads;
  Poll poll = [] {};
};

/// One iteration as these methods tell of it. Without weights `regularized` is the value; `target`
/// is what Algorithm 2 takes for f(A*).
struct ExchangeIteration {
  const Factors& A;
  double value;
  const char* branch;
  const Regularizer* weights;
  double regularized, target;
};

/// Told of each iteration; an answer ends the run. Without one, values that are not finite do.
using ExchangeObserver = std::function<std::optional<Status>(const ExchangeIteration&)>;

enum class ExchangeEnd {
  by_status,  ///< the status says it all
  no_slope,   ///< the gradient is zero
  rank_used,  ///< there is no rank left to add
  no_gain,    ///< no exchange lowers the value by more than tol
  reached,    ///< the value is within tol of the target value
  exhausted   ///< no step gains enough, and the weights hold nothing of the matrix any more
};

struct ExchangeResult {
  Factors best;
  double value;
  Status status;
  ExchangeEnd end;
  Index iterations;
};

/// The steps that methods of exchanges share. Borrows the objective.
class ExchangeSteps {
 public:
  ExchangeSteps(const MatrixObjective& objective, ExchangeOptions options,
                ExchangeObserver observer)
      : objective_(objective), options_(std::move(options)), observer_(std::move(observer)) {}

  std::unique_ptr<Point> at(const Factors& A) const { return objective_.at(A, options_.threads); }

  /// H_rank of A.
  static Factors truncated(const Factors& A, Index rank) {
    const Index kept = std::min(rank, A.rank());
    return {A.U.leftCols(kept), A.s.head(kept), A.V.leftCols(kept)};
  }

  /// H₁(∇f(A) + ∇Φ(A)); without weights Φ is zero.
  Factors leading_of_gradient(const Factors& A, Point& at, const Regularizer* weights) const {
    const Block given = A.left();
    Block left = objective_.ridge() * given, right = A.V;
    if (weights != nullptr) {
      const double half = 0.5 * weights->beta;
      left += half * weights->W.times(given, options_.threads);
      left = beside(left, half * given);
      right = beside(right, weights->Y.times(A.V, options_.threads));
    }
    LeadingOptions leading;
    leading.max_blocks = 300;
    leading.threads = options_.threads;
    leading.poll = options_.poll;
    const Block nothing(0, 0);
    SingularTriplets found =
        leading_singular(LowRankSum(at.gradient(), 1.0, left, right), leading, nothing, nothing)
            .triplets;
    return {found.U, std::move(found.s), found.V};
  }

  /// The fully corrective step: the best matrix over the spaces of A and of a direction, if any.
  Factors best_in_span(const Factors& A, const Factors* direction,
                       const Regularizer* weights) const {
    Span span{A.U, A.V};
    if (direction != nullptr) {
      span.U = with_direction(std::move(span.U), direction->U);
      span.V = with_direction(std::move(span.V), direction->V);
    }
    if (span.U.cols() == 0 || span.V.cols() == 0)
      return Factors::zero(objective_.rows(), objective_.cols());
    Block X = Block::Zero(span.U.cols(), span.V.cols());
    X.diagonal().head(A.rank()) = A.s;
    X = objective_.corrective(span, std::move(X), weights, options_.threads, options_.poll);
    return Factors::of_product(span.U, X, span.V, options_.threads);
  }

  std::optional<Status> tell(const ExchangeIteration& iteration) const {
    if (observer_) return observer_(iteration);
    if (!std::isfinite(iteration.value)) return Status::diverged;
    return std::nullopt;
  }

 private:
  /// The orthonormal columns and one more, unless the direction lies in their span.
  Block with_direction(Block columns, Block direction) const {
    constexpr double inside = 1e-10;
    for (int pass = 0; pass < 2; ++pass)
      add_product(columns, inner_product(columns, direction, options_.threads), direction,
                  options_.threads, -1.0);
    const double outside = direction.norm();
    if (outside <= inside) return columns;
    return beside(columns, direction / outside);
  }

  const MatrixObjective& objective_;
  ExchangeOptions options_;
  ExchangeObserver observer_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
