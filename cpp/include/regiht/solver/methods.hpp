#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "regiht/solver/methods/arht.hpp"
#include "regiht/solver/methods/cosamp.hpp"
#include "regiht/solver/methods/gradient_ranking.hpp"
#include "regiht/solver/methods/htp.hpp"
#include "regiht/solver/methods/iht.hpp"
#include "regiht/solver/methods/lasso.hpp"
#include "regiht/solver/methods/omp.hpp"
#include "regiht/solver/methods/ompr.hpp"
#include "regiht/solver/methods/regularized_iht.hpp"
#include "regiht/solver/portfolio/best.hpp"

namespace regiht {

/// A named solver, and whether it knows the constraints that not all know.
struct Method {
  std::string_view name;
  Result (*solve)(Objective&, const Options&, Observer&);
  bool positive = true, groups = true;
};

/// The one list of methods: bindings, validation and tests are generated from it.
inline constexpr std::array<Method, 10> all_methods = {{
    {"iht", &iht},
    {"regiht", &regularized_iht},
    {"omp", &omp},
    {"ompr", &ompr, true, false},
    {"arht", &arht, false, false},
    {"htp", &htp},
    {"cosamp", &cosamp},
    {"gradient", &gradient_ranking},
    {"lasso", &lasso, true, false},
    {"best", &best},
}};

inline const Method& find_method(std::string_view name) {
  for (const Method& method : all_methods)
    if (method.name == name) return method;
  throw std::invalid_argument("unknown method \"" + std::string(name) + "\"");
}

}  // namespace regiht
