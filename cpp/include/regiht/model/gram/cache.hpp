#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/model/gram/columns.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Inner products ⟨aⱼ, aₖ⟩ of columns: of all columns, given the Gram matrix; of learned columns
/// with all, if columns are learned whole; else of learned columns with each other.
///
/// Every known column has a slot; `products(j)` is addressed by slots.
class GramCache {
 public:
  /// `full` and `whole` may be null; with either, slots are column numbers.
  GramCache(const Design& design, std::shared_ptr<const Gram> full,
            std::shared_ptr<GramColumns> whole, int threads)
      : design_(design), full_(std::move(full)), whole_(std::move(whole)), threads_(threads) {
    const auto cols = static_cast<std::size_t>(design.cols());
    if (full_) return;
    if (whole_)
      columns_.assign(cols, nullptr);
    else
      slots_.assign(cols, none);
  }

  bool knows_all() const { return full_ != nullptr; }

  /// Whether a known column has its products with every column.
  bool are_whole() const { return full_ || whole_; }

  /// The learned columns, in order of slots.
  const std::vector<Index>& known() const { return known_; }

  bool knows(Index column) const {
    const std::size_t j = static_cast<std::size_t>(column);
    return full_ || (whole_ ? columns_[j] != nullptr : slots_[j] != none);
  }

  Index slot(Index column) const {
    return are_whole() ? column : slots_[static_cast<std::size_t>(column)];
  }

  const double* products(Index column) const {
    if (full_) return full_->products.data() + column * full_->products.rows();
    if (whole_) return columns_[static_cast<std::size_t>(column)]->products.data();
    return products_.data() + slot(column) * products_.rows();
  }

  /// The peaks of a whole column.
  const GramPeaks& peaks(Index column) const {
    const std::size_t j = static_cast<std::size_t>(column);
    return full_ ? full_->peaks[j] : columns_[j]->peaks;
  }

  /// Costs one dot product per known column or, if columns are learned whole, per column of the
  /// design.
  void add_column(Index column) {
    if (whole_)
      columns_[static_cast<std::size_t>(column)] = &whole_->column(design_, column, threads_);
    else
      learn_pairs(column);
  }

 private:
  static constexpr Index none = -1;

  void learn_pairs(Index column) {
    const Index place = static_cast<Index>(known_.size());
    slots_[static_cast<std::size_t>(column)] = place;
    known_.push_back(column);
    if (place == products_.rows()) {
      const Index room = std::max<Index>(32, 2 * place);
      products_.conservativeResize(room, room);
    }
    entries_.resize(design_.rows());
    design_.apply(SparseVector{{column}, {1.0}}, 0.0, entries_, threads_);
    row_.resize(place + 1);
    design_.apply_transpose(known_, entries_, row_, threads_);
    for (Index k = 0; k <= place; ++k) products_(k, place) = products_(place, k) = row_[k];
  }

  const Design& design_;
  std::shared_ptr<const Gram> full_;
  std::shared_ptr<GramColumns> whole_;
  int threads_;
  std::vector<const GramColumn*> columns_;  // learned whole, by column
  std::vector<Index> slots_;                // otherwise, by column
  std::vector<Index> known_;
  Matrix products_;
  Vector entries_, row_;
};

}}  // namespace regiht::REGIHT_ABI
