#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "regiht/dispatch.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// Four numbers in one register, or in as many as it takes.
#if defined(__GNUC__)
using Lanes = double __attribute__((vector_size(32), aligned(8), may_alias));
#else
struct Lanes {
  double at[4];
  double operator[](int i) const { return at[i]; }
  friend Lanes operator*(Lanes a, const Lanes& b) {
    for (int i = 0; i < 4; ++i) a.at[i] *= b.at[i];
    return a;
  }
  friend Lanes operator+(Lanes a, const Lanes& b) { return a += b; }
  Lanes& operator+=(const Lanes& b) {
    for (int i = 0; i < 4; ++i) at[i] += b.at[i];
    return *this;
  }
};
#endif

REGIHT_INLINE void load(const double* from, Lanes& lanes) {
  lanes = *reinterpret_cast<const Lanes*>(from);
}

REGIHT_INLINE void load(const float* from, Lanes& lanes) {
#if defined(__GNUC__)
  using Floats = float __attribute__((vector_size(16), aligned(4), may_alias));
  lanes = __builtin_convertvector(*reinterpret_cast<const Floats*>(from), Lanes);
#else
  for (int i = 0; i < 4; ++i) lanes.at[i] = static_cast<double>(from[i]);
#endif
}

/// Raises each lane to the magnitude of the other; what a NaN does is not said.
REGIHT_INLINE void raise_to_magnitude(Lanes& lanes, const Lanes& other) {
#if defined(__GNUC__)
  const Lanes magnitude = other > -other ? other : -other;
  lanes = magnitude > lanes ? magnitude : lanes;
#else
  for (int i = 0; i < 4; ++i) lanes.at[i] = std::max(lanes.at[i], std::abs(other.at[i]));
#endif
}

REGIHT_INLINE void store(const Lanes& lanes, double* to) { *reinterpret_cast<Lanes*>(to) = lanes; }

/// What a formula is written for that is to run on several numbers at a time: four where the
/// compiler knows vectors, else one. Passed by reference, as registers differ between machines.
#if defined(__GNUC__)
using Pack = Lanes;
using PackBits = std::uint64_t __attribute__((vector_size(32), aligned(8), may_alias));
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

}  // namespace regiht
