#pragma once

#include <vector>

#include "regiht/inner_products.hpp"
#include "regiht/kernels.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// Products with the part of the Gram matrix that belongs to the entries a vector lists. The part
/// is copied together, for as long as it is the same.
class ListedProducts {
 public:
  /// out = Gv on the indices that v lists, which must be known.
  void multiply(const InnerProducts& inner, const SparseVector& v, std::vector<double>& out) {
    if (v.indices != indices_) copy(inner, v.indices);
    const Index count = v.size();
    out.assign(v.values.size(), 0.0);
    kernels::add_scaled_rows(count, count, v.values.data(), products_.data(), count, out.data());
  }

 private:
  void copy(const InnerProducts& inner, const Support& indices) {
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

}  // namespace regiht
