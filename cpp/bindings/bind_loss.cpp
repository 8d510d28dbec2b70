#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "bindings.hpp"
#include "regiht/loss/all.hpp"

namespace regiht::bindings {
namespace {

const char* name_of(Targets targets) {
  switch (targets) {
    case Targets::real:
      return "real";
    case Targets::binary:
      return "binary";
    case Targets::nonnegative:
      return "nonnegative";
  }
  return "";
}

const char* name_of(Link link) {
  switch (link) {
    case Link::identity:
      return "identity";
    case Link::log:
      return "log";
    case Link::logit:
      return "logit";
    case Link::sign:
      return "sign";
  }
  return "";
}

const char* name_of(Likelihood likelihood) {
  switch (likelihood) {
    case Likelihood::none:
      return "none";
    case Likelihood::exact:
      return "exact";
    case Likelihood::unknown_variance:
      return "unknown-variance";
  }
  return "";
}

py::tuple losses() {
  py::list facts;
  for (const auto& loss : all_losses()) facts.append(loss->facts());
  return py::tuple(facts);
}

bool is_allowed(Targets targets, double target) {
  switch (targets) {
    case Targets::real:
      return true;
    case Targets::binary:
      return target == 0.0 || target == 1.0;
    case Targets::nonnegative:
      return target >= 0.0;
  }
  return false;
}

/// Position of the first target for which the loss is undefined, or −1.
Index first_bad_target(const std::string& loss, const DoubleArray& target) {
  const Targets targets = make_loss(loss)->targets();
  for (Index i = 0; i < static_cast<Index>(target.size()); ++i)
    if (!is_allowed(targets, target.data()[i])) return i;
  return -1;
}

/// Samples for the losses, checked to be of one size.
Samples samples_of(const DoubleArray& prediction, const DoubleArray& target,
                   const std::optional<DoubleArray>& weights) {
  if (target.size() != prediction.size() || (weights && weights->size() != prediction.size()))
    throw std::invalid_argument("predictions, targets and weights differ in number");
  return {as_vector(prediction), as_vector(target), weights ? weights->data() : nullptr};
}

py::tuple evaluate(const std::string& name, const DoubleArray& prediction,
                   const DoubleArray& target, const std::optional<DoubleArray>& weights) {
  Vector derivative(static_cast<Index>(prediction.size()));
  const double value =
      make_loss(name)->evaluate(samples_of(prediction, target, weights), derivative, 1);
  return py::make_tuple(value, to_array(derivative));
}

DoubleArray curvature(const std::string& name, const DoubleArray& prediction,
                      const DoubleArray& target, const std::optional<DoubleArray>& weights) {
  Vector out(static_cast<Index>(prediction.size()));
  make_loss(name)->curvature(samples_of(prediction, target, weights), out);
  return to_array(out);
}

/// The conjugate of each sample, and the magnitude that scales its rounding error.
py::tuple conjugate(const std::string& name, const DoubleArray& slope, const DoubleArray& target) {
  const auto loss = make_loss(name);
  Vector values(static_cast<Index>(slope.size())), magnitudes(values.size());
  for (Index i = 0; i < values.size(); ++i) {
    const Conjugate each = loss->conjugate(as_vector(slope).segment(i, 1),
                                           as_vector(target).segment(i, 1), nullptr, 1);
    values[i] = each.value;
    magnitudes[i] = each.magnitude;
  }
  return py::make_tuple(to_array(values), to_array(magnitudes));
}

/// The sum of the conjugates of weighted samples, and of their magnitudes.
py::tuple conjugate_sum(const std::string& name, const DoubleArray& slope,
                        const DoubleArray& target, const std::optional<DoubleArray>& weights) {
  const Samples samples = samples_of(slope, target, weights);
  const Conjugate sum =
      make_loss(name)->conjugate(samples.prediction, samples.target, samples.weights, 1);
  return py::make_tuple(sum.value, sum.magnitude);
}

}  // namespace

void bind_loss(py::module_& module) {
  py::class_<LossFacts>(module, "Loss")
      .def_readonly("name", &LossFacts::name)
      .def_property_readonly("targets", [](const LossFacts& loss) { return name_of(loss.targets); })
      .def_property_readonly("link", [](const LossFacts& loss) { return name_of(loss.link); })
      .def_readonly("predictor", &LossFacts::predictor)
      .def_property_readonly("likelihood",
                             [](const LossFacts& loss) { return name_of(loss.likelihood); })
      .def_readonly("is_quadratic", &LossFacts::is_quadratic)
      .def_readonly("max_curvature", &LossFacts::max_curvature)
      .def("__repr__",
           [](const LossFacts& loss) { return "<Loss " + std::string(loss.name) + ">"; });
  module.def("losses", &losses);
  module.def("first_bad_target", &first_bad_target, py::arg("loss"), py::arg("target").noconvert());
  module.def("loss_evaluate", &evaluate, py::arg("loss"), py::arg("prediction").noconvert(),
             py::arg("target").noconvert(), py::arg("sample_weight").noconvert() = py::none());
  module.def("loss_curvature", &curvature, py::arg("loss"), py::arg("prediction").noconvert(),
             py::arg("target").noconvert(), py::arg("sample_weight").noconvert() = py::none());
  module.def("loss_conjugate", &conjugate, py::arg("loss"), py::arg("slope").noconvert(),
             py::arg("target").noconvert());
  module.def("loss_conjugate_sum", &conjugate_sum, py::arg("loss"), py::arg("slope").noconvert(),
             py::arg("target").noconvert(), py::arg("sample_weight").noconvert() = py::none());
}

}  // namespace regiht::bindings
