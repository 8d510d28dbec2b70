#pragma once

#include <chrono>
#include <optional>
#include <thread>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "bindings.hpp"

namespace regiht::bindings {

/// Does what may wait for the GIL.
///
/// When the interpreter shuts down, the wait ends a daemon thread by unwinding its stack, through
/// destructors that need the GIL, into std::terminate. Such a thread sleeps here until the process
/// is gone, as Python itself lets it do from 3.14 on.
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

/// Holds the GIL.
class AcquireGil {
 public:
  AcquireGil() {
    wait_for_gil([this] { held_.emplace(); });
  }

 private:
  std::optional<py::gil_scoped_acquire> held_;
};

/// Lets other threads have the GIL.
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

/// function(arguments…), by a thread that holds the GIL. What it calls may wait for the GIL too.
template <class... Arguments>
py::object call(const py::object& function, const Arguments&... arguments) {
  PyObject* answer = wait_for_gil(
      [&] { return PyObject_CallFunctionObjArgs(function.ptr(), arguments.ptr()..., nullptr); });
  if (!answer) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(answer);
}

}  // namespace regiht::bindings
