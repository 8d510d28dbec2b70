#include "bindings.hpp"

PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used()) {
  module.doc() = "The compiled core of regiht. Checks little: use the functions of regiht.";
  module.attr("__version__") = REGIHT_VERSION;
  regiht::bindings::bind_certificate(module);
  regiht::bindings::bind_design(module);
  regiht::bindings::bind_io(module);
  regiht::bindings::bind_loss(module);
  regiht::bindings::bind_lowrank(module);
  regiht::bindings::bind_lowrank_descent(module);
  regiht::bindings::bind_options(module);
  regiht::bindings::bind_result(module);
  regiht::bindings::bind_solve(module);
}
