#pragma once

#include "regiht/objective.hpp"

namespace regiht::testing {

/// Another objective with what every objective must have, its moves counted, and, if it `offers`
/// them, its second derivatives.
class Bare final : public Objective {
 public:
  explicit Bare(Objective& f, bool offers = false) : f_(f), offers_(offers) {}

  Index dimension() const override { return f_.dimension(); }
  double move_to(const SparseVector& x) override {
    ++moves;
    return f_.move_to(x);
  }
  const SparseVector& point() const override { return f_.point(); }
  void gradient_on_support(VectorView out) override { f_.gradient_on_support(out); }
  void gradient_off_support(double magnitude, SparseVector& entries) override {
    f_.gradient_off_support(magnitude, entries);
  }
  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    if (offers_)
      f_.second_derivatives(rows, columns, out);
    else
      Objective::second_derivatives(rows, columns, out);
  }
  bool is_quadratic() const override { return offers_ && f_.is_quadratic(); }
  double gradients_spent() const override { return f_.gradients_spent(); }

  int moves = 0;

 private:
  Objective& f_;
  bool offers_;
};

}  // namespace regiht::testing
