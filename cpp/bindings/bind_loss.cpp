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

/// Position of the first target that the loss is not defined for, or −1.
Index first_bad_target(const std::string& loss, const DoubleArray& target) {
  const Targets targets = make_loss(loss)->targets();
  for (Index i = 0; i < static_cast<Index>(target.size()); ++i)
    if (!is_allowed(targets, target.data()[i])) return i;
  return -1;
}

py::tuple evaluate(const std::string& name, const DoubleArray& prediction,
                   const DoubleArray& target) {
  Vector derivative(static_cast<Index>(prediction.size()));
  const double value =
      make_loss(name)->evaluate({as_vector(prediction), as_vector(target)}, derivative, 1);
  return py::make_tuple(value, to_array(derivative));
}

DoubleArray curvature(const std::string& name, const DoubleArray& prediction,
                      const DoubleArray& target) {
  Vector out(static_cast<Index>(prediction.size()));
  make_loss(name)->curvature({as_vector(prediction), as_vector(target)}, out);
  return to_array(out);
}

/// The conjugate of each sample by itself, and the magnitude that its rounding is measured by.
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

}  // namespace

void bind_loss(py::module_& module) {
  module.def("loss_names", [] {
    py::list names;
    for (const auto& loss : all_losses()) names.append(std::string(loss->name()));
    return names;
  });
  module.def(
      "loss_targets", [](const std::string& name) { return name_of(make_loss(name)->targets()); },
      py::arg("loss"));
  module.def(
      "loss_max_curvature",
      [](const std::string& name) { return make_loss(name)->max_curvature(); }, py::arg("loss"));
  module.def("first_bad_target", &first_bad_target, py::arg("loss"), py::arg("target").noconvert());
  module.def("loss_evaluate", &evaluate, py::arg("loss"), py::arg("prediction").noconvert(),
             py::arg("target").noconvert());
  module.def("loss_curvature", &curvature, py::arg("loss"), py::arg("prediction").noconvert(),
             py::arg("target").noconvert());
  module.def("loss_conjugate", &conjugate, py::arg("loss"), py::arg("slope").noconvert(),
             py::arg("target").noconvert());
}

}  // namespace regiht::bindings
