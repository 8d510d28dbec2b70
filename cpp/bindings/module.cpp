#include "bindings.hpp"

PYBIND11_MODULE(_core_of_main_interpreter, module, pybind11::mod_gil_not_used()) {
  module.doc() = "The compiled core of regiht. Checks little: use the functions of regiht.";
  module.attr("__version__") = REGIHT_VERSION;
  regiht::bindings::bind_certificate(module);
  regiht::bindings::bind_design(module);
  regiht::bindings::bind_io(module);
  regiht::bindings::bind_loss(module);
  regiht::bindings::bind_lowrank_entries(module);
  regiht::bindings::bind_lowrank_products(module);
  regiht::bindings::bind_lowrank_objectives(module);
  regiht::bindings::bind_lowrank_methods(module);
  regiht::bindings::bind_options(module);
  regiht::bindings::bind_result(module);
  regiht::bindings::bind_solve(module);
}

// What pybind11 does at this point takes a lock that a subinterpreter of Python 3.11 holds already.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main())
    return PyInit__core_of_main_interpreter();
  PyErr_SetString(PyExc_ImportError, "regiht cannot be imported in a subinterpreter.");
  return nullptr;
}
