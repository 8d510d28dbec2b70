#pragma once

#include "regiht/lowrank/dense_operator.hpp"
#include "regiht/lowrank/every_entry.hpp"
#include "regiht/lowrank/measurement_sweep.hpp"
#include "regiht/lowrank/observed_operator.hpp"
#include "regiht/lowrank/span_gram.hpp"
#include "regiht/lowrank/span_newton.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// The corrective step of losses of entries, which are ObservedEntries or EveryEntry.
template <class Entries>
Block newton_in_span(const PredictionObjective& objective, const Entries& entries, const Span& span,
                     Block X, const Regularizer* weights, int threads, const Poll& poll) {
  SpanNewton::Gram gram;
  if (forms_system(X))
    gram = [&](const Vector& bend) { return span_gram(entries, bend, span.U, span.V, threads); };
  return SpanNewton(objective, span, weights, std::move(gram), threads, poll).run(std::move(X));
}

/// Losses of some entries of the matrix.
class EntryObjective final : public PredictionObjective {
 public:
  EntryObjective(const ObservedEntries& entries, EntryLoss loss, double ridge, double constant,
                 Index most_kept)
      : PredictionObjective(loss, ridge, constant, most_kept), entries_(entries) {}

  Index rows() const override { return entries_.rows(); }
  Index cols() const override { return entries_.cols(); }
  Index count() const override { return entries_.count(); }

  Vector predict(ConstBlockView left, ConstBlockView right, int threads) const override {
    Vector z(count());
    entries_.predict(left, right, z, threads);
    return z;
  }
  std::unique_ptr<const MatrixOperator> adjoint(const Vector& v, int) const override {
    return std::make_unique<ObservedOperator>(entries_,
                                              Eigen::Map<const Vector>(v.data(), v.size()));
  }
  double total_loss(const Vector& z, int threads) const override {
    return lowrank::total_loss(entries_, loss_, z, threads);
  }
  double slope_towards(const Vector& v, const Vector& z, const Factors& A,
                       int threads) const override {
    return lowrank::slope_towards(entries_, v, z, A.left(), A.V, threads);
  }
  Block corrective(const Span& span, Block X, const Regularizer* weights, int threads,
                   const Poll& poll) const override {
    return newton_in_span(*this, entries_, span, std::move(X), weights, threads, poll);
  }

 private:
  const ObservedEntries& entries_;
};

/// Losses of all entries of the matrix, row by row.
class DenseObjective final : public PredictionObjective {
 public:
  DenseObjective(Index rows, Index cols, EntryLoss loss, double ridge)
      : PredictionObjective(loss, ridge, 0.0, rows * cols), entries_(rows, cols) {}

  Index rows() const override { return entries_.rows(); }
  Index cols() const override { return entries_.cols(); }
  Index count() const override { return entries_.count(); }

  Vector predict(ConstBlockView left, ConstBlockView right, int threads) const override {
    Vector z = Vector::Zero(count());
    if (left.cols() > 0)
      add_product(left, right.transpose(), Eigen::Map<Block>(z.data(), rows(), cols()), threads);
    return z;
  }
  std::unique_ptr<const MatrixOperator> adjoint(const Vector& v, int) const override {
    return std::make_unique<DenseOperator>(Eigen::Map<const Block>(v.data(), rows(), cols()));
  }
  Block corrective(const Span& span, Block X, const Regularizer* weights, int threads,
                   const Poll& poll) const override {
    if (!is_quadratic() || loss_.weights != nullptr)
      return newton_in_span(*this, entries_, span, std::move(X), weights, threads, poll);
    // Of ½‖U·X·Vᵀ − M‖² with M's coordinates C in the span: ½‖X − C‖² and a constant.
    Vector target(count());
    for (Index e = 0; e < count(); ++e) target[e] = loss_.target[e];
    Block image(rows(), span.V.cols());
    adjoint(target, threads)->apply(span.V, image, threads);
    const SpannedPenalty penalty(weights, ridge(), span.U, span.V, threads);
    return penalty.solve_shifted(1.0, inner_product(span.U, image, threads));
  }

 private:
  EveryEntry entries_;
};

/// A dense matrix of its own.
class OwnedMatrix final : public MatrixOperator {
 public:
  explicit OwnedMatrix(Block matrix)
      : matrix_(std::move(matrix)),
        view_(Eigen::Map<const Block>(matrix_.data(), matrix_.rows(), matrix_.cols())) {}

  Index rows() const override { return view_.rows(); }
  Index cols() const override { return view_.cols(); }
  void apply(ConstBlockView in, BlockView out, int threads) const override {
    view_.apply(in, out, threads);
  }
  void apply_transpose(ConstBlockView in, BlockView out, int threads) const override {
    view_.apply_transpose(in, out, threads);
  }
  void write(BlockView out, int threads) const override { view_.write(out, threads); }

 private:
  Block matrix_;
  DenseOperator view_;
};

/// Losses of dense measurements of the matrix.
class MeasurementObjective final : public PredictionObjective {
 public:
  MeasurementObjective(const DenseMeasurements& measured, EntryLoss loss, double ridge)
      : PredictionObjective(loss, ridge, 0.0, measured.C.rows()), measured_(measured) {}

  Index rows() const override { return measured_.rows; }
  Index cols() const override { return measured_.cols; }
  Index count() const override { return measured_.C.rows(); }

  Vector predict(ConstBlockView left, ConstBlockView right, int threads) const override {
    const Block A = product(left, Block(right.transpose()), threads);
    return product(measured_.C, Eigen::Map<const Block>(A.data(), A.size(), 1), threads);
  }
  std::unique_ptr<const MatrixOperator> adjoint(const Vector& v, int threads) const override {
    Block sum(measured_.rows, measured_.cols);
    Eigen::Map<Block> flat(sum.data(), 1, sum.size());
    const Eigen::Map<const Block> row(v.data(), 1, v.size());
    flat = product(row, measured_.C, threads);
    return std::make_unique<OwnedMatrix>(std::move(sum));
  }
  Block corrective(const Span& span, Block X, const Regularizer* weights, int threads,
                   const Poll& poll) const override {
    constexpr Index most_unknowns = 400;
    if (X.size() > most_unknowns)
      return SpanNewton(*this, span, weights, {}, threads, poll).run(std::move(X));
    const Block seen = measured_.seen_of_core(span.U, span.V, threads);
    Basis system = gram(seen, threads);
    SpannedPenalty(weights, ridge(), span.U, span.V, threads)
        .add_to(system, span.U.cols(), span.V.cols());
    const SymmetricSystem solver(system);
    Vector target(count());
    for (Index e = 0; e < count(); ++e) target[e] = loss_.target[e];
    const Vector wanted = inner_product(seen, target, threads);
    Vector answer = solver.solve(wanted);
    answer += solver.solve(wanted - system * answer);  // against rounding
    return Eigen::Map<const Block>(answer.data(), X.rows(), X.cols());
  }

 private:
  DenseMeasurements measured_;
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
