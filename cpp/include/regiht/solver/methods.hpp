#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "regiht/solver/method.hpp"
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

namespace regiht { inline namespace REGIHT_ABI {

// clang-format off
/// The table of methods that everything else reads. A row with a missing field draws a compiler
/// warning.
inline constexpr Method all_methods[] = {
    //                                constraints    answer         run               options
    //                                posi-  groups  refits nested  all its-  draws   x0     step   weight  weights target  effort
    // name        function           tive                          iterations                      step            value
    {"iht",        &iht,              true,  true,   false, false,  true,     false,  true,  true,  false,  false,  false,  false},
    {"regiht",     &regularized_iht,  true,  true,   false, false,  true,     false,  true,  true,  true,   true,   false,  false},
    {"omp",        &omp,              true,  true,   true,  true,   false,    false,  true,  false, false,  false,  false,  false},
    {"ompr",       &ompr,             true,  false,  true,  false,  false,    false,  true,  false, false,  false,  false,  false},
    {"arht",       &arht,             false, false,  true,  false,  false,    true,   true,  true,  false,  false,  true,   false},
    {"htp",        &htp,              true,  true,   true,  false,  false,    false,  true,  true,  false,  false,  false,  false},
    {"cosamp",     &cosamp,           true,  true,   true,  false,  false,    false,  true,  false, false,  false,  false,  false},
    {"gradient",   &gradient_ranking, true,  true,   true,  false,  false,    false,  true,  false, false,  false,  false,  false},
    {"lasso",      &lasso,            true,  false,  false, false,  false,    false,  false, false, false,  false,  false,  false},
    {"best",       &best,             true,  true,   true,  false,  false,    false,  true,  false, false,  true,   false,  true},
};
// clang-format on

inline const Method& find_method(std::string_view name) {
  for (const Method& method : all_methods)
    if (method.name == name) return method;
  throw std::invalid_argument("unknown method \"" + std::string(name) + "\"");
}

}}  // namespace regiht::REGIHT_ABI
