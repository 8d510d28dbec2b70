#pragma once

#include <algorithm>
#include <memory>

#include "callbacks.hpp"
#include "regiht/objective.hpp"

namespace regiht::library {

/// The objective behind a regiht_objective; what its functions list is checked.
class CallbackObjective final : public Objective {
 public:
  CallbackObjective(const regiht_objective& functions, void* context)
      : functions_(functions), context_(context) {}

  Index dimension() const override { return static_cast<Index>(functions_.dimension); }

  double move_to(const SparseVector& x) override {
    // Its own copy, as the function may read the point until the next call.
    x_ = x;
    indices_.assign(x.indices.begin(), x.indices.end());
    double value = unwritten;
    require_done(functions_.move_to(x_.size(), indices_.data(), x_.values.data(), &value, context_),
                 "move_to");
    return value;
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    if (x_.size() == 0) return;
    out.setConstant(unwritten);
    require_done(functions_.gradient_on_support(out.data(), context_), "gradient_on_support");
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    if (!listed_) make_room();
    std::int64_t count = -1;
    require_done(functions_.gradient_off_support(magnitude, &count, listed_.get(),
                                                 derivatives_.get(), context_),
                 "gradient_off_support");
    require(count >= 0 && count <= dimension() - x_.size(),
            "gradient_off_support must write how many entries it lists");
    entries.indices.assign(listed_.get(), listed_.get() + count);
    entries.values.assign(derivatives_.get(), derivatives_.get() + count);
    require(
        are_off_support(entries, x_.indices) &&
            (count == 0 || (entries.indices.front() >= 0 && entries.indices.back() < dimension())),
        "gradient_off_support must list indices in ascending order, each below the dimension "
        "and none of the point's");
    ++calls_;
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    const auto ask = [&](auto... arguments) {
      return functions_.second_derivatives(arguments..., context_);
    };
    if (!functions_.second_derivatives || !ask_second_derivatives(rows, columns, out, ask))
      Objective::second_derivatives(rows, columns, out);
  }

  bool is_quadratic() const override { return functions_.is_quadratic != 0; }

  double gradients_spent() const override {
    if (!functions_.gradients_spent) return calls_;
    double spent = unwritten;
    const int code = functions_.gradients_spent(&spent, context_);
    if (code == REGIHT_UNSUPPORTED) return calls_;
    require_done(code, "gradients_spent");
    require(std::isfinite(spent) && spent >= 0.0,
            "gradients_spent must write a number that is finite and not negative");
    return spent;
  }

 private:
  void make_room() {
    const auto room = static_cast<std::size_t>(dimension());
    derivatives_.reset(new double[room]);
    listed_.reset(new std::int64_t[room]);
  }

  regiht_objective functions_;
  void* context_;
  SparseVector x_;
  std::vector<std::int64_t> indices_;  // of x
  // Filled by gradient_off_support; not initialized, as a function may list few of many.
  std::unique_ptr<std::int64_t[]> listed_;
  std::unique_ptr<double[]> derivatives_;
  double calls_ = 0.0;
};

}  // namespace regiht::library
