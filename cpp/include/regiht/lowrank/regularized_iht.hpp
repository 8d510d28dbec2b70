#pragma once

#include <cmath>
#include <functional>
#include <optional>

#include "regiht/lowrank/leading_singular.hpp"
#include "regiht/lowrank/low_rank_sum.hpp"
#include "regiht/lowrank/matrix_objective.hpp"
#include "regiht/lowrank/space_weights.hpp"
#include "regiht/status.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

struct DescentOptions {
  Index rank;
  Index max_iter;
  double tol;
  std::optional<double> step;  ///< none: it chooses itself, from the smoothness on
  double smoothness;
  double weight_step;      ///< how fast the weights fall
  double round_threshold;  ///< weights at or below it become zero
  double weighted_part;    ///< of the iterations, after which the weights are dropped
  int threads;
  Poll poll = [] {};  ///< between products
};

struct DescentResult {
  Factors best;
  double value;
  Status status;
  Regularizer weights;
  Index iterations;
};

/// Called after each iteration with the matrix, f, the weights and f + Φ; a status ends the run.
using DescentObserver =
    std::function<std::optional<Status>(const Factors&, double, const Regularizer&, double)>;

/// A ← H_r(A − ½·step·∇f(A) − ¼(W·A + A·Y)), while the weights fall where A is.
class RegularizedIht {
 public:
  RegularizedIht(const MatrixObjective& objective, const DescentOptions& options, Factors start,
                 DescentObserver observer)
      : objective_(objective),
        options_(options),
        observer_(std::move(observer)),
        adapts_(!options.step),
        step_(options.step.value_or(1.0 / options.smoothness)),
        A_(std::move(start)),
        at_(objective.at(A_, options.threads)),
        weights_(Regularizer::full(objective.rows(), objective.cols(), 1.0 / step_)),
        best_(A_),
        best_value_(at_->value()) {}

  DescentResult run() {
    Index done = 0;
    try {
      if (adapts_) take_first_step();
      for (; done < options_.max_iter; ++done)
        if (const auto status = iterate(done)) return answer(*status, done + 1);
    } catch (const std::overflow_error&) {  // a product left the finite numbers
      return answer(Status::diverged, done);
    }
    return answer(Status::completed, done);
  }

 private:
  static constexpr double growth = 1.1;
  static constexpr int most_shrinks = 60;
  /// Tolerance of the singular vectors, relative to the length of the last move, and its range.
  static constexpr double finer = 0.05, coarsest = 1e-2, finest = 1e-12;
  /// Without a gap between singular values, more products would not pay: a step that adapts is
  /// judged by what it gains.
  static constexpr Index most_blocks = 10, all_blocks = 300;
  /// How many directions of lowered weight are kept, in multiples of the rank.
  static constexpr Index most_lowered = 3;
  /// Below this part of ‖A‖² what the weights hold of A is rounding, and the weights stay.
  static constexpr double nothing_left = 1e-12;

  struct Candidate {
    Factors A;
    std::unique_ptr<Point> at;
  };

  /// B − A, by the triangles of the pairs of factors that it is the product of.
  class Move {
   public:
    Move(const Factors& A, const Factors& B, int threads)
        : left_(beside(B.left(), -A.left())),
          right_(beside(B.V, A.V)),
          left_triangle_(triangle(left_, threads)),
          right_triangle_(triangle(right_, threads)),
          squared_length_((left_triangle_ * right_triangle_.transpose()).squaredNorm()),
          threads_(threads) {}

    double squared_length() const { return squared_length_; }

    /// ⟨W, DDᵀ⟩ + ⟨Y, DᵀD⟩ for the difference D.
    double held_by(const Regularizer& weights) const {
      return 2.0 * squared_length_ - removed(weights.W, left_, right_triangle_) -
             removed(weights.Y, right_, left_triangle_);
    }

   private:
    double removed(const SpaceWeights& W, const Block& block, const Block& other) const {
      if (W.d.size() == 0) return 0.0;
      const Block part = inner_product(W.Q, block, threads_) * other.transpose();
      return (W.d.cwiseSqrt().asDiagonal() * part).squaredNorm();
    }

    Block left_, right_, left_triangle_, right_triangle_;
    double squared_length_;
    int threads_;
  };

  /// A status ends the run.
  std::optional<Status> iterate(Index done) {
    const double last_weighted = options_.weighted_part * static_cast<double>(options_.max_iter);
    dropped_ = static_cast<double>(done) >= last_weighted;
    std::optional<Candidate> moved = move();
    if (!moved) return Status::completed;
    const bool lowered = !dropped_ && lower();
    last_move_ = std::sqrt(length_ / std::max(moved->A.squared_norm(), tiny));
    const double gain = at_->value() - moved->at->value();
    A_ = std::move(moved->A);
    at_ = std::move(moved->at);
    const double value = at_->value();
    if (value < best_value_) {
      best_ = A_;
      best_value_ = value;
    }
    if (observer_) {
      const double regularized = value + scaled().value(A_, options_.threads);
      if (const auto told = observer_(A_, value, scaled(), regularized)) return told;
    } else if (!std::isfinite(value)) {
      return Status::diverged;
    }
    if (!lowered && A_.rank() > 0 && is_at_rest(gain, value)) return Status::converged;
    return std::nullopt;
  }

  bool is_at_rest(double gain, double value) const {
    const double tol = options_.tol;
    return last_move_ <= tol || (adapts_ && std::abs(gain) <= tol * tol * std::abs(value));
  }

