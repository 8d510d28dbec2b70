#pragma once

#include <vector>

#include "regiht/kernels/vector.hpp"
#include "regiht/model/gram/cache.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Products with the block of the Gram matrix for the entries that a vector lists. The block is
/// copied contiguously and reused while it stays the same.
class GramProducts {
 public:
  /// out = Gv on the indices that v lists, which must be known.
  void multiply(const GramCache& inner, const SparseVector& v, std::vector<double>& out) {
    if (v.indices != indices_) copy(inner, v.indices);
    constexpr std::size_t few = 8;  // where a kernel call costs more than the products
    const std::size_t count = v.values.size();
    out.assign(count, 0.0);
    const double* products = products_.data();
    if (count >= few)
      kernels::add_scaled_rows(v.size(), v.size(), v.values.data(), products, v.size(), out.data());
    else
      for (std::size_t k = 0; k < count; ++k, products += count)
        for (std::size_t l = 0; l < count; ++l) out[l] += v.values[k] * products[l];
  }

  /// Gⱼⱼ for the k-th index of the last v.
  double square(std::size_t k) const { return products_[k * (indices_.size() + 1)]; }

 private:
  void copy(const GramCache& inner, const Support& indices) {
    indices_ = indices;
    slots_.clear();
    for (const Index j : indices) slots_.push_back(inner.slot(j));
    products_.clear();
    for (const Index j : indices) {
      const double* products = inner.products(j);
      for (const Index slot : slots_) products_.push_back(products[slot]);
    }
  }

  Support indices_;
  std::vector<Index> slots_;
  std::vector<double> products_;
};

}}  // namespace regiht::REGIHT_ABI
