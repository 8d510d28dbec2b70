#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/loss/facts.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Value of a loss at one sample and its derivative in the prediction.
struct Sample {
  double value;
  double derivative;
};

/// Sums over samples of the weighted derivatives, of their magnitudes and of the weighted second
/// derivatives.
struct Slopes {
  double slope = 0.0, magnitude = 0.0, curvature = 0.0;

  void add(const Slopes& more) {
    slope += more.slope;
    magnitude += more.magnitude;
    curvature += more.curvature;
  }
};

/// The conjugate sup over z of slope·z − ℓ(z), infinite where the loss has no such slope.
struct Conjugate {
  double value;
  double magnitude;  ///< bounds the terms of value, which is off by at most 8ε of it
};

/// The samples of a model: predictions, targets, and weights; null weights are ones.
struct Samples {
  ConstVectorView prediction;
  ConstVectorView target;
  const double* weights = nullptr;
};

/// The conjugate outside its domain.
inline constexpr Conjugate no_conjugate = {std::numeric_limits<double>::infinity(),
                                           std::numeric_limits<double>::infinity()};

/// A convex loss, summed over samples; sees predictions and targets, never the matrix.
class Loss {
 public:
  virtual ~Loss() = default;

  virtual const LossFacts& facts() const = 0;
  std::string_view name() const { return facts().name; }
  Targets targets() const { return facts().targets; }
  double max_curvature() const { return facts().max_curvature; }
  bool is_quadratic() const { return facts().is_quadratic; }

  /// Returns Σ weightᵢ ℓ(predictionᵢ, targetᵢ) and writes each weightᵢ ℓ′.
  virtual double evaluate(const Samples& samples, VectorView derivative, int threads) const = 0;

  /// The same for samples that share one prediction.
  virtual double evaluate_shared(double prediction, ConstVectorView target, const double* weights,
                                 VectorView derivative) const = 0;

  /// The slopes where each prediction is higher by `shift`.
  virtual Slopes slopes(const Samples& samples, double shift, int threads) const = 0;

  /// The same for samples that share one prediction.
  virtual Slopes slopes_shared(double prediction, ConstVectorView target,
                               const double* weights) const = 0;

  /// Writes each weightᵢ ℓ″.
  virtual void curvature(const Samples& samples, VectorView out) const = 0;

  /// Writes each weightᵢ times the curvature of a parabola that touches ℓ and lies above it; false
  /// if none is known.
  virtual bool majorizing_curvature(const Samples& samples, VectorView out) const = 0;

  /// Returns Σ weightᵢ ℓ*(slopeᵢ, targetᵢ) and a bound on its terms; null weights are ones.
  virtual Conjugate conjugate(ConstVectorView slope, ConstVectorView target, const double* weights,
                              int threads) const = 0;
};

/// The number of samples that a loss evaluates at a time.
inline constexpr Index loss_block = 256;

/// Makes a Loss from a struct with a member for each of the LossFacts and, for one sample, `at`,
/// `curvature` and `conjugate`; the loops over samples are written once, here. A struct may add
/// `majorizing_curvature`, and four functions of a block of samples: `at_block(n, z, b, value,
/// derivative)`, `sum_block(n, z, b, derivative)`, which returns the sum of the values,
/// `curvature_block(n, z, b, out)`, and `slopes_block(n, z, shift, b, weights)`, whose curvature is
/// not finite if the slopes must be found one by one.
template <class Pointwise>
class PointwiseLoss final : public Loss {
 public:
  const LossFacts& facts() const override { return facts_; }

  double evaluate(const Samples& samples, VectorView derivative, int threads) const override {
    const Index rows = samples.prediction.size();
    const Index chunks = kernels::chunk_count(rows);
    Vector partial(chunks);
    parallel_for(worth_threads(threads, 20 * rows), chunks, [&](Index chunk) {
      const Index first = chunk * kernels::chunk_rows;
      const Chunk part{std::min(kernels::chunk_rows, rows - first),
                       samples.prediction.data() + first, samples.target.data() + first,
                       samples.weights ? samples.weights + first : nullptr,
                       derivative.data() + first};
      partial[chunk] = evaluate_chunk(part);
    });
    return kernels::sum(chunks, partial.data());
  }

