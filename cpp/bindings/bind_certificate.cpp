#include <limits>
#include <optional>
#include <string>

#include "bindings.hpp"
#include "gil.hpp"
#include "python_observer.hpp"
#include "regiht/certificate/certificate.hpp"
#include "regiht/certificate/relaxed_threshold.hpp"
#include "regiht/loss/all.hpp"

#include <pybind11/stl.h>

namespace regiht::bindings {
namespace {

double lower_bound(const DesignHandle& handle, const std::string& loss, const DoubleArray& target,
                   const DoubleArray& x, double value, Index sparsity,
                   const std::optional<IndexArray>& keep, double ridge,
                   const std::optional<DoubleArray>& sample_weight, int threads,
                   std::optional<double> time_limit) {
  const Design& design = *handle.design;
  if (target.size() != design.rows() || (sample_weight && sample_weight->size() != design.rows()))
    throw std::invalid_argument("targets and sample weights need one entry for every row");
  if (x.size() != design.cols()) throw std::invalid_argument("x needs one entry for every column");
  if (!(ridge > 0.0)) throw std::invalid_argument("a lower bound needs a positive ridge");
  Support kept;
  if (keep) kept.assign(keep->data(), keep->data() + keep->size());
  SparseVector point;
  for (Index j = 0; j < design.cols(); ++j)
    if (x.data()[j] != 0.0) point.append(j, x.data()[j]);
  const auto pointwise = make_loss(loss);
  const ConstrainedModel model{
      design, *pointwise, as_vector(target), sample_weight ? sample_weight->data() : nullptr,
      ridge,  sparsity,   std::move(kept),   threads};
  PythonObserver observer(py::none(), py::none(),
                          time_limit.value_or(std::numeric_limits<double>::infinity()));
  const ReleaseGil release;
  return certify(model, handle.cache->norms(design), point, value, observer).lower_bound;
}

/// The minimiser x of ½‖x − v‖² + λh(x), and h(x); see RelaxedThreshold.
py::tuple relaxed_threshold(const DoubleArray& v, double lambda, Index sparsity,
                            const IndexArray& keep) {
  RelaxedThreshold threshold(sparsity, Support(keep.data(), keep.data() + keep.size()));
  Vector x;
  const double penalty = threshold.apply(as_vector(v), lambda, x);
  return py::make_tuple(to_array(x), penalty);
}

}  // namespace

void bind_certificate(py::module_& module) {
  module.def("lower_bound", &lower_bound, py::kw_only(), py::arg("design"), py::arg("loss"),
             py::arg("target").noconvert(), py::arg("x").noconvert(), py::arg("fun"),
             py::arg("sparsity"), py::arg("keep"), py::arg("ridge"), py::arg("sample_weight"),
             py::arg("n_threads"), py::arg("time_limit"));
  module.def("relaxed_threshold", &relaxed_threshold, py::arg("v").noconvert(), py::arg("penalty"),
             py::arg("sparsity"), py::arg("keep").noconvert());
}

}  // namespace regiht::bindings
