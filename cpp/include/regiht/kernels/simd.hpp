#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Four numbers in one register, or in as many as needed.
#if defined(__GNUC__)
using Double4 = double __attribute__((vector_size(32)));
// The same in memory. A typedef, since in an alias declaration clang drops the alignment and then
// reads with instructions that need a larger one.
typedef double StoredDouble4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef float StoredFloat4 __attribute__((vector_size(16), aligned(4), may_alias));
#else
struct Double4 {
  double at[4];
  double operator[](int i) const { return at[i]; }
  friend Double4 operator*(Double4 a, const Double4& b) {
    for (int i = 0; i < 4; ++i) a.at[i] *= b.at[i];
    return a;
  }
  friend Double4 operator+(Double4 a, const Double4& b) { return a += b; }
  Double4& operator+=(const Double4& b) {
    for (int i = 0; i < 4; ++i) at[i] += b.at[i];
    return *this;
  }
};
using StoredDouble4 = Double4;
#endif

REGIHT_INLINE void load(const double* from, Double4& numbers) {
  numbers = *reinterpret_cast<const StoredDouble4*>(from);
}

REGIHT_INLINE void load(const float* from, Double4& numbers) {
#if defined(__GNUC__)
  numbers = __builtin_convertvector(*reinterpret_cast<const StoredFloat4*>(from), Double4);
#else
  for (int i = 0; i < 4; ++i) numbers.at[i] = static_cast<double>(from[i]);
#endif
}

/// The same number four times.
REGIHT_INLINE void broadcast(double number, Double4& numbers) {
#if defined(__GNUC__)
  numbers = Double4{number, number, number, number};
#else
  for (int i = 0; i < 4; ++i) numbers.at[i] = number;
#endif
}

/// numbers = max(numbers, |other|); unspecified for NaN.
REGIHT_INLINE void raise_to_magnitude(Double4& numbers, const Double4& other) {
#if defined(__GNUC__)
  const Double4 magnitude = other > -other ? other : -other;
  numbers = magnitude > numbers ? magnitude : numbers;
#else
  for (int i = 0; i < 4; ++i) numbers.at[i] = std::max(numbers.at[i], std::abs(other.at[i]));
#endif
}

REGIHT_INLINE void store(const Double4& numbers, double* to) {
  *reinterpret_cast<StoredDouble4*>(to) = numbers;
}

/// The number type for formulas on several numbers at a time: four where the compiler has vectors,
/// else one. Pass by reference, as registers differ between machines.
#if defined(__GNUC__)
using Pack = Double4;
using PackBits = std::uint64_t __attribute__((vector_size(32)));
#else
using Pack = double;
using PackBits = std::uint64_t;
#endif
inline constexpr Index pack_size = sizeof(Pack) / sizeof(double);

/// to = the same bits.
template <class From, class To>
REGIHT_INLINE void copy_bits(const From& from, To& to) {
  static_assert(sizeof from == sizeof to);
  std::memcpy(&to, &from, sizeof to);
}

}}  // namespace regiht::REGIHT_ABI
