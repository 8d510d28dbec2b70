#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "regiht/design/column_norms.hpp"
#include "regiht/design/design.hpp"
#include "regiht/kernels/fork.hpp"
#include "regiht/model/gram/columns.hpp"
#include "regiht/model/gram/matrix.hpp"

namespace regiht {

/// What is computed of a design when it is first wanted, and kept for every later solve.
class DesignCache {
 public:
  std::shared_ptr<const ColumnNorms> norms(const Design& design) {
    return norms_.get([&] { return std::make_shared<const ColumnNorms>(design); });
  }

  /// Design::quantized.
  std::shared_ptr<const QuantizedMatrix> quantized(const Design& design, int threads) {
    return quantized_.get([&] { return design.quantized(threads); });
  }

  /// AᵀA.
  std::shared_ptr<const Gram> gram(const Design& design, int threads) {
    return gram_.get([&] { return std::make_shared<const Gram>(design, threads); });
  }

  /// Columns of it.
  std::shared_ptr<GramColumns> gram_columns(const Design& design) {
    return gram_columns_.get([&] { return std::make_shared<GramColumns>(design.cols()); });
  }

 private:
  /// Made by one thread while others wait, and there for good from one moment to the next: a child
  /// made by fork() meanwhile has it whole or not at all.
  template <class T>
  class Kept {
   public:
    Kept() = default;
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() { delete kept_.load(); }

    template <class Make>
    std::shared_ptr<T> get(Make&& make) {
      if (const auto* kept = kept_.load()) return *kept;
      const std::lock_guard<ForkSafeMutex> lock(mutex_);
      if (!kept_.load()) kept_.store(new const std::shared_ptr<T>(make()));
      return *kept_.load();
    }

   private:
    ForkSafeMutex mutex_;
    std::atomic<const std::shared_ptr<T>*> kept_{nullptr};
  };

  Kept<const ColumnNorms> norms_;
  Kept<const QuantizedMatrix> quantized_;
  Kept<const Gram> gram_;
  Kept<GramColumns> gram_columns_;
};

}  // namespace regiht
