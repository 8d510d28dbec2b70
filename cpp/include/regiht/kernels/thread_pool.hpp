#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "regiht/kernels/fork.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Call when a thread begins: allocates now what the runtime needs for its first exception. If that
/// had to be done for a std::bad_alloc, out of memory, the process would abort.
inline void prepare_to_throw() {
  try {
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
  }
}

/// A pool of threads that shares the tasks of one caller at a time.
///
/// A caller that finds the pool busy runs its tasks itself, so concurrent solves never
/// oversubscribe the machine. A forked child starts with its own pool.
class ThreadPool {
 public:
  using Task = void (*)(void* context, Index task);

  static ThreadPool& instance() {
    register_fork_handler();
    return *current();
  }

  /// Runs task(context, i) for all i in [0, count) on the caller and up to threads − 1 helpers. If
  /// a task throws, tasks not yet begun are skipped and the first exception is rethrown.
  void run(int threads, Index count, Task task, void* context) {
    if (threads < 2 || count < 2 || owned_.test_and_set(std::memory_order_acquire)) {
      for (Index i = 0; i < count; ++i) task(context, i);
      return;
    }
    const int helpers = static_cast<int>(std::min<Index>(threads, count)) - 1;
    grow(helpers);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      task_ = task;
      context_ = context;
      count_ = count;
      next_.store(0, std::memory_order_relaxed);
      wanted_ = helpers;
      ++generation_;
      published_.store(generation_, std::memory_order_release);
    }
    wake_.notify_all();
    work();
    std::unique_lock<std::mutex> lock(mutex_);
    wanted_ = 0;  // helpers that have not begun need not begin
    done_.wait(lock, [this] { return working_ == 0; });
    const std::exception_ptr failure = std::exchange(failure_, nullptr);
    owned_.clear(std::memory_order_release);
    if (failure) std::rethrow_exception(failure);
  }

 private:
  static ThreadPool*& current() {
    // Never destroyed: its threads may outlive the static objects of the process.
    static ThreadPool* pool = new ThreadPool;
    return pool;
  }

  static void register_fork_handler() {
#ifdef REGIHT_HAS_FORK
    static const int registered =
        pthread_atfork(nullptr, nullptr, [] { current() = new ThreadPool; });
    (void)registered;
#endif
  }

  void grow(int helpers) {
    try {
      for (; helpers_ < helpers; ++helpers_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
      // No more threads to be had: the existing ones share the work.
    } catch (const std::bad_alloc&) {
      // The same, for lack of memory.
    }
  }

  void work() {
    try {
      for (;;) {
        const Index i = next_.fetch_add(1, std::memory_order_relaxed);
        if (i >= count_) return;
        task_(context_, i);
      }
    } catch (...) {
      next_.store(count_, std::memory_order_relaxed);
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  void serve() {
    prepare_to_throw();
    unsigned long seen = 0;
    for (;;) {
      // Spin briefly before sleeping: the next parallel region usually follows at once.
      for (int spin = 0; spin < 2000; ++spin) {
        if (published_.load(std::memory_order_acquire) != seen) break;
        pause();
      }
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return generation_ != seen; });
      seen = generation_;
      if (wanted_ == 0) continue;
      --wanted_;
      ++working_;
      lock.unlock();
      work();
      lock.lock();
      if (--working_ == 0) done_.notify_one();
    }
  }

  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  std::atomic_flag owned_ = ATOMIC_FLAG_INIT;  // by the current caller; guards helpers_
  int helpers_ = 0;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, done_;
  unsigned long generation_ = 0;
  std::atomic<unsigned long> published_{0};
  int wanted_ = 0;
  int working_ = 0;
  Task task_ = nullptr;
  void* context_ = nullptr;
  Index count_ = 0;
  std::atomic<Index> next_{0};
  std::exception_ptr failure_;  // the first of the current tasks
};

/// Runs task(i) for i in [0, count) on up to `threads` threads. The first exception is rethrown
/// once all running tasks have ended.
template <class Callable>
void parallel_for(int threads, Index count, Callable&& task) {
  if (threads < 2 || count < 2) {
    for (Index i = 0; i < count; ++i) task(i);
    return;
  }
  using Type = std::remove_reference_t<Callable>;
  ThreadPool::instance().run(
      threads, count, [](void* context, Index i) { (*static_cast<Type*>(context))(i); },
      const_cast<void*>(static_cast<const void*>(&task)));
}

/// One thread for work too small to be worth sharing.
inline int worth_threads(int threads, Index multiply_adds) {
  constexpr Index least = 100'000;
  return multiply_adds < least ? 1 : threads;
}

}}  // namespace regiht::REGIHT_ABI
