#pragma once

// The version, and the namespace that carries it: every name of the library is in
// regiht::REGIHT_ABI and, as that is inline, found as regiht::name. Parts of a program that were
// compiled with different minor versions thus link, each with its own.

#define REGIHT_VERSION_MAJOR 0
#define REGIHT_VERSION_MINOR 1
#define REGIHT_VERSION_PATCH 0

#define REGIHT_ABI_NAME(major, minor) v##major##_##minor
#define REGIHT_ABI_OF(major, minor) REGIHT_ABI_NAME(major, minor)
#define REGIHT_ABI REGIHT_ABI_OF(REGIHT_VERSION_MAJOR, REGIHT_VERSION_MINOR)
