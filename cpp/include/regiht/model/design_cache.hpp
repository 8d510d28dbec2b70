#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "regiht/design/column_norms.hpp"
#include "regiht/design/design.hpp"
#include "regiht/model/gram/columns.hpp"
#include "regiht/model/gram/matrix.hpp"
#include "regiht/model/packed/row_patterns.hpp"

namespace regiht {

/// What is computed of a design when it is first wanted, and kept for every later solve.
class DesignCache {
 public:
  std::shared_ptr<const ColumnNorms> norms(const Design& design) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!norms_) norms_ = std::make_shared<const ColumnNorms>(design);
    return norms_;
  }

  /// Design::quantized.
  std::shared_ptr<const QuantizedMatrix> quantized(const Design& design, int threads) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_quantized_) quantized_ = design.quantized(threads);
    is_quantized_ = true;
    return quantized_;
  }

  /// The codes of these columns, and of the target last; none if one of them has too many values.
  CodesOfColumns codes(const Design& design, const Support& columns, ConstVectorView target) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (codes_.size() * static_cast<std::size_t>(design.rows()) > most_code_bytes) codes_.clear();
    CodesOfColumns all;
    for (const Index j : columns) {
      auto known = codes_.find(j);
      if (known == codes_.end()) {
        Vector column(design.rows());
        design.apply({{j}, {1.0}}, 0.0, column, 1);
        known = codes_.emplace(j, ColumnCodes::of(column)).first;
      }
      if (!known->second) return {};
      all.push_back(known->second);
    }
    all.push_back(ColumnCodes::of(target));
    return all.back() ? all : CodesOfColumns{};
  }

  /// AᵀA.
  std::shared_ptr<const Gram> gram(const Design& design, int threads) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!gram_) gram_ = std::make_shared<const Gram>(design, threads);
    return gram_;
  }

  /// Columns of it.
  std::shared_ptr<GramColumns> gram_columns(const Design& design) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!gram_columns_) gram_columns_ = std::make_shared<GramColumns>(design.cols());
    return gram_columns_;
  }

 private:
  static constexpr std::size_t most_code_bytes = std::size_t{1} << 26;

  std::mutex mutex_;
  std::shared_ptr<const ColumnNorms> norms_;
  std::map<Index, std::shared_ptr<const ColumnCodes>> codes_;  // null: too many values
  std::shared_ptr<const QuantizedMatrix> quantized_;
  bool is_quantized_ = false;
  std::shared_ptr<const Gram> gram_;
  std::shared_ptr<GramColumns> gram_columns_;
};

}  // namespace regiht
