#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "regiht/design/compressed.hpp"
#include "regiht/kernels/panel_products.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Weighted inner products of sparse columns, and their weighted sums.
///
/// Goes through the rows in chunks. There, eight columns of the left side are written out, so that
/// an entry of the right side finds what it multiplies in one cache line.
template <class Value, class StorageIndex>
class SparseProducts {
 public:
  /// Null weights are ones.
  SparseProducts(const Compressed<Value, StorageIndex>& matrix, Index rows, const double* weights)
      : matrix_(matrix), rows_(rows), weights_(weights) {}

  /// out(k, l) = Σᵢ weightᵢ aᵢⱼ aᵢₘ with j = left[k] and m = right[l]. If both sides are the same,
  /// one half mirrors the other.
  void multiply(const Support& left, const Support& right, Matrix& out) {
    symmetric_ = left == right;
    left_ = parts_of(left);
    if (!symmetric_) right_ = parts_of(right);
    height_ = (static_cast<Index>(left.size()) + width - 1) / width * width;
    products_.setZero(height_, static_cast<Index>(right.size()));
    left_sums_.setZero(static_cast<Index>(left.size()));
    right_sums_.setZero(static_cast<Index>(right.size()));
    for (Index first = 0; first < rows_; first += chunk_rows) {
      advance(first + chunk_rows, left_);
      if (!symmetric_) advance(first + chunk_rows, right_);
      for (Index top = 0; top < height_; top += width) multiply_panel(first, top);
      if (!symmetric_) add_right_sums();
    }
    if (symmetric_) right_sums_ = left_sums_;
    out = products_.topRows(static_cast<Index>(left.size()));
    if (symmetric_) out.template triangularView<Eigen::StrictlyLower>() = out.transpose();
  }

  /// Σᵢ weightᵢ aᵢⱼ for the columns on either side of the last product.
  const Vector& left_sums() const { return left_sums_; }
  const Vector& right_sums() const { return right_sums_; }

 private:
  static constexpr Index width = kernels::panel_width, chunk_rows = 512;

  /// The entries of a column in one chunk.
  struct Part {
    Index first, end;
    Index last;  // the end of the column
  };

  std::vector<Part> parts_of(const Support& columns) const {
    std::vector<Part> parts;
    for (const Index j : columns)
      parts.push_back({matrix_.begin(j), matrix_.begin(j), matrix_.end(j)});
    return parts;
  }

  /// Goes on to the entries above the last chunk and before this row.
  void advance(Index row, std::vector<Part>& parts) const {
    for (Part& part : parts) {
      part.first = part.end;
      while (part.end < part.last && static_cast<Index>(matrix_.indices[part.end]) < row)
        ++part.end;
    }
  }

  double weight(Index row) const { return weights_ ? weights_[row] : 1.0; }

  /// Adds the products of eight columns on the left in the chunk that begins at this row.
  void multiply_panel(Index first, Index top) {
    const Index count = std::min<Index>(width, static_cast<Index>(left_.size()) - top);
    bool is_empty = true;
    for (Index k = 0; k < count; ++k) {
      const Part& part = left_[static_cast<std::size_t>(top + k)];
      double sum = 0.0;
      for (Index e = part.first; e < part.end; ++e) {
        const Index row = static_cast<Index>(matrix_.indices[e]);
        const double entry = weight(row) * static_cast<double>(matrix_.values[e]);
        panel_[static_cast<std::size_t>((row - first) * width + k)] = entry;
        sum += entry;
      }
      left_sums_[top + k] += sum;
      is_empty = is_empty && part.first == part.end;
    }
    if (is_empty) return;
    const std::vector<Part>& right = symmetric_ ? left_ : right_;
    for (std::size_t l = symmetric_ ? static_cast<std::size_t>(top) : 0; l < right.size(); ++l)
      kernels::add_panel_products(right[l].end - right[l].first, matrix_.values + right[l].first,
                                  matrix_.indices + right[l].first, first, panel_.data(),
                                  products_.data() + static_cast<Index>(l) * height_ + top);
    for (Index k = 0; k < count; ++k) {
      const Part& part = left_[static_cast<std::size_t>(top + k)];
      for (Index e = part.first; e < part.end; ++e)
        panel_[static_cast<std::size_t>((static_cast<Index>(matrix_.indices[e]) - first) * width +
                                        k)] = 0.0;
    }
  }

  void add_right_sums() {
    for (std::size_t l = 0; l < right_.size(); ++l) {
      double sum = 0.0;
      for (Index e = right_[l].first; e < right_[l].end; ++e)
        sum +=
            weight(static_cast<Index>(matrix_.indices[e])) * static_cast<double>(matrix_.values[e]);
      right_sums_[static_cast<Index>(l)] += sum;
    }
  }

  const Compressed<Value, StorageIndex>& matrix_;
  Index rows_, height_ = 0;
  const double* weights_;
  bool symmetric_ = false;
  std::vector<Part> left_, right_;
  alignas(64) std::array<double, chunk_rows * width> panel_{};  // zero but for the columns at work
  Matrix products_;
  Vector left_sums_, right_sums_;
};

}}  // namespace regiht::REGIHT_ABI
