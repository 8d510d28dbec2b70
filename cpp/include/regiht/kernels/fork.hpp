#pragma once

#include <atomic>
#include <mutex>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define REGIHT_HAS_FORK 1
#endif

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// How many times fork() was called on the way to this process since it was first asked.
inline unsigned long fork_generation() {
  static std::atomic<unsigned long> generation{0};
#ifdef REGIHT_HAS_FORK
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++generation; });
  (void)registered;
#endif
  return generation.load(std::memory_order_relaxed);
}

/// A mutex that a child made by fork() finds unlocked, whichever thread of the parent held it: that
/// thread is not in the child, and what it was about must be such that another may begin it anew.
class ForkSafeMutex {
 public:
  ForkSafeMutex() : current_(new Generation) {}
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;
  ~ForkSafeMutex() { delete current_.load(); }

  void lock() { own().mutex.lock(); }
  void unlock() { current_.load()->mutex.unlock(); }

 private:
  struct Generation {
    std::mutex mutex;
    unsigned long number = fork_generation();
  };

  /// The parent's is left as it is: a mutex that may be locked must not be destroyed.
  Generation& own() {
    Generation* kept = current_.load();
    if (kept->number != fork_generation()) {
      Generation* made = new Generation;
      if (current_.compare_exchange_strong(kept, made))
        kept = made;
      else
        delete made;
    }
    return *kept;
  }

  std::atomic<Generation*> current_;
};

}}  // namespace regiht::REGIHT_ABI
