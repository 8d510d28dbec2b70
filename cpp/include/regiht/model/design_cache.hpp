#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "regiht/design/column_norms.hpp"
#include "regiht/design/design.hpp"
#include "regiht/kernels/fork.hpp"
#include "regiht/model/gram/columns.hpp"
#include "regiht/model/gram/matrix.hpp"
#include "regiht/model/packed/row_patterns.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Quantities derived from a design, computed on first use and kept for later solves. Thread-safe.
class DesignCache {
 public:
  std::shared_ptr<const ColumnNorms> norms(const Design& design) {
    return norms_.get([&] { return std::make_shared<const ColumnNorms>(design); });
  }

  /// Design::quantized.
  std::shared_ptr<const QuantizedMatrix> quantized(const Design& design, int threads) {
    return quantized_.get([&] { return design.quantized(threads); });
  }

  /// The codes of these columns; none if one of them has too many distinct values.
  CodesOfColumns codes(const Design& design, const Support& columns) {
    const std::lock_guard<ForkSafeMutex> lock(codes_mutex_);
    CodesByColumn& known = *codes_of_this_process();
    if (known.size() * static_cast<std::size_t>(design.rows()) > most_code_bytes) known.clear();
    CodesOfColumns all;
    for (const Index j : columns) {
      auto codes = known.find(j);
      if (codes == known.end()) {
        Vector column(design.rows());
        design.apply({{j}, {1.0}}, 0.0, column, 1);
        codes = known.emplace(j, ColumnCodes::of(column)).first;
      }
      if (!codes->second) return {};
      all.push_back(codes->second);
    }
    return all;
  }

  /// AᵀA.
  std::shared_ptr<const Gram> gram(const Design& design, int threads) {
    return gram_.get([&] { return std::make_shared<const Gram>(design, threads); });
  }

  /// Single columns of AᵀA.
  std::shared_ptr<GramColumns> gram_columns(const Design& design) {
    return gram_columns_.get([&] { return std::make_shared<GramColumns>(design.cols()); });
  }

 private:
  static constexpr std::size_t most_code_bytes = std::size_t{1} << 26;

  using CodesByColumn = std::map<Index, std::shared_ptr<const ColumnCodes>>;

  /// A value made by one thread while others wait, then kept for good. It is published atomically:
  /// a child forked meanwhile has it whole or not at all.
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

  /// In a forked child, those of the parent may be half written by another thread.
  CodesByColumn* codes_of_this_process() {
    if (codes_made_in_ != fork_generation()) {
      [[maybe_unused]] const CodesByColumn* left_as_it_is = codes_.release();
      codes_ = std::make_unique<CodesByColumn>();
      codes_made_in_ = fork_generation();
    }
    return codes_.get();
  }

  ForkSafeMutex codes_mutex_;
  unsigned long codes_made_in_ = fork_generation();
  std::unique_ptr<CodesByColumn> codes_ = std::make_unique<CodesByColumn>();  // null: many values
  Kept<const ColumnNorms> norms_;
  Kept<const QuantizedMatrix> quantized_;
  Kept<const Gram> gram_;
  Kept<GramColumns> gram_columns_;
};

}}  // namespace regiht::REGIHT_ABI
