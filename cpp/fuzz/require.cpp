#include <cstdio>
#include <cstdlib>

#include "harnesses.hpp"

void regiht::fuzz::require(bool condition, const char* text) {
  if (condition) return;
  std::fprintf(stderr, "does not hold: %s\n", text);
  std::abort();
}
