#pragma once

#include <cmath>
#include <memory>

#include "regiht/loss/all.hpp"
#include "regiht/model/make_objective.hpp"
#include "storage.hpp"

namespace regiht::testing {

/// Targets that a loss is defined for, after these predictions.
inline Vector draw_target(const Loss& loss, const Vector& prediction, Random& random) {
  return prediction.unaryExpr([&](double z) {
    const double noisy = z + 0.5 * random.number();
    if (loss.targets() == Targets::real) return noisy;
    return loss.targets() == Targets::binary ? double(noisy > 0.0) : std::floor(std::exp(noisy));
  });
}

/// A small problem that follows three columns, kept in one of the storages, and what is to be known
/// about it from the dense matrix alone.
class SmallProblem {
 public:
  static constexpr Index rows = 30, cols = 10;
  static constexpr double ridge = 0.1;

  SmallProblem(const Loss& loss, std::size_t storage)
      : loss_(loss), random_(78), A_(random_.matrix(rows, cols, 0.7)) {
    target_ = draw_target(loss, 2.0 * A_.col(1) - 1.5 * A_.col(6) + A_.col(9), random_);
    const std::shared_ptr<const Design> designs[] = {column_major_.design(), row_major_.design(),
                                                     csc_.design(), csr_.design()};
    design_ = designs[storage % 4];
  }

  std::unique_ptr<Objective> make_objective() {
    ModelSettings settings;
    settings.ridge = ridge;
    return ObjectiveFactory(*design_, loss_, target_, cache_, settings).make();
  }

  /// f by Fenchel's equality ℓ(z) = z·ℓ′(z) − ℓ*(ℓ′(z)), which does not use the formula of ℓ.
  double value(const Vector& x) const {
    const Vector z = A_ * x, slope = slopes(z);
    return z.dot(slope) - loss_.conjugate(slope, target_, nullptr, 1).value +
           0.5 * ridge * x.squaredNorm();
  }

  Vector gradient(const Vector& x) const { return A_.transpose() * slopes(A_ * x) + ridge * x; }

 private:
  Vector slopes(const Vector& prediction) const {
    Vector out(rows);
    loss_.evaluate({prediction, target_}, out, 1);
    return out;
  }

  const Loss& loss_;
  Random random_;
  Matrix A_;
  Vector target_;
  ColumnMajorStorage<double> column_major_{A_};
  RowMajorStorage<float> row_major_{A_};
  CscStorage<float, std::int32_t> csc_{A_};
  CsrStorage<double, std::int64_t> csr_{A_};
  std::shared_ptr<const Design> design_;
  DesignCache cache_;
};

}  // namespace regiht::testing
