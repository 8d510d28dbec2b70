// A little fuzzing in every run: whatever bytes come, no promise is broken. `nox -s fuzz` does it
// for longer, with a fuzzer that sees which branches it has reached.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "fuzz/harnesses.hpp"

namespace {

std::vector<std::uint8_t> random_bytes(std::mt19937& engine, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(engine());
  return bytes;
}

}  // namespace

TEST_CASE("any bytes as a matrix, targets and settings through the C interface") {
  std::mt19937 engine(1);
  for (int round = 0; round < 1500; ++round) {
    const auto bytes = random_bytes(engine, 20 + engine() % 800);
    regiht::fuzz::c_interface(bytes.data(), bytes.size());
  }
}

TEST_CASE("any characters as LIBSVM text") {
  const std::string alphabet = "0123456789:.-+eE #\t\r\n qid";
  std::mt19937 engine(2);
  for (int round = 0; round < 20000; ++round) {
    auto bytes = random_bytes(engine, 2 + engine() % 60);
    for (std::size_t k = 2; k < bytes.size(); ++k)
      if (engine() % 50 != 0)
        bytes[k] = static_cast<std::uint8_t>(alphabet[bytes[k] % alphabet.size()]);
    regiht::fuzz::libsvm(bytes.data(), bytes.size());
  }
}
