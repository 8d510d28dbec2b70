#pragma once

#include <array>
#include <string_view>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Why a solver stopped.
enum class Status {
  completed,   ///< made all max_iter iterations
  stationary,  ///< x and w no longer change, to the last bit
  converged,   ///< x changes by less than tol or by rounding only, and w not at all
  finished,    ///< the method reached its own end
  cycling,     ///< the iterates repeat
  diverged,    ///< the objective exploded or became infinite or NaN
  time_limit,  ///< the time limit was reached
  stopped,     ///< the callback asked to stop
};

struct StatusText {
  Status status;
  std::string_view name;
  std::string_view message;
  bool success;
};

/// Name and message of each status, in the order of the enum.
inline constexpr std::array<StatusText, 8> status_texts = {{
    {Status::completed, "completed", "All max_iter iterations were made.", true},
    {Status::stationary, "stationary",
     "The iterate and the weights no longer change, to the last bit.", true},
    {Status::converged, "converged",
     "The iterate changes by less than tol, or by rounding only, and the weights not at all.",
     true},
    {Status::finished, "finished", "The method reached its own end.", true},
    {Status::cycling, "cycling",
     "The iterates repeat in a cycle: the step is too large. Try a smaller step, or step=None.",
     false},
    {Status::diverged, "diverged",
     "The objective exploded or became infinite or NaN. This is the best iterate found; try a "
     "smaller step, or step=None.",
     false},
    {Status::time_limit, "time_limit",
     "The time limit was reached. This is the best iterate found.", false},
    {Status::stopped, "stopped", "The callback asked to stop.", false},
}};

inline const StatusText& describe(Status status) {
  return status_texts[static_cast<std::size_t>(status)];
}

}}  // namespace regiht::REGIHT_ABI
