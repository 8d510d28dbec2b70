#pragma once

// REGIHT_WIDE compiles a function once for each of several instruction sets and picks one when the
// program starts. The library is built without fused multiply-add, so all give the same bits.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define REGIHT_WIDE \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define REGIHT_WIDE
#endif

// What a REGIHT_WIDE function calls must be compiled into it.
#if defined(__GNUC__)
#define REGIHT_INLINE inline __attribute__((always_inline))
#else
#define REGIHT_INLINE inline
#endif
