#include "compiled.hpp"
#include "regiht/solver/solve.hpp"

namespace regiht::bindings {

std::vector<std::string_view> method_names(bool positive, bool groups) {
  std::vector<std::string_view> names;
  for (const Method& method : all_methods)
    if ((method.positive || !positive) && (method.groups || !groups)) names.push_back(method.name);
  return names;
}

Result run_method(std::string_view method, Objective& objective, const Options& options,
                  Observer& observer) {
  return solve(objective, find_method(method), options, observer);
}

}  // namespace regiht::bindings
