#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "regiht/design/design.hpp"
#include "regiht/gram.hpp"

namespace regiht {

/// Inner products ⟨aⱼ, aₖ⟩ of columns: of all of them, or of those that were ever asked for.
///
/// Every known column has a slot; `products(j)` is addressed by slots.
class InnerProducts {
 public:
  /// With the whole Gram matrix given, slots are column numbers.
  InnerProducts(const Design& design, std::shared_ptr<const Matrix> full, int threads)
      : design_(design), full_(std::move(full)), threads_(threads) {
    if (!full_) slots_.assign(static_cast<std::size_t>(design.cols()), none);
  }

  bool knows_all() const { return full_ != nullptr; }

  /// The columns that have a slot, in order of slots; empty if all have.
  const std::vector<Index>& known() const { return known_; }

  bool knows(Index column) const {
    return full_ || slots_[static_cast<std::size_t>(column)] != none;
  }

  Index slot(Index column) const {
    return full_ ? column : slots_[static_cast<std::size_t>(column)];
  }

  const double* products(Index column) const {
    return full_ ? full_->data() + column * full_->rows()
                 : products_.data() + slot(column) * products_.rows();
  }

  /// Gives the column a slot, at the price of one dot product for each column known.
  void learn(Index column) {
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

 private:
  static constexpr Index none = -1;

  const Design& design_;
  std::shared_ptr<const Matrix> full_;
  int threads_;
  std::vector<Index> slots_;  // by column
  std::vector<Index> known_;
  Matrix products_;
  Vector entries_, row_;
};

}  // namespace regiht
