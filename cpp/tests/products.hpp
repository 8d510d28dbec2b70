#pragma once

#include <utility>

#include "regiht/model/design_products.hpp"

namespace regiht::testing {

/// The products of a design at whatever derivative vector a test chooses.
class VectorProducts final : public DesignProducts {
 public:
  explicit VectorProducts(const Design& design)
      : DesignProducts(design, nullptr, 1), derivative_(Vector::Zero(design.rows())) {}

  void move_to(Vector derivative, SparseVector point = {}) {
    derivative_ = std::move(derivative);
    point_ = std::move(point);
  }

  const SparseVector& point() const override { return point_; }

  void all(VectorView out) override {
    ++full_products_;
    DesignProducts::all(out);
  }

  int full_products() const { return full_products_; }

 private:
  const Vector& derivative() override { return derivative_; }

  Vector derivative_;
  SparseVector point_;
  int full_products_ = 0;
};

}  // namespace regiht::testing
