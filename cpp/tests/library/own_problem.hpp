#pragma once

#include <algorithm>
#include <memory>

#include "handles.hpp"
#include "models.hpp"
#include "regiht/compiled/problem.hpp"
#include "regiht/loss/all.hpp"
#include "regiht/solver/solve.hpp"
#include "storage.hpp"

namespace regiht::testing {

/// 40 × 14, of which four columns matter, as least squares or as classes.
struct PlantedModel {
  explicit PlantedModel(const char* loss_name) : A(random.matrix(40, 14, 1.0)), storage(A) {
    target = 2.0 * A.col(4) + 1.5 * A.col(5) + A.col(12) + 0.5 * A.col(13) + random.vector(40);
    loss = make_loss(loss_name);
    if (!loss->is_quadratic())
      target = target.unaryExpr([](double z) { return z > 0.0 ? 1.0 : 0.0; });
  }

  LinearModel model() const {
    return LinearModel(*storage.design(), *loss, target, model_settings(0.2, nullptr, true));
  }

  Random random = Random(11);
  Matrix A;
  ColumnMajorStorage<double> storage;
  std::shared_ptr<const Loss> loss;
  Vector target;
};

inline Support as_support(compiled::Indices indices) { return {indices.begin(), indices.end()}; }

/// An objective of the headers as the compiled library takes one from C++.
class Passed final : public compiled::Objective {
 public:
  Passed(regiht::Objective& f, bool offers) : f_(f), offers_(offers) {}

  std::int64_t dimension() const override { return f_.dimension(); }
  double move_to(const compiled::Point& x) override {
    return f_.move_to({as_support(x.indices), {x.values.begin(), x.values.end()}});
  }
  void gradient_on_support(compiled::Span<double> out) override {
    f_.gradient_on_support(Eigen::Map<Vector>(out.data(), static_cast<Index>(out.size())));
  }
  void gradient_off_support(double magnitude, compiled::Entries& entries) override {
    f_.gradient_off_support(magnitude, listed_);
    for (std::size_t k = 0; k < listed_.indices.size(); ++k)
      entries.append(listed_.indices[k], listed_.values[k]);
  }
  bool second_derivatives(compiled::Indices rows, compiled::Indices columns,
                          compiled::Block out) override {
    if (!offers_) return false;
    Matrix found;
    f_.second_derivatives(as_support(rows), as_support(columns), found);
    for (Index k = 0; k < found.rows(); ++k)
      for (Index l = 0; l < found.cols(); ++l) out(k, l) = found(k, l);
    return true;
  }
  bool is_quadratic() const override { return offers_ && f_.is_quadratic(); }
  std::optional<double> gradients_spent() const override { return f_.gradients_spent(); }

 private:
  regiht::Objective& f_;
  bool offers_;
  SparseVector listed_;
};

/// ½ Σⱼ curvatureⱼ (xⱼ − centerⱼ)² by its values and gradients, written as in Quadratic.
class DenseQuadratic final : public compiled::DenseObjective {
 public:
  DenseQuadratic(Vector center, Vector curvature)
      : center_(std::move(center)), curvature_(std::move(curvature)) {}

  std::int64_t dimension() const override { return center_.size(); }
  double value(const double* x) override {
    const Vector at = here(x);
    return 0.5 * curvature_.cwiseProduct(at - center_).eval().dot(at - center_);
  }
  void gradient(const double* x, double* out) override {
    Eigen::Map<Vector>(out, center_.size()) = curvature_.cwiseProduct(here(x) - center_);
  }
  bool second_derivatives(const double*, compiled::Indices rows, compiled::Indices columns,
                          compiled::Block out) override {
    if (!offers) return false;
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t l = 0; l < columns.size(); ++l)
        out(k, l) = rows[k] == columns[l] ? curvature_[rows[k]] : 0.0;
    return true;
  }
  bool is_quadratic() const override { return offers; }

  bool offers = false;

 private:
  Vector here(const double* x) const { return Eigen::Map<const Vector>(x, center_.size()); }

  Vector center_, curvature_;
};

}  // namespace regiht::testing
