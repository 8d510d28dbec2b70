#include <stdexcept>
#include <string>

#include "lowrank_handles.hpp"
#include "regiht/lowrank/greedy.hpp"
#include "regiht/lowrank/local_search.hpp"
#include "regiht/lowrank/regularized_iht.hpp"
#include "regiht/lowrank/regularized_local_search.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

Status status_named(const std::string& name) {
  for (const StatusText& text : status_texts)
    if (text.name == name) return text.status;
  throw std::invalid_argument("there is no status '" + name + "'");
}

/// Asks a Python function, which answers with the name of a status or with None.
DescentObserver observer_of(const std::optional<py::function>& observe) {
  if (!observe) return {};
  return [&observe = *observe](const Factors& A, double value, const Regularizer& weights,
                               double regularized) -> std::optional<Status> {
    const AcquireGil acquire;
    const py::object told = call(observe, bindings::to_tuple(A), py::float_(value),
                                 bindings::to_tuple(weights), py::float_(regularized));
    if (told.is_none()) return std::nullopt;
    return status_named(told.cast<std::string>());
  };
}

py::tuple descend(const ObjectiveHandle& handle, const DoubleArray& U, const DoubleArray& s,
                  const DoubleArray& V, Index rank, Index max_iter, double tol,
                  std::optional<double> step, double smoothness, double weight_step,
                  double round_threshold, double weighted_part,
                  const std::optional<py::function>& observe, int n_threads) {
  const DescentOptions options{
      rank,        max_iter,        tol,           step,      smoothness,
      weight_step, round_threshold, weighted_part, n_threads, InterruptPoll()};
  Factors start = as_factors(U, s, V);
  const DescentObserver observer = observer_of(observe);
  const DescentResult found = [&] {
    const ReleaseGil release;
    return RegularizedIht(*handle.objective, options, std::move(start), observer).run();
  }();
  return py::make_tuple(bindings::to_tuple(found.best), found.value,
                        std::string(describe(found.status).name), bindings::to_tuple(found.weights),
                        found.iterations);
}

/// Likewise, of methods that exchange directions.
ExchangeObserver exchange_observer_of(const std::optional<py::function>& observe) {
  if (!observe) return {};
  return [&observe = *observe](const ExchangeIteration& iteration) -> std::optional<Status> {
    const AcquireGil acquire;
    const py::object weights =
        iteration.weights == nullptr ? py::none() : py::object(to_tuple(*iteration.weights));
    const py::object told =
        call(observe, bindings::to_tuple(iteration.A), py::float_(iteration.value),
             py::str(iteration.branch), weights, py::float_(iteration.regularized));
    if (told.is_none()) return std::nullopt;
    return status_named(told.cast<std::string>());
  };
}

const char* name_of(ExchangeEnd end) {
  switch (end) {
    case ExchangeEnd::no_slope:
      return "no-slope";
    case ExchangeEnd::rank_used:
      return "rank-used";
    case ExchangeEnd::no_gain:
      return "no-gain";
    case ExchangeEnd::reached:
      return "reached";
    case ExchangeEnd::exhausted:
      return "exhausted";
    default:
      return "";
  }
}

py::tuple to_tuple(const ExchangeResult& found) {
  return py::make_tuple(bindings::to_tuple(found.best), found.value,
                        std::string(describe(found.status).name), name_of(found.end),
                        found.iterations);
}

using PlainExchanges = ExchangeResult (*)(const MatrixObjective&, const ExchangeOptions&, Factors,
                                          const ExchangeObserver&);

template <PlainExchanges method>
py::tuple exchange(const ObjectiveHandle& handle, const DoubleArray& U, const DoubleArray& s,
                   const DoubleArray& V, Index rank, Index max_iter, double tol,
                   const std::optional<py::function>& observe, int n_threads) {
  const ExchangeOptions options{rank, max_iter, tol, n_threads, InterruptPoll()};
  Factors start = as_factors(U, s, V);
  const ExchangeObserver observer = exchange_observer_of(observe);
  const ExchangeResult found = [&] {
    const ReleaseGil release;
    return method(*handle.objective, options, std::move(start), observer);
  }();
  return py::make_tuple(to_tuple(found), py::none());
}

py::tuple search_regularized(const ObjectiveHandle& handle, const DoubleArray& U,
                             const DoubleArray& s, const DoubleArray& V, Index rank, Index max_iter,
                             double tol, Index target_rank, double target, double smoothness,
                             double sufficient, bool reoptimize,
                             const std::optional<py::function>& observe, int n_threads) {
  const ExchangeOptions options{rank, max_iter, tol, n_threads, InterruptPoll()};
  const RegularizedSearchOptions given{target_rank, target, smoothness, sufficient, reoptimize};
  Factors start = as_factors(U, s, V);
  const ExchangeObserver observer = exchange_observer_of(observe);
  std::optional<RegularizedLocalSearch> search;
  const ExchangeResult found = [&] {
    const ReleaseGil release;
    search.emplace(*handle.objective, options, given, std::move(start), observer);
    return search->run();
  }();
  return py::make_tuple(to_tuple(found), bindings::to_tuple(search->weights()));
}

template <PlainExchanges method>
void bind_exchanges(py::module_& module, const char* name) {
  module.def(name, &exchange<method>, py::arg("objective"), py::arg("U").noconvert(),
             py::arg("s").noconvert(), py::arg("V").noconvert(), py::kw_only(), py::arg("rank"),
             py::arg("max_iter"), py::arg("tol"), py::arg("observe"), py::arg("n_threads"));
}

}  // namespace

void bind_lowrank_methods(py::module_& module) {
  py::register_exception<TimeIsUp>(module, "TimeIsUpError");
  module.def("poll", [] { InterruptPoll()(); });
  py::class_<TimeLimit>(module, "TimeLimit")
      .def(py::init<double>(), py::arg("seconds"))
      .def("__enter__", &TimeLimit::enter)
      .def("__exit__", [](TimeLimit& limit, const py::args&) { limit.exit(); });
  module.def("regularized_iht", &descend, py::arg("objective"), py::arg("U").noconvert(),
             py::arg("s").noconvert(), py::arg("V").noconvert(), py::kw_only(), py::arg("rank"),
             py::arg("max_iter"), py::arg("tol"), py::arg("step"), py::arg("smoothness"),
             py::arg("weight_step"), py::arg("round_threshold"), py::arg("weighted_part"),
             py::arg("observe"), py::arg("n_threads"));
  bind_exchanges<&greedy>(module, "greedy");
  bind_exchanges<&local_search>(module, "local_search");
  module.def("regularized_local_search", &search_regularized, py::arg("objective"),
             py::arg("U").noconvert(), py::arg("s").noconvert(), py::arg("V").noconvert(),
             py::kw_only(), py::arg("rank"), py::arg("max_iter"), py::arg("tol"),
             py::arg("target_rank"), py::arg("target"), py::arg("smoothness"),
             py::arg("sufficient"), py::arg("reoptimize"), py::arg("observe"),
             py::arg("n_threads"));
}

}  // namespace regiht::bindings