  double evaluate_shared(double prediction, ConstVectorView target, const double* weights,
                         VectorView derivative) const override {
    const Index rows = target.size();
    if constexpr (Pointwise::targets == Targets::binary) {
      const Sample at_zero = evaluate_one(prediction, 0.0, weights != nullptr),
                   at_one = evaluate_one(prediction, 1.0, weights != nullptr);
      if (!weights) {
        kernels::choose(rows, target.data(), at_one.derivative, at_zero.derivative,
                        derivative.data());
        const double ones = kernels::sum(rows, target.data());
        return ones * at_one.value + (static_cast<double>(rows) - ones) * at_zero.value;
      }
      return evaluate_each(rows, weights, derivative.data(),
                           [&](Index i) { return target[i] != 0.0 ? at_one : at_zero; });
    } else {
      return evaluate_each(rows, weights, derivative.data(),
                           [&](Index i) { return Pointwise::at(prediction, target[i]); });
    }
  }

  Slopes slopes(const Samples& samples, double shift, int threads) const override {
    const Index rows = samples.prediction.size();
    const Index chunks = kernels::chunk_count(rows);
    std::vector<Slopes> partial(static_cast<std::size_t>(chunks));
    parallel_for(worth_threads(threads, 10 * rows), chunks, [&](Index chunk) {
      const Index first = chunk * kernels::chunk_rows;
      partial[static_cast<std::size_t>(chunk)] = chunk_slopes(
          std::min(kernels::chunk_rows, rows - first), samples.prediction.data() + first, shift,
          samples.target.data() + first, samples.weights ? samples.weights + first : nullptr);
    });
    Slopes total;
    for (const Slopes& each : partial) total.add(each);
    return total;
  }

  Slopes slopes_shared(double prediction, ConstVectorView target,
                       const double* weights) const override {
    const Index rows = target.size();
    if constexpr (Pointwise::targets == Targets::binary)
      if (!weights) {
        const double ones = kernels::sum(rows, target.data());
        Slopes total = slopes_at(prediction, 0.0, static_cast<double>(rows) - ones);
        total.add(slopes_at(prediction, 1.0, ones));
        return total;
      }
    return sum_of_slopes(rows, [&](Index i) {
      return slopes_at(prediction, target[i], weights ? weights[i] : 1.0);
    });
  }

  void curvature(const Samples& samples, VectorView out) const override {
    const Index rows = samples.prediction.size();
    if constexpr (HasBlock<Pointwise>::value)
      Pointwise::curvature_block(rows, samples.prediction.data(), samples.target.data(),
                                 out.data());
    else
      for (Index i = 0; i < rows; ++i)
        out[i] = Pointwise::curvature(samples.prediction[i], samples.target[i]);
    if (samples.weights) out.array() *= Eigen::Map<const Vector>(samples.weights, rows).array();
  }

  bool majorizing_curvature(const Samples& samples, VectorView out) const override {
    if constexpr (HasMajorizer<Pointwise>::value) {
      for (Index i = 0; i < samples.prediction.size(); ++i)
        out[i] = (samples.weights ? samples.weights[i] : 1.0) *
                 Pointwise::majorizing_curvature(samples.prediction[i], samples.target[i]);
      return true;
    } else {
      return false;
    }
  }

  Conjugate conjugate(ConstVectorView slope, ConstVectorView target, const double* weights,
                      int threads) const override {
    const Index rows = slope.size(), chunks = kernels::chunk_count(rows);
    Vector values = Vector::Zero(chunks), magnitudes = Vector::Zero(chunks);
    parallel_for(worth_threads(threads, 20 * rows), chunks, [&](Index chunk) {
      const Index first = chunk * kernels::chunk_rows;
      for (Index i = first; i < std::min(first + kernels::chunk_rows, rows); ++i) {
        const double weight = weights ? weights[i] : 1.0;
        if (weight == 0.0) continue;
        const Conjugate each = Pointwise::conjugate(slope[i], target[i]);
        values[chunk] += weight * each.value;
        magnitudes[chunk] += weight * each.magnitude;
      }
    });
    return {kernels::sum(chunks, values.data()), kernels::sum(chunks, magnitudes.data())};
  }

 private:
  static constexpr LossFacts facts_ = {
      Pointwise::name,       Pointwise::targets,      Pointwise::link,         Pointwise::predictor,
      Pointwise::likelihood, Pointwise::is_quadratic, Pointwise::max_curvature};

