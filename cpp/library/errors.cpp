#include "errors.hpp"

#include <cstdio>

namespace regiht::library {
namespace {

// Fixed size: an allocation could fail where it is needed most.
thread_local char last_text[512] = "";
thread_local int last_code = REGIHT_OK;

}  // namespace

void keep_error(int code, const char* text) noexcept {
  last_code = code;
  std::snprintf(last_text, sizeof last_text, "%s", text);
}

}  // namespace regiht::library

const char* regiht_last_error(void) { return regiht::library::last_text; }

int regiht_last_error_code(void) { return regiht::library::last_code; }
