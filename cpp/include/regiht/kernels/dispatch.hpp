#pragma once

// REGIHT_WIDE compiles a function for several instruction sets; the widest available is picked when
// the program starts. Its loops are vectorized even at -O2. As we build without contraction to
// fused multiply-add, all versions give the same bits. REGIHT_WIDE_FUSED allows contraction, for
// functions whose last bit does not matter.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define REGIHT_WIDE \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default"), optimize("O3")))
#define REGIHT_WIDE_FUSED REGIHT_WIDE __attribute__((optimize("fp-contract=fast")))
#else
#define REGIHT_WIDE
#define REGIHT_WIDE_FUSED
#endif

// Functions called from a REGIHT_WIDE one must be inlined into it.
#if defined(__GNUC__)
#define REGIHT_INLINE inline __attribute__((always_inline))
#define REGIHT_LAMBDA __attribute__((always_inline))
#else
#define REGIHT_INLINE inline
#define REGIHT_LAMBDA
#endif
