#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "regiht/dispatch.hpp"
#include "regiht/loss/loss.hpp"

namespace regiht {
namespace detail {

/// e^−a for a ≥ 0, to 2 ulp, without branches or calls so that loops over it become vector code.
/// Results below the smallest normal number are zero or near it.
REGIHT_INLINE double exp_of_minus(double a) {
  constexpr double log2_e = 0x1.71547652b82fep+0;
  constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
  constexpr double to_integer =
      0x1.8p52;  // adding it rounds, and leaves the integer in the low bits
  const double x = -std::min(a, 708.0);
  const double shifted = x * log2_e + to_integer;
  const double k = shifted - to_integer;
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| ≤ ½ ln 2
  // (eʳ − 1 − r)/r², fitted at Chebyshev nodes. Pairs of terms are formed side by side: one after
  // the other, each would wait for the one before.
  const double r2 = r * r, r4 = r2 * r2;
  const double p01 = 0x1.0000000000001p-1 + 0x1.5555555555556p-3 * r;
  const double p23 = 0x1.5555555553d63p-5 + 0x1.11111111109b3p-7 * r;
  const double p45 = 0x1.6c16c1788bd90p-10 + 0x1.a01a01a7c41d5p-13 * r;
  const double p67 = 0x1.a019b90d2ae7ap-16 + 0x1.71de0dae63bb3p-19 * r;
  const double p89 = 0x1.289185613a3d6p-22 + 0x1.af38a9b0ec855p-26 * r;
  const double p = (p01 + p23 * r2) + r4 * ((p45 + p67 * r2) + r4 * p89);
  std::uint64_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits = (bits << 52U) + (std::uint64_t{1023} << 52U);
  double scale;  // 2ᵏ
  std::memcpy(&scale, &bits, sizeof scale);
  return (1.0 + (r + r2 * p)) * scale;
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
  static constexpr double max_curvature = 0.25;

  // With m = (1 − 2b)z the loss is log(1 + eᵐ) = max(m, 0) + log(1 + e^−|m|), where nothing can
  // overflow or cancel; and log(1 + d) = 2 atanh(d/(2 + d)).
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

  // A sum of log(1 + d) is one logarithm, that of 1 + q = Π(1 + d). Only q is kept: it is a sum of
  // positive numbers, and as accurate where all d are tiny. A block has too few factors, each at
  // most 2, to overflow.
  REGIHT_WIDE_FUSED static double sum_block(Index n, const double* z, const double* b,
                                            double* derivative) {
    double decays[loss_block], above[loss_block];
    for (Index i = 0; i < n; ++i) {
      const double sign = 1.0 - 2.0 * b[i];
      const double margin = sign * z[i];
      const double decay = detail::exp_of_minus(std::abs(margin));
      derivative[i] = sign * slope_numerator(margin, decay) / (1.0 + decay);
      decays[i] = decay;
      above[i] = std::max(margin, 0.0);
    }
    double q[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    Index i = 0;
    for (; i + 8 <= n; i += 8)
      for (Index k = 0; k < 8; ++k) q[k] += (1.0 + q[k]) * decays[i + k];
    for (; i < n; ++i) q[0] += (1.0 + q[0]) * decays[i];
    for (Index half = 4; half > 0; half /= 2)
      for (Index k = 0; k < half; ++k) q[k] += (1.0 + q[k]) * q[k + half];
    return kernels::sum_of(n, [&](Index k) REGIHT_LAMBDA { return above[k]; }) + std::log1p(q[0]);
  }

  static double curvature(double z, double) {
    const double decay = detail::exp_of_minus(std::abs(z));
    return decay / ((1.0 + decay) * (1.0 + decay));
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
  /// 1 for m ≥ 0 and eᵐ for m < 0, written without a branch.
  static REGIHT_INLINE double slope_numerator(double margin, double decay) {
    return std::max(decay, 0.5 + std::copysign(0.5, margin));
  }
};

}  // namespace regiht
