#include "compiled.hpp"
#include "regiht/solver/solve.hpp"

namespace regiht::library {

std::vector<Method> method_table() { return {std::begin(all_methods), std::end(all_methods)}; }

const Method& method_named(std::string_view name) { return find_method(name); }

Result solve_with(const Method& method, Objective& objective, const Options& options,
                  Observer& observer) {
  return solve(objective, method, options, observer);
}

}  // namespace regiht::library