  /// The weights as strong as the step asks for, or without strength.
  Regularizer scaled() const { return {weights_.W, weights_.Y, beta()}; }
  double beta() const { return dropped_ ? 0.0 : 1.0 / step_; }

  /// 1/curvature along the first move: the bound would be far too careful for few observations.
  void take_first_step() {
    step_ = 2.0 / options_.smoothness;
    const Candidate tried = propose(0.0);
    guess_ = tried.A;
    const double length = Move(A_, tried.A, options_.threads).squared_length();
    if (length == 0.0) return;
    const double bend = 2.0 * bend_towards(tried) / length;
    if (bend > 0.0 && std::isfinite(bend)) step_ = 1.0 / bend;
  }

  /// The next point. A step that adapts is shortened until its quadratic model is above f there.
  std::optional<Candidate> move() {
    for (int shrinks = 0; shrinks < most_shrinks; ++shrinks) {
      const double strength = beta();
      Candidate tried = propose(strength);
      const Move difference(A_, tried.A, options_.threads);
      length_ = difference.squared_length();
      if (!adapts_) return tried;
      const double excess = model_excess(tried, difference, strength);
      if (excess <= 1.0) {
        step_ *= growth;
        return tried;
      }
      step_ *= std::min(std::max(0.9 / excess, 0.1), 0.7);
    }
    return std::nullopt;
  }

  Candidate propose(double strength) {
    const int threads = options_.threads;
    const double half = 0.5 * step_, pull = -half * 0.5 * strength;
    const Block left = A_.left();
    Block scaled_left = (1.0 - half * objective_.ridge()) * left, right = A_.V;
    Block terms = scaled_left;
    if (strength > 0.0 && A_.rank() > 0) {
      scaled_left += pull * weights_.W.times(left, threads);
      terms = beside(scaled_left, pull * left);
      right = beside(right, weights_.Y.times(A_.V, threads));
    }
    LeadingOptions leading;
    leading.count = options_.rank;
    leading.tol = fineness();
    leading.max_blocks = adapts_ ? most_blocks : all_blocks;
    leading.threads = threads;
    leading.poll = options_.poll;
    const Factors& start = A_.rank() > 0 || !guess_ ? A_ : *guess_;
    const SingularTriplets found =
        leading_singular(LowRankSum(at_->gradient(), -half, terms, right), leading, start.U,
                         start.V)
            .triplets;
    const Index kept = (found.s.array() > 0.0).count();
    Factors A{found.U.leftCols(kept), found.s.head(kept), found.V.leftCols(kept)};
    auto at = objective_.at(A, threads);
    return {std::move(A), std::move(at)};
  }

  /// Tolerance of the singular vectors. With a given step, the iteration is exact.
  double fineness() const {
    if (!adapts_) return finest;
    return std::min(std::max(finer * last_move_, finest), coarsest);
  }

  double bend_towards(const Candidate& tried) const {
    return tried.at->value() - at_->value() - at_->slope_towards(*tried.at);
  }

  /// The curvature of f along the move over that of the model that the step stands for.
  double model_excess(const Candidate& tried, const Move& difference, double strength) const {
    const double bend = bend_towards(tried);
    const double rounding = 64.0 * std::numeric_limits<double>::epsilon() *
                            (std::abs(tried.at->value()) + std::abs(at_->value()));
    if (bend <= rounding) return 0.0;
    const double model =
        difference.squared_length() / step_ - 0.25 * strength * difference.held_by(weights_);
    return model > 0.0 ? bend / model : std::numeric_limits<double>::infinity();
  }

  /// W ← W − c·W·A·Aᵀ·W/⟨W, AAᵀ⟩ on both sides; weights at or below the threshold become zero.
  bool lower() {
    if (A_.rank() == 0 || options_.weight_step == 0.0) return false;
    const bool of_rows = lower_side(weights_.W, A_.left());
    const bool of_cols = lower_side(weights_.Y, A_.right());
    return of_rows || of_cols;
  }

  bool lower_side(SpaceWeights& W, const Block& left) const {
    const int threads = options_.threads;
    const Block held = W.root_times(left, threads);
    const double total = held.squaredNorm();
    if (total <= nothing_left * A_.squared_norm()) return false;
    const double share = options_.weight_step / total;
    W = W.lowered_by(W.root_times(limited(held, share), threads), threads)
            .rounded(options_.round_threshold, most_lowered * options_.rank);
    return true;
  }

  /// X with X·Xᵀ = share · held · heldᵀ, whose eigenvalues are cut at one.
  Block limited(const Block& held, double share) const {
    // They add up to share · ‖held‖².
    if (options_.weight_step <= 1.0) return std::sqrt(share) * held;
    const QR qr = thin_qr(held, options_.threads);
    const SingularTriplets found = thin_svd(qr.R);
    const Vector roots = (std::sqrt(share) * found.s).cwiseMin(1.0);
    return product(qr.Q, found.U * roots.asDiagonal(), options_.threads);
  }

  DescentResult answer(Status status, Index iterations) {
    return {std::move(best_), best_value_, status, std::move(weights_), iterations};
  }

  static constexpr double tiny = 1e-300;

  const MatrixObjective& objective_;
  DescentOptions options_;
  DescentObserver observer_;
  bool adapts_;
  double step_;
  Factors A_;
  std::unique_ptr<Point> at_;
  Regularizer weights_;
  Factors best_;
  double best_value_;
  double last_move_ = 1.0, length_ = 0.0;
  std::optional<Factors> guess_;  ///< of singular vectors, where the current matrix is none
  bool dropped_ = false;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
