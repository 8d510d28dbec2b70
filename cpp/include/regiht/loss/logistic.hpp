#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/simd.hpp"
#include "regiht/loss/loss.hpp"

namespace regiht { inline namespace REGIHT_ABI {
namespace detail {

/// out = eˣ for |x| ≤ 708, to 2 ulp, without branches or calls, for a number or a Pack. Sets
/// `exponent` to 1023 + k for the power 2ᵏ in it: out is 0 where that is 0, infinite where it is
/// 2047, and garbage where it is more.
template <class Number, class Bits>
REGIHT_INLINE void exp_near(const Number& x, Number& out, Bits& exponent) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  constexpr double to_integer =
      0x1.8p52;  // adding it rounds, and leaves the integer in the low bits
  constexpr std::uint64_t bits_of_zero = std::uint64_t{0x4338} << 48U;  // those of to_integer
  const Number shifted = x * log2_e + to_integer;
  const Number k = shifted - to_integer;
  const Number r = (x - k * ln2_high) - k * ln2_low;  // |r| ≤ ½ ln 2
  // (eʳ − 1 − r)/r², fitted at Chebyshev nodes; even and odd powers are separate so that terms need
  // not wait for each other.
  const Number r2 = r * r;
  Number even = r2 * 0x1.289185613a3d6p-22 + 0x1.a019b90d2ae7ap-16;
  Number odd = r2 * 0x1.af38a9b0ec855p-26 + 0x1.71de0dae63bb3p-19;
  even = even * r2 + 0x1.6c16c1788bd90p-10;
  odd = odd * r2 + 0x1.a01a01a7c41d5p-13;
  even = even * r2 + 0x1.5555555553d63p-5;
  odd = odd * r2 + 0x1.11111111109b3p-7;
  even = even * r2 + 0x1.0000000000001p-1;
  odd = odd * r2 + 0x1.5555555555556p-3;
  copy_bits(shifted, exponent);
  exponent = exponent + (1023U - bits_of_zero);
  Number scale;  // 2ᵏ
  copy_bits(exponent << 52U, scale);
  out = scale + scale * (r + r2 * (even + odd * r));
}

/// e^−a for a ≥ 0. Results below the smallest normal number are zero or close to it.
REGIHT_INLINE double exp_of_minus(double a) {
  double decay;
  std::uint64_t exponent;
  exp_near(-std::min(a, 708.0), decay, exponent);
  return decay;
}

/// atanh(t)/t − 1 for 0 ≤ t² ≤ 1/9, fitted at Chebyshev nodes.
REGIHT_INLINE double atanh_tail(double square) {
  double p = 0x1.4b0a26c5f2aefp-4;
  p = p * square + 0x1.687a6e7c95176p-5;
  p = p * square + 0x1.eb905e8575054p-5;
  p = p * square + 0x1.10ac75dc602b1p-4;
  p = p * square + 0x1.3b18b294bebf9p-4;
  p = p * square + 0x1.745cf0b0e03bdp-4;
  p = p * square + 0x1.c71c727143318p-4;
  p = p * square + 0x1.24924923d44c6p-3;
  p = p * square + 0x1.999999999a3ddp-3;
  p = p * square + 0x1.5555555555555p-2;
  return p * square;
}

}  // namespace detail

/// log(1 + eᶻ) − b·z with b in {0, 1}.
struct Logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr Targets targets = Targets::binary;
  static constexpr Link link = Link::logit;
  static constexpr std::string_view predictor = "log-odds of {}";
  static constexpr Likelihood likelihood = Likelihood::exact;
  static constexpr bool is_quadratic = false;
  static constexpr double max_curvature = 0.25;

  // With m = (1 − 2b)z the loss is log(1 + eᵐ) = max(m, 0) + log(1 + e^−|m|), which cannot overflow
  // or cancel; and log(1 + d) = 2 atanh(d/(2 + d)).
  static REGIHT_INLINE Sample at(double z, double b) {
    const double sign = 1.0 - 2.0 * b;
    const double margin = sign * z;
    const double decay = detail::exp_of_minus(std::abs(margin));
    const double inverse = 1.0 / ((1.0 + decay) * (2.0 + decay));
    const double t = decay * (1.0 + decay) * inverse;
    const double value = std::max(margin, 0.0) + 2.0 * (t + t * detail::atanh_tail(t * t));
    return {value, sign * slope_numerator(margin, decay) * ((2.0 + decay) * inverse)};
  }

