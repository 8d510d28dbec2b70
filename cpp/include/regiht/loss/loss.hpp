#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>

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

/// The conjugate sup over z of slope·z − ℓ(z), infinite where the loss has no such slope.
struct Conjugate {
  double value;
  double magnitude;  ///< bounds the terms summed in the value, which is off by at most 8ε of it
};

/// The samples of a model: predictions, targets, and weights or null for ones.
struct Samples {
  ConstVectorView prediction;
  ConstVectorView target;
  const double* weights = nullptr;
  /// A prediction that many rows share exactly, or NaN. It saves time and changes nothing else.
  double background = std::numeric_limits<double>::quiet_NaN();
};

/// The conjugate outside its domain.
inline constexpr Conjugate no_conjugate = {std::numeric_limits<double>::infinity(),
                                           std::numeric_limits<double>::infinity()};

/// A convex loss, summed over samples; knows predictions and targets and never sees the matrix.
class Loss {
 public:
  virtual ~Loss() = default;

  virtual std::string_view name() const = 0;
  virtual Targets targets() const = 0;

  /// Largest second derivative in the prediction; infinite if there is none.
  virtual double max_curvature() const = 0;

  /// Returns Σ weightᵢ ℓ(predictionᵢ, targetᵢ) and writes each weightᵢ ℓ′.
  virtual double evaluate(const Samples& samples, VectorView derivative, int threads) const = 0;

  /// Writes each weightᵢ ℓ″.
  virtual void curvature(const Samples& samples, VectorView out) const = 0;

  /// Returns Σ weightᵢ ℓ*(slopeᵢ, targetᵢ), the weights null for ones, and a bound on its terms.
  virtual Conjugate conjugate(ConstVectorView slope, ConstVectorView target, const double* weights,
                              int threads) const = 0;
};

/// Makes a Loss of a struct with `name`, `targets`, `max_curvature`, and of one sample `at`,
/// `curvature` and `conjugate`: the loops over samples are written here, once. A struct may add
/// `at_block(n, z, b, value, derivative)`, which evaluates many at a time.
template <class Pointwise>
class PointwiseLoss final : public Loss {
 public:
  std::string_view name() const override { return Pointwise::name; }
  Targets targets() const override { return Pointwise::targets; }
  double max_curvature() const override { return Pointwise::max_curvature; }

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
      partial[chunk] = evaluate_chunk(part, samples.background);
    });
    return kernels::sum(chunks, partial.data());
  }

  void curvature(const Samples& samples, VectorView out) const override {
    for (Index i = 0; i < samples.prediction.size(); ++i)
      out[i] = (samples.weights ? samples.weights[i] : 1.0) *
               Pointwise::curvature(samples.prediction[i], samples.target[i]);
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
  static constexpr Index block_rows = 256;

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

  static double evaluate_chunk(const Chunk& chunk, double background) {
    if constexpr (!HasBlock<Pointwise>::value) {
      return evaluate_one_by_one(chunk);
    } else if (Pointwise::targets == Targets::binary && background == background) {
      return evaluate_around(chunk, background);
    } else {
      double total = 0.0;
      for (Index first = 0; first < chunk.length; first += block_rows) {
        const Index length = std::min(block_rows, chunk.length - first);
        double values[block_rows];
        Pointwise::at_block(length, chunk.prediction + first, chunk.target + first, values,
                            chunk.derivative + first);
        if (chunk.weights) weigh(length, chunk.weights + first, values, chunk.derivative + first);
        total += kernels::sum(length, values);
      }
      return total;
    }
  }

  /// Rows that share the background prediction have one of two losses, by their target; the others
  /// are gathered and evaluated in blocks.
  static double evaluate_around(const Chunk& chunk, double background) {
    const Sample shared[2] = {Pointwise::at(background, 0.0), Pointwise::at(background, 1.0)};
    int others[kernels::chunk_rows];
    Index count = 0;
    double mass[2] = {0.0, 0.0};
    for (Index i = 0; i < chunk.length; ++i) {
      const int label = chunk.target[i] != 0.0;
      const bool other = chunk.prediction[i] != background;
      const double weight = chunk.weights ? chunk.weights[i] : 1.0;
      chunk.derivative[i] = weight * shared[label].derivative;
      mass[label] += other ? 0.0 : weight;
      others[count] = static_cast<int>(i);
      count += other;
    }
    double total = mass[0] * shared[0].value + mass[1] * shared[1].value;
    double z[block_rows], b[block_rows], w[block_rows], values[block_rows], slopes[block_rows];
    for (Index first = 0; first < count; first += block_rows) {
      const Index length = std::min(block_rows, count - first);
      const int* rows = others + first;
      for (Index k = 0; k < length; ++k) {
        z[k] = chunk.prediction[rows[k]];
        b[k] = chunk.target[rows[k]];
        w[k] = chunk.weights ? chunk.weights[rows[k]] : 1.0;
      }
      Pointwise::at_block(length, z, b, values, slopes);
      if (chunk.weights) weigh(length, w, values, slopes);
      for (Index k = 0; k < length; ++k) chunk.derivative[rows[k]] = slopes[k];
      total += kernels::sum(length, values);
    }
    return total;
  }

  /// A sample of weight zero takes no part, not even with an infinite loss.
  static void weigh(Index length, const double* weights, double* values, double* derivative) {
    for (Index i = 0; i < length; ++i) {
      values[i] = weights[i] == 0.0 ? 0.0 : weights[i] * values[i];
      derivative[i] = weights[i] == 0.0 ? 0.0 : weights[i] * derivative[i];
    }
  }

  static double evaluate_one_by_one(const Chunk& chunk) {
    return kernels::sum_of(chunk.length, [&](Index i) {
      const Sample sample = Pointwise::at(chunk.prediction[i], chunk.target[i]);
      const double weight = chunk.weights ? chunk.weights[i] : 1.0;
      chunk.derivative[i] = weight == 0.0 ? 0.0 : weight * sample.derivative;
      return weight == 0.0 ? 0.0 : weight * sample.value;
    });
  }
};

}  // namespace regiht
