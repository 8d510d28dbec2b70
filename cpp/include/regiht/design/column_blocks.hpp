#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "regiht/kernels/column_products.hpp"
#include "regiht/kernels/thread_pool.hpp"
#include "regiht/kernels/vector.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace detail {

// Products of columns of a design, copied in blocks of rows that stay in the cache.

/// Some rows of some columns, stored by column.
class ColumnBlock {
 public:
  ColumnBlock(Support columns, Index rows)
      : columns_(std::move(columns)),
        height_(std::min(most_rows, rows)),
        entries_(columns_.size() * static_cast<std::size_t>(height_)) {}

  /// Calls `visit(first, length)` for all rows, one block at a time.
  template <class Visit>
  static void for_rows(Index rows, Visit&& visit) {
    for (Index first = 0; first < rows; first += most_rows)
      visit(first, std::min(most_rows, rows - first));
  }

  template <class Design>
  void read(const Design& design, Index first, Index length) {
    design.copy_columns(columns_, first, length, entries_.data(), height_);
  }

  /// Copies the last columns of another block, times weights; null weights are ones.
  void take_last(const ColumnBlock& from, const double* weights, Index length) {
    const Index before = from.columns() - columns();
    for (Index k = 0; k < columns(); ++k)
      if (weights)
        kernels::multiply(length, weights, from.column(before + k), column(k));
      else
        std::copy_n(from.column(before + k), length, column(k));
  }

  void multiply(const double* weights, Index length) { take_last(*this, weights, length); }

  Index columns() const { return static_cast<Index>(columns_.size()); }
  double* column(Index k) { return entries_.data() + k * height_; }
  const double* column(Index k) const { return entries_.data() + k * height_; }
  kernels::Columns view() const { return {entries_.data(), columns(), height_}; }

 private:
  static constexpr Index most_rows = 512;

  Support columns_;
  Index height_;
  std::vector<double> entries_;
};

/// Calls `visit(first, own)` with columns [first, first + own.size()) of those listed, few enough
/// that a block of them stays in the cache; concurrently if there are threads.
template <class Visit>
void for_column_blocks(const Support& listed, int threads, Visit&& visit) {
  constexpr Index width = 64;
  const Index count = static_cast<Index>(listed.size());
  parallel_for(threads, (count + width - 1) / width, [&](Index block) {
    const Index first = block * width;
    const auto begin = listed.begin() + first;
    visit(first, Support(begin, begin + std::min(width, count - first)));
  });
}

/// out(k, l) = Σᵢ weightᵢ aᵢⱼ aᵢₘ with j = left[k] and m = right[l]; null weights are ones.
template <class Design>
void weighted_products(const Design& design, const Support& left, const Support& right,
                       const double* weights, Matrix& out, int threads) {
  const Index rows = design.rows();
  out.setZero(static_cast<Index>(left.size()), static_cast<Index>(right.size()));
  for_column_blocks(right, worth_threads(threads, rows * out.size()),
                    [&](Index first_column, Support own) {
                      ColumnBlock a(left, rows), b(std::move(own), rows);
                      ColumnBlock::for_rows(rows, [&](Index first, Index length) {
                        a.read(design, first, length);
                        b.read(design, first, length);
                        if (weights) b.multiply(weights + first, length);
                        kernels::add_column_products(length, a.view(), b.view(),
                                                     out.col(first_column).data(), out.rows());
                      });
                    });
}

/// The same for columns with each other: bitwise symmetric, in half the time.
template <class Design>
void weighted_products(const Design& design, const Support& columns, const double* weights,
                       Matrix& out, int threads) {
  const Index rows = design.rows(), count = static_cast<Index>(columns.size());
  out.setZero(count, count);
  for_column_blocks(
      columns, worth_threads(threads, rows * out.size()), [&](Index diagonal, Support own) {
        const auto end = columns.begin() + diagonal + static_cast<std::ptrdiff_t>(own.size());
        ColumnBlock a(Support(columns.begin(), end), rows), b(std::move(own), rows);
        ColumnBlock::for_rows(rows, [&](Index first, Index length) {
          a.read(design, first, length);
          b.take_last(a, weights ? weights + first : nullptr, length);
          kernels::add_upper_column_products(length, a.view(), b.view(), diagonal,
                                             out.col(diagonal).data(), count);
        });
      });
  out.template triangularView<Eigen::StrictlyLower>() = out.transpose();
}

/// out[k] = Σᵢ weightᵢ aᵢⱼ² with j = columns[k].
template <class Design>
void weighted_squares(const Design& design, const Support& columns, const double* weights,
                      VectorView out, int threads) {
  const Index rows = design.rows();
  out.setZero();
  for_column_blocks(columns, worth_threads(threads, rows * out.size()),
                    [&](Index first_column, Support own) {
                      ColumnBlock a(std::move(own), rows);
                      ColumnBlock::for_rows(rows, [&](Index first, Index length) {
                        a.read(design, first, length);
                        for (Index k = 0; k < a.columns(); ++k)
                          out[first_column + k] +=
                              kernels::weighted_squared_norm(length, weights + first, a.column(k));
                      });
                    });
}

}}}  // namespace regiht::REGIHT_ABI::detail
