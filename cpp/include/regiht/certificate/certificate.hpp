#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "regiht/certificate/dual_bound.hpp"
#include "regiht/certificate/relaxed_threshold.hpp"
#include "regiht/observer.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A lower bound on the optimum of a constrained model, and the steps it took.
struct Certificate {
  double lower_bound = -std::numeric_limits<double>::infinity();
  Index steps = 0;
};

/// Improves the bound D(u) (see DualBound), starting from the slopes at a solution.
///
/// The largest D(u) equals the least value of the convex relaxation Σ wℓ(Ax) + ρh(x), with h the
/// envelope of RelaxedThreshold. So the relaxation is minimised, by accelerated proximal gradient
/// steps that restart when the value rises, and every point y on the way gives the slopes
/// u = ℓ′(Ay), which are in the domain of ℓ*. The best bound is kept; the relaxed value shows how
/// much is left to gain.
class DualAscent {
 public:
  DualAscent(const ConstrainedModel& model, const std::shared_ptr<const ColumnNorms>& norms)
      : model_(model), bound_(model, norms), threshold_(model.sparsity, model.keep) {
    double curvature = model.loss.max_curvature();
    if (!std::isfinite(curvature)) curvature = 1.0;
    if (model.sample_weights)
      curvature *= *std::max_element(model.sample_weights, model.sample_weights + rows());
    const double norm = norms->norms.maxCoeff();
    step_ = std::min(1.0 / (curvature * norm * norm), longest_step());
  }

  /// `value` is f(x), which decides when the bound is good enough.
  Certificate climb(const SparseVector& x, double value, Observer& observer) {
    Stopwatch watch;
    Certificate best{bound_.at_zero(), 0};
    start_from(x);
    relaxed_ = std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
    const Vector no_weights;
    while (best.steps < most_steps) {
      extrapolate();
      if (!std::isfinite(value_)) {
        if (!extrapolated_) break;
        restart();
        continue;
      }
      best.lower_bound = std::max(best.lower_bound, bound_.at(slope_, gradient_));
      if (is_done(best.lower_bound, value) || !gradient_.allFinite()) break;
      ++best.steps;
      if (!descend(observer)) break;
      watch.advance();
      if (observer.observe({best.steps, best.lower_bound, relaxed_, x, no_weights, 0, watch}))
        break;
    }
    return best;
  }

 private:
  static constexpr Index most_steps = 300;
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  Index rows() const { return model_.design.rows(); }

  /// A longer step would only reach the minimum of the ridge, and risk overflow.
  double longest_step() const { return std::min(1e3 / model_.ridge, 1e300); }

  /// Whether the possible gain is small in itself or against the gap.
  bool is_done(double bound, double value) const {
    const double gain = relaxed_ - bound;
    return gain <= 1e-10 * std::abs(value) || gain <= 1e-3 * (value - bound);
  }

  void start_from(const SparseVector& x) {
    here_ = x.dense(model_.design.cols());
    prediction_.resize(rows());
    model_.design.apply(x, 0.0, prediction_, model_.threads);
    slope_.resize(rows());
    if (!std::isfinite(loss_at(prediction_))) {
      here_.setZero();
      prediction_.setZero();
    }
    restart();
  }

  void restart() {
    before_ = here_;
    prediction_before_ = prediction_;
    momentum_ = 1.0;
  }

  /// Σ wᵢ ℓ at these predictions; writes ℓ′, unweighted, to slope_.
  double loss_at(const Vector& prediction) {
    double value = model_.loss.evaluate({prediction, model_.target, model_.sample_weights}, slope_,
                                        model_.threads);
    if (model_.sample_weights)
      model_.loss.evaluate({prediction, model_.target}, slope_, model_.threads);
    return value;
  }

  /// Sets y = x + share·(last move), and evaluates the loss and its slopes there.
  void extrapolate() {
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
    const double share = (momentum_ - 1.0) / next;
    momentum_ = next;
    extrapolated_ = share > 0.0;
    point_ = here_ + share * (here_ - before_);
    point_prediction_ = prediction_ + share * (prediction_ - prediction_before_);
    value_ = loss_at(point_prediction_);
    // A rounded slope may lie just outside the domain of ℓ*, which contains zero: shrink it.
    slope_ *= 1.0 - 4.0 * epsilon;
  }

  /// Takes a proximal gradient step from y. False if no step is short enough or the observer
  /// interrupts.
  bool descend(Observer& observer) {
    before_.swap(here_);
    prediction_before_.swap(prediction_);
    for (;; step_ *= 0.5) {
      if (!(step_ >= std::numeric_limits<double>::min()) || observer.interruption()) return false;
      moved_ = point_ - step_ * gradient_;
      const double penalty = threshold_.apply(moved_, step_ * model_.ridge, here_);
      predict(here_);
      const double value = loss_at(prediction_);
      moved_ = here_ - point_;
      const double slope = gradient_.dot(moved_);
      const double noise = 16.0 * epsilon * (std::abs(value) + std::abs(value_) + std::abs(slope));
      if (!(value - value_ - slope <= 0.5 * moved_.squaredNorm() / step_ + noise)) continue;
      const double relaxed = value + model_.ridge * penalty;
      if (relaxed > last_relaxed_) restart();
      last_relaxed_ = relaxed;
      relaxed_ = std::min(relaxed_, relaxed);
      break;
    }
    step_ = std::min(1.1 * step_, longest_step());
    return true;
  }

  void predict(const Vector& x) {
    listed_.clear();
    for (Index j = 0; j < x.size(); ++j)
      if (x[j] != 0.0) listed_.append(j, x[j]);
    model_.design.apply(listed_, 0.0, prediction_, model_.threads);
  }

  const ConstrainedModel& model_;
  DualBound bound_;
  RelaxedThreshold threshold_;
  double step_ = 0.0, momentum_ = 1.0;
  bool extrapolated_ = false;

  // The last two points and their predictions; the extrapolated point from which a step starts.
  Vector here_, before_, prediction_, prediction_before_;
  Vector point_, point_prediction_, slope_, gradient_, moved_;
  SparseVector listed_;
  double value_ = 0.0;  // the loss at the extrapolated point
  double relaxed_ = 0.0, last_relaxed_ = std::numeric_limits<double>::infinity();
};

/// A lower bound on the constrained optimum, from the solution x with f(x) = value.
inline Certificate certify(const ConstrainedModel& model,
                           const std::shared_ptr<const ColumnNorms>& norms, const SparseVector& x,
                           double value, Observer& observer) {
  return DualAscent(model, norms).climb(x, value, observer);
}

}}  // namespace regiht::REGIHT_ABI
