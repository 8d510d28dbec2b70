#pragma once

#include <chrono>
#include <optional>
#include <thread>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "bindings.hpp"

namespace regiht::bindings {

/// Calls a function that may wait for the GIL.
///
/// When the interpreter shuts down, the wait ends a daemon thread by unwinding its stack, through
/// destructors that need the GIL, into std::terminate. Such a thread sleeps here until the process
/// exits, as Python itself does from 3.14 on.
template <class Wait>
auto wait_for_gil(Wait&& wait) -> decltype(wait()) {
#ifdef __GLIBCXX__
  try {
    return wait();
  } catch (abi::__forced_unwind&) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
#else
  return wait();
#endif
}

/// Holds the GIL for its lifetime.
class AcquireGil {
 public:
  AcquireGil() {
    wait_for_gil([this] { held_.emplace(); });
  }

 private:
  std::optional<py::gil_scoped_acquire> held_;
};

/// Releases the GIL for its lifetime.
class ReleaseGil {
 public:
  ReleaseGil() : state_(PyEval_SaveThread()) {}
  ReleaseGil(const ReleaseGil&) = delete;
  ReleaseGil& operator=(const ReleaseGil&) = delete;
  ~ReleaseGil() {
    wait_for_gil([this] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

/// Calls function(arguments…); the caller must hold the GIL. The callee may wait for it as well.
template <class... Arguments>
py::object call(const py::object& function, const Arguments&... arguments) {
  PyObject* answer = wait_for_gil(
      [&] { return PyObject_CallFunctionObjArgs(function.ptr(), arguments.ptr()..., nullptr); });
  if (!answer) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(answer);
}

}  // namespace regiht::bindings
