#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "regiht/design/quantized/matrix.hpp"
#include "regiht/model/design_cache.hpp"
#include "regiht/screening/references.hpp"
#include "regiht/screening/screen.hpp"

namespace regiht {

/// Gradients by products with a quantized matrix of the columns. With v = r − αr₀ − βr₁, rounded to
/// v̂, and a quantized column âⱼ,
///
///     |aⱼᵀv − âⱼᵀv̂| ≤ ‖aⱼ‖·‖v − v̂‖ + ‖aⱼ − âⱼ‖·‖v̂‖ ,
///
/// so αĝ₀ + βĝ₁ + Âᵀv̂ is the gradient at r but for that, and serves as a reference: the columns
/// that can matter by it are evaluated exactly.
class QuantizedReference {
 public:
  /// Facts may be null.
  QuantizedReference(const Design& design, DesignCache* cache, const Screen& screening, int threads)
      : quantized_(cache ? cache->quantized(design, threads) : design.quantized(threads)),
        error_(quantized_ ? screening.relative_error(*quantized_) : 0.0),
        threads_(threads),
        products_(design.cols()) {}

  /// Makes a quantized gradient at r the newest reference; false if that is impossible, or of no
  /// use.
  bool take_reference(ConstVectorView r, References& references, Screen& screening) {
    constexpr double useful = 0.1;
    if (!quantized_ || !(error_ <= useful)) return false;
    const double norm = std::sqrt(kernels::squared_norm(r.size(), r.data()));
    Prediction known = references.nearest(r);
    if (!(screening.slack(known) + error_ * known.distance < error_ * norm))
      known = {0.0, 0.0, norm, norm};  // r itself
    references.subtract(known, r, rest_);
    if (!quantized_vector_.round(rest_)) return false;
    quantized_->apply_transpose(quantized_vector_, products_, threads_);
    const double slack = quantized_vector_.distance() + error_ * quantized_vector_.size() +
                         4.0 * std::numeric_limits<double>::epsilon() * known.size;
    screening.take_quantized_reference(products_, known, slack, norm);
    references.take(r);
    return true;
  }

 private:
  std::shared_ptr<const QuantizedMatrix> quantized_;
  double error_;  // the largest ‖aⱼ − âⱼ‖/‖aⱼ‖
  int threads_;
  QuantizedVector quantized_vector_;
  Vector rest_, products_;
};

}  // namespace regiht