  REGIHT_WIDE_FUSED static void at_block(Index n, const double* z, const double* b, double* value,
                                         double* derivative) {
    for (Index i = 0; i < n; ++i) {
      const Sample sample = at(z[i], b[i]);
      value[i] = sample.value;
      derivative[i] = sample.derivative;
    }
  }

  // With d = eᵐ and the derivative ±d/(1 + d), a sum of log(1 + d) is one logarithm, that of
  // 1 + q = Π(1 + d). Only q is stored: a sum of positive numbers, accurate even where all d are
  // tiny. If some d or q is too large for this, samples are taken one by one.
  REGIHT_WIDE_FUSED static double sum_block(Index n, const double* z, const double* b,
                                            double* derivative) {
    constexpr Index step = 2 * pack_size;
    const Pack none = {};
    Product product{{none, none}, PackBits{}};
    Index i = 0;
    for (; i + step <= n; i += step) product.add(z + i, b + i, derivative + i);
    if (i < n) {
      double rest[step], targets_of_rest[step] = {}, derivatives[step];
      std::fill_n(rest, step, without_effect);
      std::copy(z + i, z + n, rest);
      std::copy(b + i, b + n, targets_of_rest);
      product.add(rest, targets_of_rest, derivatives);
      std::copy(derivatives, derivatives + (n - i), derivative + i);
    }
    const double q = product.fold();
    return std::isfinite(q) ? std::log1p(q) : sum_far_block(n, z, b, derivative);
  }

  static REGIHT_INLINE double curvature(double z, double) {
    const double decay = detail::exp_of_minus(std::abs(z));
    return decay / ((1.0 + decay) * (1.0 + decay));
  }

  REGIHT_WIDE_FUSED static void curvature_block(Index n, const double* z, const double* b,
                                                double* out) {
    for (Index i = 0; i < n; ++i) out[i] = curvature(z[i], b[i]);
  }

  REGIHT_WIDE_FUSED static Slopes slopes_block(Index n, const double* z, double shift,
                                               const double* b, const double* weights) {
    constexpr Index step = 2 * pack_size;
    SlopeSums sums;
    Index i = 0;
    for (; i + step <= n; i += step) sums.add(z + i, shift, b + i, weights ? weights + i : nullptr);
    if (i < n) {
      double rest[step], targets_of_rest[step] = {}, weights_of_rest[step] = {};
      std::fill_n(rest, step, without_effect - shift);
      std::copy(z + i, z + n, rest);
      std::copy(b + i, b + n, targets_of_rest);
      if (weights) std::copy(weights + i, weights + n, weights_of_rest);
      sums.add(rest, shift, targets_of_rest, weights ? weights_of_rest : nullptr);
    }
    return sums.fold();
  }

  // q·log q + (1 − q)·log(1 − q) for the error q = (1 − 2b)u in [0, 1]; both terms are negative.
  static Conjugate conjugate(double u, double b) {
    const double error = (1.0 - 2.0 * b) * u;
    if (!(error >= 0.0 && error <= 1.0)) return no_conjugate;
    const double wrong = error > 0.0 ? error * std::log(error) : 0.0;
    const double right = error < 1.0 ? (1.0 - error) * std::log1p(-error) : 0.0;
    return {wrong + right, -(wrong + right)};
  }

 private:
  /// A prediction whose d is exactly 0 for the target 0.
  static constexpr double without_effect = -709.2;

  /// d = eᵐ of as many samples as a Pack has numbers; the bits of exponents are added to those of
  /// others. `sign` has the sign bit of the derivatives.
  static REGIHT_INLINE void exp_of_margins(const Pack& z, const double* b, Pack& d, PackBits& sign,
                                           PackBits& exponents) {
    PackBits margin_bits, exponent;
    std::memcpy(&sign, b, sizeof sign);
    sign = sign << 11U;  // the sign of −0 if b is one: the lowest bit of its exponent
    copy_bits(z, margin_bits);
    Pack margin;
    copy_bits(margin_bits ^ sign, margin);
    detail::exp_near(margin, d, exponent);
    exponents |= exponent;
  }

