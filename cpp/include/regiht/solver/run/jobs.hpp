#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "regiht/kernels/thread_pool.hpp"
#include "regiht/observer.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Stops a run when another thread raises a flag or the deadline passes.
class StopFlag final : public Observer {
 public:
  using Clock = std::chrono::steady_clock;

  StopFlag(const std::atomic<bool>& raised, Clock::time_point deadline)
      : raised_(raised), deadline_(deadline) {}

  std::optional<Status> observe(const Iteration&) override { return interruption(); }

  std::optional<Status> interruption() override {
    if (raised_.load(std::memory_order_relaxed)) return Status::stopped;
    if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_)
      return Status::time_limit;
    return std::nullopt;
  }

 private:
  const std::atomic<bool>& raised_;
  Clock::time_point deadline_;
};

/// Shares the time until a deadline evenly among the remaining jobs on several threads, so that
/// time one job leaves unused goes to the others.
class FairDeadlines {
 public:
  using Clock = StopFlag::Clock;

  FairDeadlines(Clock::time_point end, Index jobs, int threads)
      : end_(end), left_(jobs), threads_(threads) {}

  /// The deadline of a job that begins now.
  Clock::time_point next() {
    const Index left = left_--;
    const auto now = Clock::now();
    if (end_ == Clock::time_point::max() || now >= end_) return end_;
    const Index rounds = (left + threads_ - 1) / threads_;
    return now + (end_ - now) / std::max<Index>(1, rounds);
  }

 private:
  Clock::time_point end_;
  std::atomic<Index> left_;
  int threads_;
};

/// Runs job(i) for all i in [0, count) on `threads` new threads while the caller waits and calls
/// watch(jobs done) every 50 ms. If that or a job throws, `stop` is raised, no further job begins,
/// and the first exception is rethrown.
template <class Job, class Watch>
void run_jobs(Index count, int threads, std::atomic<bool>& stop, Job&& job, Watch&& watch) {
  std::atomic<Index> next{0};
  std::mutex mutex;
  std::condition_variable changed;
  Index done = 0;
  int working = 0;
  std::exception_ptr failure;

  const auto work = [&] {
    prepare_to_throw();
    for (Index i = next++; i < count && !stop; i = next++) {
      std::exception_ptr problem;
      try {
        job(i);
      } catch (...) {
        problem = std::current_exception();
        stop = true;
      }
      const std::lock_guard<std::mutex> lock(mutex);
      ++done;
      if (problem && !failure) failure = problem;
    }
    const std::lock_guard<std::mutex> lock(mutex);
    --working;
    changed.notify_one();
  };

  std::vector<std::thread> team;
  {
    std::unique_lock<std::mutex> lock(mutex);
    const auto hire = [&] {
      for (Index t = 0; t < std::min<Index>(threads, count); ++t) {
        team.emplace_back(work);
        ++working;
      }
    };
    try {
      hire();
    } catch (const std::system_error&) {
      // No more threads to be had: the existing ones do the jobs, or the caller if there are none.
    } catch (const std::bad_alloc&) {
      // The same, for lack of memory.
    }
    if (team.empty() && count > 0) {
      ++working;
      lock.unlock();
      work();
      lock.lock();
    }
    while (working > 0) {
      changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return working == 0; });
      const Index so_far = done;
      lock.unlock();
      try {
        if (!stop) watch(so_far);
      } catch (...) {
        stop = true;
        const std::lock_guard<std::mutex> again(mutex);
        if (!failure) failure = std::current_exception();
      }
      lock.lock();
    }
  }
  for (std::thread& thread : team) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}}  // namespace regiht::REGIHT_ABI
