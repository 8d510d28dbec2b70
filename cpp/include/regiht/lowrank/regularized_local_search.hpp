#pragma once

#include <cmath>
#include <stdexcept>
#include <utility>

#include "regiht/lowrank/exchange_steps.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// What Algorithm 2 is given besides.
struct RegularizedSearchOptions {
  Index target_rank;
  double target;      ///< f(A*)
  double smoothness;  ///< β
  double sufficient;  ///< part of g(A) − f(A*) that a step must gain
  bool reoptimize;    ///< after the weights change, and at the start
};

/// Algorithm 2 of the paper: local search with adaptive regularization of both singular spaces, for
/// one value of f(A*). Borrows the objective.
class RegularizedLocalSearch {
 public:
  RegularizedLocalSearch(const MatrixObjective& objective, ExchangeOptions options,
                         const RegularizedSearchOptions& given, Factors start,
                         ExchangeObserver observer)
      : options_(std::move(options)),
        given_(given),
        steps_(objective, options_, std::move(observer)),
        weights_(Regularizer::full(objective.rows(), objective.cols(), given.smoothness)),
        A_(std::move(start)),
        at_(steps_.at(A_)),
        best_(A_),
        best_value_(at_->value()) {
    const Factors zero = Factors::zero(objective.rows(), objective.cols());
    close_ = options_.tol * std::abs(steps_.at(zero)->value() - given.target);
  }

  /// Ends without weights: the best matrix is optimised for f alone.
  ExchangeResult run() {
    try {
      if (given_.reoptimize && A_.rank() > 0) move_to(steps_.best_in_span(A_, nullptr, &weights_));
      best_ = A_;
      best_value_ = at_->value();
      Status status = Status::completed;
      ExchangeEnd end = ExchangeEnd::by_status;
      while (done_ < options_.max_iter && !is_reached()) {
        options_.poll();
        const char* branch = iterate();
        if (branch == nullptr) {
          status = Status::stationary;
          end = ExchangeEnd::exhausted;
          break;
        }
        ++done_;
        const double value = at_->value();
        if (value < best_value_) {
          best_ = A_;
          best_value_ = value;
        }
        const double regularized = value + weights_.value(A_, options_.threads);
        if (const auto told =
                steps_.tell({A_, value, branch, &weights_, regularized, given_.target}))
          return answer(*told, ExchangeEnd::by_status);
      }
      best_ = steps_.best_in_span(best_, nullptr, nullptr);
      best_value_ = steps_.at(best_)->value();
      return is_reached() ? answer(Status::converged, ExchangeEnd::reached) : answer(status, end);
    } catch (const std::overflow_error&) {  // f or a product left the finite numbers
      return answer(Status::diverged, ExchangeEnd::by_status);
    }
  }

  const Regularizer& weights() const { return weights_; }

 private:
  /// Of Δ/β, in the condition of the second branch.
  static constexpr double concentrated = 0.4;
  /// Below this part of ‖A‖² what the weights hold of A is rounding, and the weights stay.
  static constexpr double nothing_left = 1e-12;

  /// What the weights of one side hold of A: P of the paper by its eigenvectors.
  struct Held {
    Block Z;
    Vector values;

    Held(const SpaceWeights& W, const Block& left, int threads) {
      const QR qr = thin_qr(W.root_times(left, threads), threads);
      const SingularTriplets found = thin_svd(qr.R);
      Z = product(qr.Q, Block(found.U), threads);
      values = found.s.cwiseAbs2();
    }

    double trace() const { return values.sum(); }

    /// Tr H_r(P).
    double leading(Index rank) const { return values.head(std::min(rank, values.size())).sum(); }
  };

  bool is_reached() const { return best_value_ <= given_.target + close_; }

  void move_to(Factors A) {
    A_ = std::move(A);
    at_ = steps_.at(A_);
  }

  /// The branch taken; null where there is nothing to be gained.
  const char* iterate() {
    const int threads = options_.threads;
    const double before = at_->value() + weights_.value(A_, threads);
    const double delta = before - given_.target;
    if (!(delta > 0.0)) return nullptr;
    const Factors direction = steps_.leading_of_gradient(A_, *at_, &weights_);
    const Factors kept = ExchangeSteps::truncated(A_, options_.rank - 1);
    const Factors moved =
        Factors::of_terms(beside(kept.left(), (-0.5 / given_.smoothness) * direction.left()),
                          beside(kept.V, direction.V), threads);
    const double after = steps_.at(moved)->value() + weights_.value(moved, threads);
    if (std::isnan(after)) throw std::overflow_error("f is not a number after a step");
    if (!(before - after >= given_.sufficient * delta)) return lower(delta);
    move_to(steps_.best_in_span(kept, &direction, &weights_));
    return "step";
  }

  /// Takes weight from where A is, since no step gains enough against the weights.
  const char* lower(double delta) {
    const Index rank = given_.target_rank;
    const Held P(weights_.W, A_.left(), options_.threads);
    const Held Q(weights_.Y, A_.right(), options_.threads);
    const double least = nothing_left * A_.squared_norm();
    if (std::max(P.trace(), Q.trace()) <= least) return nullptr;
    const bool is_concentrated =
        std::max(P.leading(rank), Q.leading(rank)) >= concentrated / given_.smoothness * delta;
    if (P.trace() > least) lower_side(weights_.W, P, is_concentrated);
    if (Q.trace() > least) lower_side(weights_.Y, Q, is_concentrated);
    if (given_.reoptimize) move_to(steps_.best_in_span(A_, nullptr, &weights_));
    return is_concentrated ? "spectral" : "proportional";
  }

  /// W^{1/2}(I − (1/r)·Π)W^{1/2}, Π on the r leading eigenvectors of P; or
  /// W − W·A·Aᵀ·W/⟨W, AAᵀ⟩ = W^{1/2}(I − P/Tr P)W^{1/2}.
  void lower_side(SpaceWeights& W, const Held& P, bool is_concentrated) const {
    Block removed;
    if (is_concentrated) {
      const Index rank = given_.target_rank;
      removed = P.Z.leftCols(std::min(rank, P.Z.cols())) / std::sqrt(static_cast<double>(rank));
    } else {
      removed = P.Z * (P.values / P.trace()).cwiseSqrt().asDiagonal();
    }
    W = W.lowered_by(W.root_times(removed, options_.threads), options_.threads);
  }

  ExchangeResult answer(Status status, ExchangeEnd end) {
    return {std::move(best_), best_value_, status, end, done_};
  }

  ExchangeOptions options_;
  RegularizedSearchOptions given_;
  ExchangeSteps steps_;
  Regularizer weights_;
  Factors A_;
  std::unique_ptr<Point> at_;
  Factors best_;
  double best_value_, close_;
  Index done_ = 0;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
