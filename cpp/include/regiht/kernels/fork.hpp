#pragma once

#include <atomic>
#include <mutex>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define REGIHT_HAS_FORK 1
#endif

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The number of forks between the process that first called this and the current one.
inline unsigned long fork_generation() {
  static std::atomic<unsigned long> generation{0};
#ifdef REGIHT_HAS_FORK
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++generation; });
  (void)registered;
#endif
  return generation.load(std::memory_order_relaxed);
}

/// A mutex that is unlocked in a forked child even if a thread of the parent held it: that thread
/// does not exist in the child, so the guarded work must be safe to start again.
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

  /// The parent's mutex is leaked: a mutex that may be locked must not be destroyed.
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
