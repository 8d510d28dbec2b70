#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "regiht/objective.hpp"
#include "regiht/options/options.hpp"
#include "regiht/solver/step/thresholded_step.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Largest eigenvalue of the Hessian of f at x restricted to the listed entries of `direction`, by
/// power iteration on differences of gradients. f stands at x before and after.
inline double restricted_smoothness(Objective& f, const SparseVector& x, double value,
                                    const SparseVector& direction) {
  // x over the entries that the direction lists.
  SparseVector point = direction;
  for (std::size_t k = 0, l = 0; k < point.indices.size(); ++k) {
    while (l < x.indices.size() && x.indices[l] < point.indices[k]) ++l;
    const bool listed = l < x.indices.size() && x.indices[l] == point.indices[k];
    point.values[k] = listed ? x.values[l] : 0.0;
  }
  const Vector origin = Eigen::Map<const Vector>(point.values.data(), point.size());
  Vector v = Eigen::Map<const Vector>(direction.values.data(), direction.size());
  const double length = v.norm();
  if (!(length > 0.0) || !std::isfinite(length)) return 0.0;
  // Far enough that the difference keeps digits, near enough that the curvature is that at x.
  const double distance = 1e-3 * (value != 0.0 ? std::abs(value) / length : 1.0);
  Vector gradient(v.size()), shifted(v.size());
  f.move_to(point);
  f.gradient_on_support(gradient);
  double curvature = 0.0;
  constexpr int power_iterations = 8;
  for (int i = 0; i < power_iterations; ++i) {
    v *= distance / v.norm();
    Eigen::Map<Vector>(point.values.data(), point.size()) = origin + v;
    f.move_to(point);
    f.gradient_on_support(shifted);
    shifted -= gradient;
    curvature = shifted.norm() / distance;
    if (!(curvature > 0.0) || !std::isfinite(curvature)) break;
    v = shifted;
  }
  f.move_to(x);
  return std::isfinite(curvature) ? curvature : 0.0;
}

/// The length of gradient steps: fixed if given, else adapted to the function.
///
/// A step of length m minimises the model f(x) + ⟨∇f, d⟩ + ‖d‖²/(2m) + the adaptive weights. It is
/// accepted if the model lies above f at the point reached, and shortened otherwise.
class StepSize {
 public:
  /// The gradient is multiplied by `moves_per_step` (½ or 1) times the step.
  StepSize(const Options& options, double moves_per_step)
      : adaptive_(!options.step), moves_per_step_(moves_per_step) {
    if (options.step) move_ = *options.step * moves_per_step;
  }

  double move() const { return move_; }
  double step() const { return move_ / moves_per_step_; }
  bool adaptive() const { return adaptive_; }

  /// Unless a step is given, starts from one over the smoothness of f on the entries that a
  /// gradient step from x would select. f is at x before and after.
  void start(Objective& f, const SparseVector& x, double value, ThresholdedStep& gradient_step) {
    if (!adaptive_) return;
    SparseVector direction;
    gradient_step.start_from(x);
    gradient_step.steepest(x, direction);
    const double smoothness = restricted_smoothness(f, x, value, direction);
    move_ = smoothness > 0.0 ? 1.0 / smoothness : 1.0;
  }

  /// Whether to accept the move from f(x) = value to next_value; if not, shortens the step.
  bool accepts(double value, double next_value, const Displacement& d) {
    if (!adaptive_ || d.squared == 0.0) return true;
    const double rise = next_value - value - d.slope;  // = ½dᵀHd for a Hessian between the two
    const double noise = 16.0 * std::numeric_limits<double>::epsilon() *
                         (std::abs(value) + std::abs(next_value) + std::abs(d.slope));
    const double model = (d.squared / move_ - d.weighted_squared / step()) / 2.0;
    if (std::isfinite(next_value) && rise <= model + noise) {
      move_ *= growth;
      return true;
    }
    const double ratio = rise > 0.0 ? model / rise : 0.0;
    move_ *= std::isfinite(ratio) ? std::clamp(0.9 * ratio, 0.1, 0.7) : 0.1;
    return move_ < std::numeric_limits<double>::min();
  }

 private:
  static constexpr double growth = 1.1;

  bool adaptive_;
  double moves_per_step_;
  double move_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
