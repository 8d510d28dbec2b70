#pragma once

#include <string_view>

#include "regiht/kernels.hpp"
#include "regiht/parallel.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// Which targets a loss is defined for.
enum class Targets { real, binary, nonnegative };

/// Value and derivative of a loss at one sample, as functions of the prediction.
struct Sample {
  double value;
  double derivative;
};

/// A convex loss, summed over samples; knows predictions and targets and never sees the matrix.
class Loss {
 public:
  virtual ~Loss() = default;

  virtual std::string_view name() const = 0;
  virtual Targets targets() const = 0;

  /// Largest second derivative in the prediction; infinite if there is none.
  virtual double max_curvature() const = 0;

  /// Returns Σ weightᵢ ℓ(predictionᵢ, targetᵢ) and writes each weightᵢ ℓ′; no weights means ones.
  virtual double evaluate(ConstVectorView prediction, ConstVectorView target,
                          const double* weights, VectorView derivative, int threads) const = 0;

  /// Writes each weightᵢ ℓ″.
  virtual void curvature(ConstVectorView prediction, ConstVectorView target,
                         const double* weights, VectorView out) const = 0;
};

/// Makes a Loss of a struct with `name`, `targets`, `max_curvature`, `at` and `curvature` of one
/// sample: the loops over samples are written here, once.
template <class Pointwise>
class PointwiseLoss final : public Loss {
 public:
  std::string_view name() const override { return Pointwise::name; }
  Targets targets() const override { return Pointwise::targets; }
  double max_curvature() const override { return Pointwise::max_curvature; }

  double evaluate(ConstVectorView prediction, ConstVectorView target, const double* weights,
                  VectorView derivative, int threads) const override {
    const Index rows = prediction.size();
    const Index chunks = kernels::chunk_count(rows);
    Vector partial(chunks);
    parallel_for(worth_threads(threads, 20 * rows), chunks, [&](Index chunk) {
      const Index first = chunk * kernels::chunk_rows;
      const Index length = std::min(kernels::chunk_rows, rows - first);
      partial[chunk] = evaluate_chunk(length, prediction.data() + first, target.data() + first,
                                      weights ? weights + first : nullptr,
                                      derivative.data() + first);
    });
    return kernels::sum(chunks, partial.data());
  }

  void curvature(ConstVectorView prediction, ConstVectorView target, const double* weights,
                 VectorView out) const override {
    for (Index i = 0; i < prediction.size(); ++i)
      out[i] = (weights ? weights[i] : 1.0) * Pointwise::curvature(prediction[i], target[i]);
  }

 private:
  static double evaluate_chunk(Index length, const double* prediction, const double* target,
                               const double* weights, double* derivative) {
    if (!weights)
      return kernels::sum_of(length, [=](Index i) {
        const Sample sample = Pointwise::at(prediction[i], target[i]);
        derivative[i] = sample.derivative;
        return sample.value;
      });
    return kernels::sum_of(length, [=](Index i) {
      const Sample sample = Pointwise::at(prediction[i], target[i]);
      derivative[i] = weights[i] * sample.derivative;
      // A sample of weight zero takes no part, not even with an infinite loss.
      return weights[i] == 0.0 ? 0.0 : weights[i] * sample.value;
    });
  }
};

}  // namespace regiht
