// REGIHT_HARNESS names one function of harnesses.hpp.
#include "harnesses.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  regiht::fuzz::REGIHT_HARNESS(data, size);
  return 0;
}
