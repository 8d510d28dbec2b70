#include "callback_objective.hpp"
#include "dense_callback_objective.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace regiht::library { namespace {

template <class Behind, class Functions>
regiht_problem* own_problem(const Functions& functions, void* context) {
  require(functions.dimension >= 1, "dimension must be at least 1");
  auto problem = std::make_unique<regiht_problem>();
  problem->dimension = static_cast<Index>(functions.dimension);
  problem->own = [functions, context] { return std::make_unique<Behind>(functions, context); };
  return problem.release();
}

}}  // namespace regiht::library

using namespace regiht::library;

regiht_problem* regiht_problem_new_objective(const regiht_objective* objective, void* context) {
  return guarded<>(static_cast<regiht_problem*>(nullptr), [&] {
    require(objective != nullptr, "objective must not be NULL");
    require(objective->move_to && objective->gradient_on_support && objective->gradient_off_support,
            "move_to, gradient_on_support and gradient_off_support must not be NULL");
    return own_problem<CallbackObjective>(*objective, context);
  });
}

regiht_problem* regiht_problem_new_dense_objective(const regiht_dense_objective* objective,
                                                   void* context) {
  return guarded<>(static_cast<regiht_problem*>(nullptr), [&] {
    require(objective != nullptr, "objective must not be NULL");
    require(objective->value && objective->gradient, "value and gradient must not be NULL");
    return own_problem<DenseCallbackObjective>(*objective, context);
  });
}
