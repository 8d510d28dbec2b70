#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "regiht/solver/iht.hpp"
#include "regiht/solver/regularized_iht.hpp"

namespace regiht {

/// A named solver.
struct Method {
  std::string_view name;
  Result (*solve)(Objective&, const Options&, Observer&);
};

/// The one list of methods: bindings, validation and tests are generated from it.
inline constexpr std::array<Method, 2> all_methods = {{
    {"iht", &iht},
    {"regiht", &regularized_iht},
}};

inline const Method& find_method(std::string_view name) {
  for (const Method& method : all_methods)
    if (method.name == name) return method;
  throw std::invalid_argument("unknown method \"" + std::string(name) + "\"");
}

}  // namespace regiht
