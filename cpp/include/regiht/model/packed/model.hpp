#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "regiht/kernels/thread_pool.hpp"
#include "regiht/loss/intercept.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/model/packed/columns.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Whether there are columns and a copy of them is small, or small against the design.
inline bool packing_pays(const Design& design, const Support& columns) {
  constexpr double small = 1e6;
  double cost = 0.0;
  for (const Index j : columns) cost += design.column_cost(j);
  return !columns.empty() && cost <= std::max(small, 0.5 * design.full_cost());
}

/// Σᵢ weightᵢ ℓ((Ax)ᵢ + b, targetᵢ) for vectors x that keep listing the same few sparse columns.
///
/// Works on a copy of these columns and the targets, rows sorted by the columns they appear in.
/// Sums run by chunks of rows, so they have the same bits for any number of threads.
class PackedModel {
 public:
  PackedModel(ColumnEntries entries, const Loss& loss, ConstVectorView target,
              const double* sample_weights, int threads)
      : loss_(loss),
        columns_(std::move(entries), target.size()),
        prediction_(columns_.padded_rows()),
        derivative_(Vector::Zero(columns_.padded_rows())),
        slopes_(static_cast<std::size_t>(columns_.chunks())),
        values_(columns_.chunks()),
        totals_(columns_.chunks()),
        dots_(columns_.columns(), columns_.chunks()) {
    threads_ = worth_threads(threads, 20 * columns_.rows() + columns_.stored());
    sort(target.data(), target_);
    if (sample_weights) sort(sample_weights, weights_);
  }

  /// Moves to the vector with these values in the columns, and to the best intercept if there is
  /// one; returns the sum of the losses.
  double move_to(const std::vector<double>& x, Intercept* intercept) {
    zero_row_prediction_ = columns_.zero_row_prediction(x) + (intercept ? intercept->start() : 0.0);
    const std::vector<double> factors = columns_.factors(x);
    parallel_for(threads_, columns_.chunks(), [&](Index chunk) {
      columns_.apply(chunk, factors, zero_row_prediction_, prediction_.data());
      if (intercept) return;
      values_[chunk] = evaluate_chunk(chunk);
      dot(chunk);  // while it is in the cache
    });
    if (!intercept) return kernels::sum(columns_.chunks(), values_.data());
    shift_ = 0.0;
    const double value = intercept->settle(*this);
    parallel_for(threads_, columns_.chunks(), [&](Index chunk) { dot(chunk); });
    return value;
  }

  // What Intercept::settle() asks for.
  Slopes look(double shift) {
    const double further = shift - shift_;
    parallel_for(threads_, columns_.chunks(), [&](Index chunk) {
      const auto [first, touched, end] = parts(chunk);
      Slopes& sums = slopes_[static_cast<std::size_t>(chunk)];
      sums = loss_.slopes({prediction_.segment(touched, end - touched),
                           target_.segment(touched, end - touched), weights_from(touched)},
                          further, 1);
      if (touched > first)
        sums.add(loss_.slopes_shared(zero_row_prediction_ + further,
                                     target_.segment(first, touched - first), weights_from(first)));
    });
    Slopes total;
    for (const Slopes& each : slopes_) total.add(each);
    return total;
  }
  double evaluate(double shift) {
    const double move = shift - shift_;
    shift_ = shift;
    zero_row_prediction_ += move;
    parallel_for(threads_, columns_.chunks(), [&](Index chunk) {
      const auto [first, touched, end] = parts(chunk);
      prediction_.segment(touched, end - touched).array() += move;
      values_[chunk] = evaluate_chunk(chunk);
      totals_[chunk] = kernels::sum(end - first, derivative_.data() + first);
    });
    return kernels::sum(columns_.chunks(), values_.data());
  }
  double slope() const { return kernels::sum(columns_.chunks(), totals_.data()); }
  double magnitude() const {
    return kernels::sum_of_magnitudes(columns_.rows(), derivative_.data());
  }

  /// Aᵀr in the columns.
  void gradient(VectorView out) const {
    const double total = kernels::sum(columns_.chunks(), totals_.data());
    for (Index k = 0; k < columns_.columns(); ++k) {
      double dot = 0.0;
      for (Index chunk = 0; chunk < columns_.chunks(); ++chunk) dot += dots_(k, chunk);
      out[k] = columns_.standardized(k, dot, total);
    }
  }

  /// Ax and r, in the order of the design's rows.
  void prediction(VectorView out) {
    prediction_.head(columns_.zero_rows()).setConstant(zero_row_prediction_);
    restore(prediction_, out);
  }
  void derivative(VectorView out) const { restore(derivative_, out); }

  /// ‖r − r₀‖, for the r₀ of the last take_reference.
  double distance() const {
    return std::sqrt(
        kernels::squared_distance(columns_.rows(), derivative_.data(), reference_.data()));
  }

  /// r₀ is given in the order of the design's rows.
  void take_reference(ConstVectorView derivative) { sort(derivative.data(), reference_); }

 private:
  /// Rows without any of the columns come before those that the columns touch.
  struct Parts {
    Index first, touched, end;
  };

  Parts parts(Index chunk) const {
    const auto [first, end] = columns_.range(chunk);
    return {first, std::clamp(columns_.zero_rows(), first, end), end};
  }

  void dot(Index chunk) {
    totals_[chunk] = columns_.dot(chunk, derivative_.data(), dots_.col(chunk).data());
  }

  double evaluate_chunk(Index chunk) {
    const auto [first, touched, end] = parts(chunk);
    double sum = 0.0;
    if (touched > first)
      sum = loss_.evaluate_shared(zero_row_prediction_, target_.segment(first, touched - first),
                                  weights_from(first), derivative_.segment(first, touched - first));
    if (touched < end) {
      const Samples samples{prediction_.segment(touched, end - touched),
                            target_.segment(touched, end - touched), weights_from(touched)};
      sum += loss_.evaluate(samples, derivative_.segment(touched, end - touched), 1);
    }
    return sum;
  }

  const double* weights_from(Index first) const {
    return weights_.size() > 0 ? weights_.data() + first : nullptr;
  }

  void sort(const double* by_row, Vector& out) const {
    out.resize(columns_.rows());
    const auto& order = columns_.order();
    for (std::size_t p = 0; p < order.size(); ++p) out[static_cast<Index>(p)] = by_row[order[p]];
  }

  void restore(const Vector& sorted, VectorView out) const {
    const auto& order = columns_.order();
    for (std::size_t p = 0; p < order.size(); ++p) out[order[p]] = sorted[static_cast<Index>(p)];
  }

  const Loss& loss_;
  PackedColumns columns_;
  int threads_;
  Vector target_, weights_, prediction_, derivative_, reference_;
  double zero_row_prediction_ = 0.0;
  double shift_ = 0.0;          // of the intercept since the search for it began
  std::vector<Slopes> slopes_;  // by chunk
  Vector values_;               // by chunk: the sum of the losses
  Vector totals_;               // by chunk: the sum of r
  Eigen::MatrixXd dots_;        // by column and chunk: see PackedColumns::dot
};

}}  // namespace regiht::REGIHT_ABI
