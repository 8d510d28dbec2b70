#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace io {

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

namespace detail {

/// Appends the digits from `first` on to `value`; wraps silently, so callers must count digits.
inline const char* take_digits(const char* first, const char* last, std::uint64_t& value) {
  for (; first != last && is_digit(*first); ++first)
    value = 10 * value + static_cast<std::uint64_t>(*first - '0');
  return first;
}

/// Correctly rounded for any length; overflow gives infinity and underflow zero.
inline double convert_slowly(const char* first, const char* last, std::ptrdiff_t magnitude) {
  double value = 0.0;
#if defined(__cpp_lib_to_chars)
  const bool in_range = std::from_chars(first, last, value).ec == std::errc();
#else
  std::istringstream stream(std::string(first, last));
  stream.imbue(std::locale::classic());
  const bool in_range = static_cast<bool>(stream >> value);
#endif
  if (in_range) return value;
  return magnitude > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace detail

/// Parses the decimal number at the start of [first, last) to the nearest double. Returns its end,
/// or `first` if there is none. Accepts no infinity, NaN or other base.
inline const char* parse_decimal(const char* first, const char* last, double& value) {
  constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  constexpr std::ptrdiff_t exact_powers = 22, exact_digits = 19;
  constexpr std::uint64_t exact_integers = std::uint64_t{1} << 53U;

  const bool negative = first != last && *first == '-';
  const char* const start = first != last && (*first == '-' || *first == '+') ? first + 1 : first;
  std::uint64_t mantissa = 0;
  const char* at = detail::take_digits(start, last, mantissa);
  std::ptrdiff_t digits = at - start, exponent = 0;
  if (at != last && *at == '.') {
    const char* const fraction = at + 1;
    at = detail::take_digits(fraction, last, mantissa);
    exponent = fraction - at;
    digits -= exponent;
  }
  if (digits == 0) return first;
  if (at != last && (*at == 'e' || *at == 'E')) {
    const char* power = at + 1;
    const bool down = power != last && *power == '-';
    if (power != last && (*power == '-' || *power == '+')) ++power;
    std::uint64_t size = 0;
    at = detail::take_digits(power, last, size);
    if (at == power) return first;
    // Six digits exceed the exponent of any double, and cannot overflow.
    const auto shift = static_cast<std::ptrdiff_t>(at - power > 6 || size > 999999 ? 999999 : size);
    exponent += down ? -shift : shift;
  }
  // Both factors are exact, so one rounded operation gives the nearest double.
  if (digits <= exact_digits && mantissa <= exact_integers && exponent >= -exact_powers &&
      exponent <= exact_powers) {
    const auto exact = static_cast<double>(mantissa);
    value = exponent < 0 ? exact / powers[-exponent] : exact * powers[exponent];
  } else {
    value = detail::convert_slowly(start, at, exponent + digits);
  }
  if (negative) value = -value;
  return at;
}

}}}  // namespace regiht::REGIHT_ABI::io
