#pragma once

// The version, and the inline namespace that carries it: every name is in regiht::REGIHT_ABI and
// found as regiht::name. So parts of a program compiled with different minor versions link, each
// with its own.

#define REGIHT_VERSION_MAJOR 0
#define REGIHT_VERSION_MINOR 1
#define REGIHT_VERSION_PATCH 0

#define REGIHT_ABI_NAME(major, minor) v##major##_##minor
#define REGIHT_ABI_OF(major, minor) REGIHT_ABI_NAME(major, minor)
#define REGIHT_ABI REGIHT_ABI_OF(REGIHT_VERSION_MAJOR, REGIHT_VERSION_MINOR)