  /// Whether all d were in range.
  static REGIHT_INLINE bool in_range(const PackBits& exponents) {
    std::uint64_t seen[pack_size], all = 0;
    std::memcpy(seen, &exponents, sizeof seen);
    for (const std::uint64_t exponent : seen) all |= exponent;
    return all < 2048U;
  }

  /// Π(1 + d) − 1, as several factors.
  struct Product {
    Pack q[2];
    PackBits exponents;  // bitwise OR of all exponents

    /// Multiplies in as many samples as q has numbers.
    REGIHT_INLINE void add(const double* z, const double* b, double* derivative) {
      for (Index k = 0; k < 2; ++k, z += pack_size, b += pack_size, derivative += pack_size) {
        Pack prediction, d;
        PackBits sign;
        std::memcpy(&prediction, z, sizeof prediction);
        exp_of_margins(prediction, b, d, sign, exponents);
        const Pack factor = 1.0 + d;
        PackBits slope;
        copy_bits(d / factor, slope);
        slope ^= sign;
        std::memcpy(derivative, &slope, sizeof slope);
        q[k] = q[k] * factor + d;
      }
    }

    /// The whole product; not finite if some d was out of range.
    REGIHT_INLINE double fold() const {
      double parts[2 * pack_size];
      std::memcpy(parts, q, sizeof parts);
      for (Index half = pack_size; half > 0; half /= 2)
        for (Index k = 0; k < half; ++k) parts[k] += (1.0 + parts[k]) * parts[k + half];
      return in_range(exponents) ? parts[0] : std::numeric_limits<double>::infinity();
    }
  };

  /// Slopes, several at a time.
  struct SlopeSums {
    Pack slope[2] = {}, magnitude[2] = {}, curvature[2] = {};
    PackBits exponents = {};  // bitwise OR of all exponents

    REGIHT_INLINE void add(const double* z, double shift, const double* b, const double* weights) {
      for (Index k = 0; k < 2; ++k, z += pack_size, b += pack_size) {
        Pack prediction, d;
        PackBits sign, slope_bits;
        std::memcpy(&prediction, z, sizeof prediction);
        exp_of_margins(prediction + shift, b, d, sign, exponents);
        const Pack q = d / (1.0 + d);
        Pack weighted = q;
        if (weights) {
          Pack weight;
          std::memcpy(&weight, weights + k * pack_size, sizeof weight);
          weighted = q * weight;
        }
        copy_bits(weighted, slope_bits);
        Pack derivative;
        copy_bits(slope_bits ^ sign, derivative);
        slope[k] += derivative;
        magnitude[k] += weighted;
        curvature[k] += weighted - weighted * q;
      }
    }

    /// Not finite if some d was out of range.
    REGIHT_INLINE Slopes fold() const {
      if (!in_range(exponents)) return {0.0, 0.0, std::numeric_limits<double>::infinity()};
      return {total(slope), total(magnitude), total(curvature)};
    }

   private:
    static REGIHT_INLINE double total(const Pack* sums) {
      double parts[2 * pack_size];
      std::memcpy(parts, sums, sizeof parts);
      for (Index half = pack_size; half > 0; half /= 2)
        for (Index k = 0; k < half; ++k) parts[k] += parts[k + half];
      return parts[0];
    }
  };

  static double sum_far_block(Index n, const double* z, const double* b, double* derivative) {
    double values[loss_block];
    at_block(n, z, b, values, derivative);
    return kernels::sum(n, values);
  }

  /// 1 for m ≥ 0 and eᵐ for m < 0, without a branch.
  static REGIHT_INLINE double slope_numerator(double margin, double decay) {
    return std::max(decay, 0.5 + std::copysign(0.5, margin));
  }
};

}}  // namespace regiht::REGIHT_ABI
