#pragma once

#include <limits>
#include <optional>

#include "regiht/lowrank/conjugate_gradients.hpp"
#include "regiht/lowrank/prediction_objective.hpp"
#include "regiht/lowrank/spanned_penalty.hpp"
#include "regiht/lowrank/symmetric_system.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Minimises a loss of predictions and a penalty over the X of U·X·Vᵀ by Newton's method: one step
/// for a quadratic, and a second one against rounding.
///
/// `gram(curvatures)` forms the system of the loss; where it is empty, steps are found by conjugate
/// gradients.
class SpanNewton {
 public:
  using Gram = std::function<Basis(const Vector&)>;

  SpanNewton(const PredictionObjective& objective, const Span& span, const Regularizer* weights,
             Gram gram, int threads, const Poll& poll)
      : objective_(objective),
        span_(span),
        penalty_(weights, objective.ridge(), span.U, span.V, threads),
        gram_(std::move(gram)),
        threads_(threads),
        poll_(poll) {}

  Block run(Block X) {
    const double enough = small * slope_of_loss(Vector::Zero(objective_.count())).norm();
    State at = state(std::move(X));
    double least = std::numeric_limits<double>::infinity(), lowest = least;
    Block best = at.X;
    for (int step = 0; step < most_steps; ++step) {
      poll_();
      const Block slope = slope_of_loss(at.z) + penalty_.gradient(at.X);
      const double size = slope.norm();
      if (!(size < least || at.value < lowest)) return best;
      best = at.X;
      least = size;
      lowest = at.value;
      if (size <= enough) break;
      std::optional<State> lower = shortened(at, solved(at.z, -slope));
      if (!lower) break;
      at = std::move(*lower);
    }
    return at.X;
  }

 private:
  static constexpr double small = 1e-12;
  static constexpr int most_steps = 50, most_halvings = 40;

  struct State {
    Block X;
    Vector z;
    double value;
  };

  State state(Block X) const {
    Vector z = predict(X);
    const double value = objective_.total_loss(z, threads_) + penalty_.value(X);
    return {std::move(X), std::move(z), value};
  }

  Vector predict(const Block& X) const {
    return objective_.predict(product(span_.U, X, threads_), span_.V, threads_);
  }

  /// What v is worth in the directions of X: the adjoint of `predict`.
  Block project(const Vector& v) const {
    const auto matrix = objective_.adjoint(v, threads_);
    Block image(span_.U.rows(), span_.V.cols());
    matrix->apply(span_.V, image, threads_);
    return inner_product(span_.U, image, threads_);
  }

  Block slope_of_loss(Vector z) const {
    objective_.differentiate(z, threads_);
    return project(z);
  }

  Block solved(const Vector& z, const Block& slope) {
    if (gram_) {
      const Vector answer = system(z).solve(Eigen::Map<const Vector>(slope.data(), slope.size()));
      return Eigen::Map<const Block>(answer.data(), slope.rows(), slope.cols());
    }
    constexpr Index most_products = 300;
    const Vector bend = objective_.curvatures(z, threads_);
    const auto curve = [&](const Block& D) -> Block {
      poll_();
      return project(bend.cwiseProduct(predict(D))) + penalty_.gradient(D);
    };
    return conjugate_gradients(curve, slope, std::min(2 * slope.size() + 10, most_products));
  }

  /// The system of a squared loss is the same everywhere.
  const SymmetricSystem& system(const Vector& z) {
    if (!system_ || !objective_.is_quadratic()) {
      Basis formed = gram_(objective_.curvatures(z, threads_));
      penalty_.add_to(formed, span_.U.cols(), span_.V.cols());
      system_.emplace(formed);
    }
    return *system_;
  }

  /// The longest of move, move/2, move/4, … that does not raise the value beyond rounding.
  std::optional<State> shortened(const State& at, Block move) const {
    constexpr double rounding = 1e-14;
    const double allowed = at.value + rounding * std::abs(at.value);
    for (int halvings = 0; halvings < most_halvings; ++halvings) {
      State moved = state(at.X + move);
      if (moved.value <= allowed) return moved;
      move *= 0.5;
    }
    return std::nullopt;
  }

  const PredictionObjective& objective_;
  const Span& span_;
  SpannedPenalty penalty_;
  Gram gram_;
  int threads_;
  const Poll& poll_;
  std::optional<SymmetricSystem> system_;
};

/// Whether the system of so many unknowns is formed, if its entries are fewer too than the
/// multiply-adds that two rounds of conjugate gradients make for each observation.
inline bool forms_system(const Block& X) {
  constexpr Index most_unknowns = 400, products_in_rounds = 4;
  const Index size = X.size(), steps = 2 * size + 10;
  return size <= most_unknowns &&
         size * size <= 2 * products_in_rounds * steps * std::max(X.rows(), X.cols());
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
