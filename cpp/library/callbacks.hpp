#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "errors.hpp"
#include "regiht/types.hpp"

/// What calls of a C caller's functions have in common.
namespace regiht::library {

inline constexpr double unwritten = std::numeric_limits<double>::quiet_NaN();

/// Throws if a function of the caller's objective returned something other than 0.
inline void require_done(int code, const char* function) {
  if (code != 0)
    throw ObjectiveFailed(std::string(function) + " of the objective returned " +
                          std::to_string(code));
}

/// Calls `function(row_count, rows, column_count, columns, out)`; false if it has no answer.
template <class SecondDerivatives>
bool ask_second_derivatives(const Support& rows, const Support& columns, Matrix& out,
                            SecondDerivatives&& function) {
  out.setConstant(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()), unwritten);
  if (out.size() == 0) return true;
  const std::vector<std::int64_t> i(rows.begin(), rows.end()), j(columns.begin(), columns.end());
  const int code = function(out.rows(), i.data(), out.cols(), j.data(), out.data());
  if (code == REGIHT_UNSUPPORTED) return false;
  require_done(code, "second_derivatives");
  return true;
}

}  // namespace regiht::library