  struct Chunk {
    Index length;
    const double* prediction;
    const double* target;
    const double* weights;
    double* derivative;
  };

  template <class T, class = void>
  struct HasBlock : std::false_type {};
  template <class T>
  struct HasBlock<T, std::void_t<decltype(&T::at_block)>> : std::true_type {};

  template <class T, class = void>
  struct HasMajorizer : std::false_type {};
  template <class T>
  struct HasMajorizer<T, std::void_t<decltype(&T::majorizing_curvature)>> : std::true_type {};

  static double evaluate_chunk(const Chunk& chunk) {
    if constexpr (!HasBlock<Pointwise>::value) {
      return evaluate_each(chunk.length, chunk.weights, chunk.derivative, [&](Index i) {
        return Pointwise::at(chunk.prediction[i], chunk.target[i]);
      });
    } else {
      double total = 0.0;
      for (Index first = 0; first < chunk.length; first += loss_block)
        total +=
            evaluate_block({std::min(loss_block, chunk.length - first), chunk.prediction + first,
                            chunk.target + first, chunk.weights ? chunk.weights + first : nullptr,
                            chunk.derivative + first});
      return total;
    }
  }

  static Slopes chunk_slopes(Index length, const double* prediction, double shift,
                             const double* target, const double* weights) {
    if constexpr (HasBlock<Pointwise>::value) {
      const Slopes found = Pointwise::slopes_block(length, prediction, shift, target, weights);
      if (std::isfinite(found.curvature)) return found;
    }
    return sum_of_slopes(length, [&](Index i) {
      return slopes_at(prediction[i] + shift, target[i], weights ? weights[i] : 1.0);
    });
  }

  /// In lanes, as kernels::sum_of does.
  template <class At>
  static Slopes sum_of_slopes(Index length, At&& at) {
    Slopes lanes[8];
    for (Index i = 0; i < length; ++i) lanes[i % 8].add(at(i));
    for (Index half = 4; half > 0; half /= 2)
      for (Index k = 0; k < half; ++k) lanes[k].add(lanes[k + half]);
    return lanes[0];
  }

  static Slopes slopes_at(double z, double b, double weight) {
    const double derivative = weighed(weight, Pointwise::at(z, b).derivative);
    return {derivative, std::abs(derivative), weighed(weight, Pointwise::curvature(z, b))};
  }

  /// One sample by the block formulas, for the same bits.
  static Sample evaluate_one(double z, double b, bool weighted) {
    Sample sample;
    if constexpr (!HasBlock<Pointwise>::value)
      sample = Pointwise::at(z, b);
    else if (weighted)
      Pointwise::at_block(1, &z, &b, &sample.value, &sample.derivative);
    else
      sample.value = Pointwise::sum_block(1, &z, &b, &sample.derivative);
    return sample;
  }

  static double evaluate_block(const Chunk& block) {
    if (!block.weights)
      return Pointwise::sum_block(block.length, block.prediction, block.target, block.derivative);
    double values[loss_block];
    Pointwise::at_block(block.length, block.prediction, block.target, values, block.derivative);
    weigh(block.length, block.weights, values, block.derivative);
    return kernels::sum(block.length, values);
  }

  /// A sample of weight zero contributes nothing, even if its loss is infinite.
  static double weighed(double weight, double value) {
    return weight == 0.0 ? 0.0 : weight * value;
  }

  static void weigh(Index length, const double* weights, double* values, double* derivative) {
    for (Index i = 0; i < length; ++i) {
      values[i] = weighed(weights[i], values[i]);
      derivative[i] = weighed(weights[i], derivative[i]);
    }
  }

  template <class At>
  static double evaluate_each(Index length, const double* weights, double* derivative, At&& at) {
    if (!weights)
      return kernels::sum_of(length, [&](Index i) {
        const Sample sample = at(i);
        derivative[i] = sample.derivative;
        return sample.value;
      });
    return kernels::sum_of(length, [&](Index i) {
      const Sample sample = at(i);
      derivative[i] = weighed(weights[i], sample.derivative);
      return weighed(weights[i], sample.value);
    });
  }
};

}}  // namespace regiht::REGIHT_ABI
