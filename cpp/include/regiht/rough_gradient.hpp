#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "regiht/design/facts.hpp"
#include "regiht/reference_pair.hpp"
#include "regiht/screening.hpp"
#include "regiht/sketch/sketch.hpp"

namespace regiht {

/// Gradients by products with a sketch of the columns. With v = r − αr₀ − βr₁, rounded to v̂, and a
/// rough column âⱼ,
///
///     |aⱼᵀv − âⱼᵀv̂| ≤ ‖aⱼ‖·‖v − v̂‖ + ‖aⱼ − âⱼ‖·‖v̂‖ ,
///
/// so αĝ₀ + βĝ₁ + Âᵀv̂ is the gradient at r but for that, and serves as a reference: the columns
/// that can matter by it are evaluated exactly.
class RoughGradient {
 public:
  /// Facts may be null.
  RoughGradient(const Design& design, DesignFacts* facts, const Screening& screening, int threads)
      : sketch_(facts ? facts->sketch(design, threads) : design.sketch(threads)),
        error_(sketch_ ? screening.relative_error(*sketch_) : 0.0),
        threads_(threads),
        products_(design.cols()) {}

  /// Makes a rough gradient at r the newest reference; false if that is impossible, or of no use.
  bool take_reference(ConstVectorView r, ReferencePair& references, Screening& screening) {
    constexpr double useful = 0.1;
    if (!sketch_ || !(error_ <= useful)) return false;
    const double norm = std::sqrt(kernels::squared_norm(r.size(), r.data()));
    Prediction known = references.nearest(r);
    if (!(screening.slack(known) + error_ * known.distance < error_ * norm))
      known = {0.0, 0.0, norm, norm};  // r itself
    references.subtract(known, r, rest_);
    if (!rough_.round(rest_)) return false;
    sketch_->apply_transpose(rough_, products_, threads_);
    const double slack = rough_.distance() + error_ * rough_.size() +
                         4.0 * std::numeric_limits<double>::epsilon() * known.size;
    screening.take_rough_reference(products_, known, slack, norm);
    references.take(r);
    return true;
  }

 private:
  std::shared_ptr<const Sketch> sketch_;
  double error_;  // the largest ‖aⱼ − âⱼ‖/‖aⱼ‖
  int threads_;
  RoughVector rough_;
  Vector rest_, products_;
};

}  // namespace regiht
