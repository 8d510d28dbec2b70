#include "regiht/kernels/fork.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#ifdef REGIHT_HAS_FORK
#include <sys/wait.h>
#include <unistd.h>
#endif

using namespace regiht;

TEST_CASE("one thread at a time is behind a mutex") {
  ForkSafeMutex mutex;
  std::atomic<int> inside{0}, most{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        const std::lock_guard<ForkSafeMutex> lock(mutex);
        const int now = ++inside;
        std::this_thread::yield();
        if (now > most) most = now;
        --inside;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(most == 1);
}

#ifdef REGIHT_HAS_FORK
TEST_CASE("a child finds a mutex unlocked that the parent holds, and can lock it") {
  ForkSafeMutex mutex;
  mutex.lock();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(10);  // which ends a child that waits for ever
    mutex.lock();
    mutex.unlock();
    _exit(0);
  }
  mutex.unlock();
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
}
#endif
