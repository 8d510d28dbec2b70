#pragma once

#include <memory>
#include <string>

#include "regiht.h"

namespace regiht::testing {

/// A handle that is given back by itself.
template <class Handle>
std::shared_ptr<Handle> owned(Handle* handle, void (*free)(Handle*)) {
  return {handle, free};
}

/// Whether the last call that failed left this code and a sentence with this text.
inline bool says(int code, const std::string& text) {
  return code == regiht_last_error_code() &&
         std::string(regiht_last_error()).find(text) != std::string::npos;
}

}  // namespace regiht::testing
