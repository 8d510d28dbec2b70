#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace regiht {

using Index = std::ptrdiff_t;
using Vector = Eigen::VectorXd;
using VectorView = Eigen::Ref<Eigen::VectorXd>;
using ConstVectorView = Eigen::Ref<const Eigen::VectorXd>;

/// Column numbers in ascending order.
using Support = std::vector<Index>;

/// A vector of which only some entries are listed, in ascending order of index; the rest are zero.
struct SparseVector {
  Support indices;
  std::vector<double> values;

  Index size() const { return static_cast<Index>(indices.size()); }

  void clear() {
    indices.clear();
    values.clear();
  }

  void append(Index index, double value) {
    indices.push_back(index);
    values.push_back(value);
  }

  double squared_norm() const {
    double total = 0.0;
    for (const double value : values) total += value * value;
    return total;
  }

  Vector dense(Index dimension) const {
    Vector full = Vector::Zero(dimension);
    for (std::size_t k = 0; k < indices.size(); ++k) full[indices[k]] = values[k];
    return full;
  }

  bool operator==(const SparseVector& other) const {
    return indices == other.indices && values == other.values;
  }
  bool operator!=(const SparseVector& other) const { return !(*this == other); }
};

}  // namespace regiht
