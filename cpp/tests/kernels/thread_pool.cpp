#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

#include "regiht/kernels/thread_pool.hpp"

using namespace regiht;

namespace {

/// Runs so many tasks and tells whether each was done exactly once.
bool each_once(int threads, Index count) {
  std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
  parallel_for(threads, count, [&](Index i) { ++done[static_cast<std::size_t>(i)]; });
  return std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; });
}

}  // namespace

TEST_CASE("every task is run once") {
  for (const int threads : {1, 2, 3, 4, 7})
    for (const Index count : {0, 1, 2, 3, 5, 64, 1000}) CHECK(each_once(threads, count));
}

TEST_CASE("what tasks write is seen by the caller") {
  std::vector<double> squares(5000);
  for (int round = 0; round < 50; ++round) {
    parallel_for(3, 5000, [&](Index i) {
      squares[static_cast<std::size_t>(i)] = static_cast<double>(i) * round;
    });
    const double total = std::accumulate(squares.begin(), squares.end(), 0.0);
    REQUIRE(total == 5000.0 * 4999.0 / 2.0 * round);
  }
}

TEST_CASE("a caller waits for the tasks of its helpers") {
  for (int round = 0; round < 10; ++round) {
    std::atomic<int> done{0};
    parallel_for(2, 2, [&](Index i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(i == 0 ? 5 : 30));
      ++done;
    });
    CHECK(done == 2);
  }
}

TEST_CASE("helpers are there again for the next region") {
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> arrived{0};
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::atomic<int> met{0};
    parallel_for(2, 2, [&](Index) {
      ++arrived;
      while (arrived < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
      met += arrived == 2;
    });
    CHECK(met == 2);  // both tasks were under way at the same time
  }
}

TEST_CASE("many small regions, one after the other") {
  std::atomic<Index> total{0};
  for (int round = 0; round < 3000; ++round)
    parallel_for(2 + round % 3, 4, [&](Index i) { total += i; });
  CHECK(total == 3000 * 6);
}

TEST_CASE("regions with pauses between them, so that helpers fall asleep") {
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK(each_once(3, 100));
  }
}

TEST_CASE("several callers at once") {
  std::atomic<int> failures{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&failures, caller] {
      for (int round = 0; round < 200; ++round)
        if (!each_once(1 + (caller + round) % 4, 37)) ++failures;
    });
  for (std::thread& caller : callers) caller.join();
  CHECK(failures == 0);
}

TEST_CASE("tasks that start tasks of their own") {
  std::vector<std::atomic<int>> done(20 * 30);
  parallel_for(3, 20, [&](Index i) {
    parallel_for(3, 30, [&](Index k) { ++done[static_cast<std::size_t>(30 * i + k)]; });
  });
  CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
  CHECK(each_once(3, 50));
}

TEST_CASE("what a task throws reaches the caller, and the pool works on") {
  for (const int threads : {1, 2, 4})
    for (int round = 0; round < 50; ++round) {
      const Index failing = round % 16;
      const auto fail_at_one = [&](Index i) {
        if (i == failing) throw std::bad_alloc();
      };
      CHECK_THROWS_AS(parallel_for(threads, 16, fail_at_one), std::bad_alloc);
      CHECK_THROWS_AS(parallel_for(threads, 16, [](Index) { throw std::bad_alloc(); }),
                      std::bad_alloc);
      CHECK(each_once(threads, 37));
    }
}

TEST_CASE("small work is not handed out") {
  CHECK(worth_threads(8, 10) == 1);
  CHECK(worth_threads(8, 10'000'000) == 8);
  CHECK(worth_threads(1, 10'000'000) == 1);
}
