#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "regiht/solver/run/jobs.hpp"

using namespace regiht;

namespace {

const auto look_away = [](Index) {};

}  // namespace

TEST_CASE("every job is done once, on any number of threads") {
  for (const int threads : {1, 2, 5}) {
    for (const Index count : {0, 1, 3, 200}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
      std::atomic<bool> stop{false};
      run_jobs(
          count, threads, stop, [&](Index i) { ++done[static_cast<std::size_t>(i)]; }, look_away);
      CHECK(std::all_of(done.begin(), done.end(), [](const auto& times) { return times == 1; }));
      CHECK_FALSE(stop);
    }
  }
}

TEST_CASE("what a job throws stops the others and reaches the caller") {
  std::atomic<bool> stop{false};
  std::atomic<int> done{0};
  const auto fail_at_five = [&](Index i) {
    if (i == 5) throw std::runtime_error("five");
    ++done;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  CHECK_THROWS_WITH_AS(run_jobs(10'000, 3, stop, fail_at_five, look_away), "five",
                       std::runtime_error);
  CHECK(stop);
  CHECK(done < 9'000);
}

TEST_CASE("a watcher that throws stops the jobs") {
  std::atomic<bool> stop{false};
  const auto wait_for_stop = [&](Index) {
    while (!stop) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const auto interrupt = [](Index) { throw std::runtime_error("interrupted"); };
  CHECK_THROWS_WITH_AS(run_jobs(4, 2, stop, wait_for_stop, interrupt), "interrupted",
                       std::runtime_error);
}

TEST_CASE("a flag or a deadline stops a run") {
  std::atomic<bool> raised{false};
  const SparseVector x;
  const Vector weights;
  const Stopwatch watch;
  const Iteration iteration{1, 0.0, 0.0, x, weights, 0, watch};
  StopFlag open(raised, StopFlag::Clock::time_point::max());
  CHECK(open.observe(iteration) == std::nullopt);
  StopFlag late(raised, StopFlag::Clock::now() - std::chrono::seconds(1));
  CHECK(late.observe(iteration) == Status::time_limit);
  raised = true;
  CHECK(open.observe(iteration) == Status::stopped);
}

TEST_CASE("jobs share the time, and what one leaves is there for the others") {
  using Clock = FairDeadlines::Clock;
  const auto hour = std::chrono::hours(1);
  const auto end = Clock::now() + hour;
  FairDeadlines four(end, 4, 1);
  const auto first = four.next();
  CHECK(first < end - hour / 2);
  CHECK(first > Clock::now() + hour / 5);
  CHECK(four.next() > first);  // the first took next to nothing
  four.next();
  CHECK(four.next() > end - std::chrono::minutes(1));
  FairDeadlines side_by_side(end, 2, 2);
  CHECK(side_by_side.next() > end - std::chrono::minutes(1));
  CHECK(FairDeadlines(Clock::time_point::max(), 3, 1).next() == Clock::time_point::max());
}
