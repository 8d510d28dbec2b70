#include "compiled.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/model/make_objective.hpp"

namespace regiht::library {

std::shared_ptr<const Loss> loss_named(std::string_view name) { return make_loss(name); }

MakeObjective objective_factory(const Design& design, const Loss& loss, ConstVectorView target,
                                DesignCache& cache, const ModelSettings& settings) {
  return [factory = ObjectiveFactory(design, loss, target, cache, settings)] {
    return factory.make();
  };
}

}  // namespace regiht::library
