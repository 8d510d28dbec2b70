#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/model/gram/matrix.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// ⟨aⱼ, aₖ⟩ for one j and every k.
struct GramColumn {
  Vector products;
  GramPeaks peaks;

  GramColumn(const Design& design, Index column, int threads)
      : products(products_of(design, column, threads)), peaks(products, column) {}

 private:
  static Vector products_of(const Design& design, Index column, int threads) {
    Vector entries(design.rows()), products(design.cols());
    design.apply(SparseVector{{column}, {1.0}}, 0.0, entries, threads);
    design.apply_transpose(entries, products, threads);
    return products;
  }
};

/// Columns of AᵀA, each computed on first use and then kept. Thread-safe: of two threads that
/// compute the same column, the second discards its copy, which is bitwise equal.
class GramColumns {
 public:
  explicit GramColumns(Index cols) : columns_(static_cast<std::size_t>(cols)) {}
  GramColumns(const GramColumns&) = delete;
  GramColumns& operator=(const GramColumns&) = delete;
  ~GramColumns() {
    for (auto& column : columns_) delete column.load();
  }

  const GramColumn& column(const Design& design, Index j, int threads) {
    auto& place = columns_[static_cast<std::size_t>(j)];
    const GramColumn* kept = place.load();
    if (!kept) {
      auto made = std::make_unique<const GramColumn>(design, j, threads);
      if (place.compare_exchange_strong(kept, made.get())) kept = made.release();
    }
    return *kept;
  }

 private:
  std::vector<std::atomic<const GramColumn*>> columns_;
};

}}  // namespace regiht::REGIHT_ABI
