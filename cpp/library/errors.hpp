#pragma once

#include <new>
#include <stdexcept>

#include "regiht.h"

namespace regiht::library {

/// A function of the caller's objective returned something other than 0.
class ObjectiveFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Stores the text of regiht_last_error, truncated to its buffer, for this thread.
void keep_error(int code, const char* text) noexcept;

/// Calls work; if it throws, stores the error and returns `failed`.
template <class Work, class Value>
Value guarded(Value failed, Work&& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    keep_error(REGIHT_OUT_OF_MEMORY, "there is not enough memory");
  } catch (const std::invalid_argument& error) {
    keep_error(REGIHT_INVALID_ARGUMENT, error.what());
  } catch (const ObjectiveFailed& error) {
    keep_error(REGIHT_OBJECTIVE_FAILED, error.what());
  } catch (const std::exception& error) {
    keep_error(REGIHT_FAILED, error.what());
  } catch (...) {
    keep_error(REGIHT_FAILED, "an unknown error");
  }
  return failed;
}

/// The same for a function that returns a code.
template <class Work>
int guarded(Work&& work) noexcept {
  const bool done = guarded(false, [&] {
    work();
    return true;
  });
  return done ? REGIHT_OK : regiht_last_error_code();
}

inline void require(bool condition, const char* text) {
  if (!condition) throw std::invalid_argument(text);
}

}  // namespace regiht::library
