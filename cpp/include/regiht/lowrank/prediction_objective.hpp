#pragma once

#include "regiht/lowrank/alternating_step.hpp"
#include "regiht/lowrank/matrix_objective.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// ⟨a, b⟩ of two matrices.
inline double inner(const Factors& a, const Factors& b, int threads) {
  return inner_product(a.left(), b.left(), threads)
      .cwiseProduct(inner_product(a.V, b.V, threads))
      .sum();
}

/// A loss of predictions that are linear in the matrix, with a ridge and a constant.
class PredictionObjective : public MatrixObjective {
 public:
  /// With more than `most_kept` predictions, a point stores only one number for each.
  PredictionObjective(EntryLoss loss, double ridge, double constant, Index most_kept)
      : loss_(loss), ridge_(ridge), constant_(constant), most_kept_(most_kept) {}

  double ridge() const final { return ridge_; }
  bool keeps_predictions() const { return count() <= most_kept_; }
  std::unique_ptr<Point> at(const Factors& A, int threads) const final;

  virtual Index count() const = 0;
  virtual Vector predict(ConstBlockView left, ConstBlockView right, int threads) const = 0;

  /// The matrix whose inner product with A is that of v with A's predictions; may borrow v.
  virtual std::unique_ptr<const MatrixOperator> adjoint(const Vector& v, int threads) const = 0;

  virtual double total_loss(const Vector& z, int threads) const {
    constexpr Index per_piece = regiht::kernels::chunk_rows;
    Vector parts(regiht::kernels::chunk_count(z.size()));
    parallel_for(worth_threads(threads, z.size()), parts.size(), [&](Index piece) {
      const Index first = piece * per_piece, end = std::min(z.size(), first + per_piece);
      double total = 0.0;
      for (Index e = first; e < end; ++e) total += loss_.value(e, z[e]);
      parts[piece] = total;
    });
    return regiht::kernels::sum(parts.size(), parts.data());
  }

  /// ⟨v, z − predictions of A⟩.
  virtual double slope_towards(const Vector& v, const Vector& z, const Factors& A,
                               int threads) const {
    return dot_product(v, z - predict(A.left(), A.V, threads), threads);
  }

  /// Overwrites each prediction with the derivative of its loss there.
  void differentiate(Vector& z, int threads) const {
    for_each_prediction(threads, [&](Index e) { z[e] = loss_.derivative(e, z[e]); });
  }

  /// The second derivative of each loss.
  Vector curvatures(const Vector& z, int threads) const {
    Vector bend(z.size());
    for_each_prediction(threads, [&](Index e) { bend[e] = loss_.second_derivative(e, z[e]); });
    return bend;
  }

  /// Whether curvatures are the same at all predictions.
  bool is_quadratic() const { return loss_.kind == EntryLoss::Kind::squared; }

  double value(const Vector& z, const Factors& A, int threads) const {
    return total_loss(z, threads) + (0.5 * ridge_ * A.squared_norm() + constant_);
  }

 protected:
  EntryLoss loss_;

 private:
  template <class Task>
  void for_each_prediction(int threads, Task&& task) const {
    constexpr Index per_piece = regiht::kernels::chunk_rows;
    parallel_for(worth_threads(threads, count()), regiht::kernels::chunk_count(count()),
                 [&](Index piece) {
                   const Index end = std::min(count(), (piece + 1) * per_piece);
                   for (Index e = piece * per_piece; e < end; ++e) task(e);
                 });
  }

  double ridge_, constant_;
  Index most_kept_;
};

/// A point of a PredictionObjective. If predictions are not kept, their derivatives overwrite them.
class PredictionPoint final : public Point {
 public:
  PredictionPoint(const PredictionObjective& objective, const Factors& A, int threads)
      : objective_(objective),
        A_(A),
        threads_(threads),
        predictions_(objective.predict(A.left(), A.V, threads)),
        value_(objective.value(predictions_, A, threads)) {}

  double value() const override { return value_; }

  const MatrixOperator& gradient() override {
    if (!gradient_) gradient_ = objective_.adjoint(derivatives(), threads_);
    return *gradient_;
  }

  double slope_towards(Point& other) override {
    auto& aim = static_cast<PredictionPoint&>(other);
    const Vector& slopes = derivatives();
    const double slope = predictions_.size() > 0
                             ? dot_product(slopes, aim.predictions() - predictions_, threads_)
                             : objective_.slope_towards(slopes, aim.predictions(), A_, threads_);
    if (objective_.ridge() == 0.0) return slope;
    return slope + objective_.ridge() * (inner(A_, aim.A_, threads_) - A_.squared_norm());
  }

 private:
  const Vector& derivatives() {
    if (derivatives_.size() == 0) {
      if (objective_.keeps_predictions())
        derivatives_ = predictions_;
      else
        derivatives_.swap(predictions_);
      objective_.differentiate(derivatives_, threads_);
    }
    return derivatives_;
  }

  const Vector& predictions() {
    if (predictions_.size() == 0) predictions_ = objective_.predict(A_.left(), A_.V, threads_);
    return predictions_;
  }

  const PredictionObjective& objective_;
  Factors A_;
  int threads_;
  Vector predictions_, derivatives_;
  double value_;
  std::unique_ptr<const MatrixOperator> gradient_;
};

inline std::unique_ptr<Point> PredictionObjective::at(const Factors& A, int threads) const {
  return std::make_unique<PredictionPoint>(*this, A, threads);
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
