#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "regiht/kernels/stopwatch.hpp"

using namespace regiht;

TEST_CASE("a stopwatch stands still until it advances") {
  Stopwatch watch;
  const double first = watch.seconds();
  CHECK(first >= 0.0);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  CHECK(watch.seconds() == first);
  watch.advance();
  CHECK(watch.seconds() >= first + 0.002);
}
