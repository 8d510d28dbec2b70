#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI {

using Index = std::ptrdiff_t;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorView = Eigen::Ref<Eigen::VectorXd>;
using ConstVectorView = Eigen::Ref<const Eigen::VectorXd>;

/// Column indices in ascending order.
using Support = std::vector<Index>;

/// A sparse vector: the listed entries, in ascending order of index; all others are zero.
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

  /// The position of an index, which must be listed.
  std::size_t position(Index index) const {
    return static_cast<std::size_t>(std::lower_bound(indices.begin(), indices.end(), index) -
                                    indices.begin());
  }

  bool lists(Index index) const {
    return std::binary_search(indices.begin(), indices.end(), index);
  }

  /// The entry at an index; zero if it is not listed.
  double at(Index index) const { return lists(index) ? values[position(index)] : 0.0; }

  /// The negated comparison also appends a NaN, so that the reader sees it.
  void append_if_large(Index index, double value, double magnitude) {
    if (!(std::abs(value) < magnitude)) append(index, value);
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

inline void negate(SparseVector& x) {
  for (double& value : x.values) value = -value;
}

/// Whether all listed values are finite.
inline bool is_finite(const SparseVector& x) {
  return std::all_of(x.values.begin(), x.values.end(),
                     [](double value) { return std::isfinite(value); });
}

/// Whether a and b are equal as vectors, whichever zeros they list.
inline bool same_but_for_zeros(const SparseVector& a, const SparseVector& b) {
  std::size_t k = 0, l = 0;
  for (;; ++k, ++l) {
    while (k < a.values.size() && a.values[k] == 0.0) ++k;
    while (l < b.values.size() && b.values[l] == 0.0) ++l;
    if (k == a.values.size() || l == b.values.size())
      return k == a.values.size() && l == b.values.size();
    if (a.indices[k] != b.indices[l] || a.values[k] != b.values[l]) return false;
  }
}

/// out = a − b, over the indices that either of them lists.
inline void difference(const SparseVector& a, const SparseVector& b, SparseVector& out) {
  out.clear();
  std::size_t k = 0;
  for (std::size_t l = 0; l < b.indices.size(); ++l) {
    for (; k < a.indices.size() && a.indices[k] < b.indices[l]; ++k)
      out.append(a.indices[k], a.values[k]);
    const bool both = k < a.indices.size() && a.indices[k] == b.indices[l];
    out.append(b.indices[l], (both ? a.values[k] : 0.0) - b.values[l]);
    if (both) ++k;
  }
  for (; k < a.indices.size(); ++k) out.append(a.indices[k], a.values[k]);
}

/// x over exactly these indices: other entries are dropped, missing ones are zero.
inline SparseVector restricted(const SparseVector& x, const Support& indices) {
  SparseVector out;
  for (const Index j : indices) out.append(j, x.at(j));
  return out;
}

inline Support united(const Support& a, const Support& b) {
  Support out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

/// Appends the entries of a full vector of at least this magnitude whose index is not in `inside`.
inline void append_outside(const Support& inside, ConstVectorView full, double magnitude,
                           SparseVector& entries) {
  Index j = 0;
  for (const Index next : inside) {
    for (; j < next; ++j) entries.append_if_large(j, full[j], magnitude);
    ++j;
  }
  for (; j < full.size(); ++j) entries.append_if_large(j, full[j], magnitude);
}

}}  // namespace regiht::REGIHT_ABI
