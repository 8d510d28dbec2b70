#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "regiht/loss/loss.hpp"
#include "regiht/model/design_cache.hpp"
#include "regiht/model/settings.hpp"
#include "regiht/objective.hpp"
#include "regiht/solver/method.hpp"

/// Plain functions in front of what is slow to compile: each is compiled once, in its own file,
/// without Python.
namespace regiht::library {

// solvers.cpp

std::vector<Method> method_table();
const Method& method_named(std::string_view name);

/// regiht::solve.
Result solve_with(const Method& method, Objective& objective, const Options& options,
                  Observer& observer);

// models.cpp

std::shared_ptr<const Loss> loss_named(std::string_view name);

using MakeObjective = std::function<std::unique_ptr<Objective>()>;

/// The make() of an ObjectiveFactory; design, loss and cache must outlive it.
MakeObjective objective_factory(const Design& design, const Loss& loss, ConstVectorView target,
                                DesignCache& cache, const ModelSettings& settings);

}  // namespace regiht::library
