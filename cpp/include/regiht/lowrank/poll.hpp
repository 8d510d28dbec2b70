#pragma once

#include <functional>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Called between parts of the work, on the thread of the caller; may throw to end it.
using Poll = std::function<void()>;

}}}  // namespace regiht::REGIHT_ABI::lowrank
