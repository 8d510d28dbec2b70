#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "regiht/design/column_major.hpp"
#include "regiht/design/csc.hpp"
#include "regiht/design/csr.hpp"
#include "regiht/design/row_major.hpp"

namespace regiht::testing {

using Matrix = Eigen::MatrixXd;

/// Uniform numbers between −1 and 1, the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double number() { return static_cast<double>(engine_() >> 11) * 0x1.0p-52 - 1.0; }
  Index below(Index bound) { return static_cast<Index>(engine_() % static_cast<unsigned>(bound)); }

  Vector vector(Index size) {
    return Vector::NullaryExpr(size, [this](Index) { return number(); });
  }

  /// Single precision holds its entries exactly; the given part of them is not zero.
  Matrix matrix(Index rows, Index cols, double density) {
    return Matrix::NullaryExpr(rows, cols, [this, density](Index, Index) {
      const bool present = 0.5 * (number() + 1.0) < density;
      return present ? static_cast<double>(static_cast<float>(number())) : 0.0;
    });
  }

  Support support(Index size, Index count) {
    std::vector<Index> all(static_cast<std::size_t>(size));
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = static_cast<Index>(j);
    std::shuffle(all.begin(), all.end(), engine_);
    all.resize(static_cast<std::size_t>(count));
    std::sort(all.begin(), all.end());
    return all;
  }

  SparseVector sparse_vector(Index size, Index count) {
    SparseVector x;
    for (const Index j : support(size, count)) x.append(j, number());
    return x;
  }

 private:
  std::mt19937_64 engine_;
};

/// A dense matrix with gaps between its columns.
template <class Value>
class ColumnMajorStorage {
 public:
  explicit ColumnMajorStorage(const Matrix& A) : entries_(A.rows() + 3, A.cols()) {
    entries_.setConstant(Value(77));
    entries_.topRows(A.rows()) = A.cast<Value>();
    design_ = std::make_shared<ColumnMajorDesign<Value>>(entries_.data(), A.rows(), A.cols(),
                                                         entries_.rows());
  }
  std::shared_ptr<const Design> design() const { return design_; }

 private:
  Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic> entries_;
  std::shared_ptr<const Design> design_;
};

/// A dense matrix with gaps between its rows.
template <class Value>
class RowMajorStorage {
 public:
  explicit RowMajorStorage(const Matrix& A) : entries_(A.cols() + 3, A.rows()) {
    entries_.setConstant(Value(77));
    entries_.topRows(A.cols()) = A.transpose().cast<Value>();
    design_ = std::make_shared<RowMajorDesign<Value>>(entries_.data(), A.rows(), A.cols(),
                                                      entries_.rows());
  }
  std::shared_ptr<const Design> design() const { return design_; }

 private:
  Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic> entries_;  // transposed
  std::shared_ptr<const Design> design_;
};

/// The three arrays of the nonzeros of A by columns, or of its transpose by rows.
template <class Value, class StorageIndex>
struct CompressedArrays {
  explicit CompressedArrays(const Matrix& by_columns) : offsets{0} {
    for (Index j = 0; j < by_columns.cols(); ++j) {
      for (Index i = 0; i < by_columns.rows(); ++i) {
        if (by_columns(i, j) == 0.0) continue;
        values.push_back(static_cast<Value>(by_columns(i, j)));
        indices.push_back(static_cast<StorageIndex>(i));
      }
      offsets.push_back(static_cast<StorageIndex>(values.size()));
    }
  }
  Compressed<Value, StorageIndex> view() const {
    return {values.data(), indices.data(), offsets.data()};
  }

  std::vector<Value> values;
  std::vector<StorageIndex> indices, offsets;
};

template <class Value, class StorageIndex>
class CscStorage {
 public:
  explicit CscStorage(const Matrix& A)
      : arrays_(A),
        design_(
            std::make_shared<CscDesign<Value, StorageIndex>>(arrays_.view(), A.rows(), A.cols())) {}
  std::shared_ptr<const Design> design() const { return design_; }

 private:
  CompressedArrays<Value, StorageIndex> arrays_;
  std::shared_ptr<const Design> design_;
};

template <class Value, class StorageIndex>
class CsrStorage {
 public:
  explicit CsrStorage(const Matrix& A)
      : arrays_(A.transpose()),
        design_(
            std::make_shared<CsrDesign<Value, StorageIndex>>(arrays_.view(), A.rows(), A.cols())) {}
  std::shared_ptr<const Design> design() const { return design_; }

 private:
  CompressedArrays<Value, StorageIndex> arrays_;
  std::shared_ptr<const Design> design_;
};

#define REGIHT_EVERY_STORAGE                                                               \
  regiht::testing::ColumnMajorStorage<double>, regiht::testing::ColumnMajorStorage<float>, \
      regiht::testing::RowMajorStorage<double>, regiht::testing::RowMajorStorage<float>,   \
      regiht::testing::CscStorage<double, std::int32_t>,                                   \
      regiht::testing::CscStorage<float, std::int64_t>,                                    \
      regiht::testing::CsrStorage<double, std::int64_t>,                                   \
      regiht::testing::CsrStorage<float, std::int32_t>

/// Largest absolute difference.
inline double distance(const Vector& a, const Vector& b) {
  return a.size() == 0 ? 0.0 : (a - b).cwiseAbs().maxCoeff();
}

}  // namespace regiht::testing
