#pragma once

#include <memory>
#include <mutex>

#include "regiht/design/design.hpp"
#include "regiht/gram.hpp"
#include "regiht/gram_columns.hpp"

namespace regiht {

/// What the screening bound needs to know of each column; nothing is lost to underflow.
struct ColumnNorms {
  Vector norms;       ///< ‖aⱼ‖
  Vector magnitudes;  ///< Design::column_magnitudes

  explicit ColumnNorms(const Design& design) : norms(design.cols()), magnitudes(design.cols()) {
    design.column_squares(Vector::Zero(design.cols()), norms);
    norms = norms.cwiseSqrt();
    if (design.magnitudes_are_norms())
      magnitudes = norms;
    else
      design.column_magnitudes(magnitudes);
    norms.array() += underflow_norm(design.rows());
    magnitudes.array() += underflow_norm(design.rows());
  }
};

/// What is computed of a design when it is first wanted, and kept for every later solve.
class DesignFacts {
 public:
  std::shared_ptr<const ColumnNorms> norms(const Design& design) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!norms_) norms_ = std::make_shared<const ColumnNorms>(design);
    return norms_;
  }

  /// Design::sketch.
  std::shared_ptr<const Sketch> sketch(const Design& design, int threads) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!has_sketch_) sketch_ = design.sketch(threads);
    has_sketch_ = true;
    return sketch_;
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
  std::mutex mutex_;
  std::shared_ptr<const ColumnNorms> norms_;
  std::shared_ptr<const Sketch> sketch_;
  bool has_sketch_ = false;
  std::shared_ptr<const Gram> gram_;
  std::shared_ptr<GramColumns> gram_columns_;
};

}  // namespace regiht
