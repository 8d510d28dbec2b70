#pragma once

#include <algorithm>
#include <vector>

#include "regiht/kernels/vector.hpp"
#include "regiht/lowrank/entry_loss.hpp"
#include "regiht/lowrank/observed_entries.hpp"
#include "regiht/lowrank/poll.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

enum class Side { left, right };

/// What one alternating step minimises over each row x of a factor, the other factor being fixed:
/// Σ loss(⟨x, vₑ⟩) + ½⟨x, base·x⟩ + (penalty_per_entry/2)·entries·‖x‖², with the second derivative
/// of the loss replaced by its bound, which is exact for squared loss.
struct AlternatingStep {
  EntryLoss loss;
  ConstBlockView base;       ///< symmetric
  double penalty_per_entry;  ///< times the number of entries in the row
  double shift;  ///< added to the diagonal: directions that the entries hardly determine stay
};

/// Scratch memory for one row of the factor at a time.
class AlternatingWorkspace {
 public:
  AlternatingWorkspace(const AlternatingStep& step, ConstBlockView other)
      : step_(step),
        other_(other),
        rank_(other.cols()),
        stride_(kernels::panel_stride(rank_)),
        panel_(sized(kernels::rows_of_panel * stride_)),
        weighted_(step.loss.weights == nullptr ? 0 : panel_.size()),
        system_(sized(stride_ * stride_)),
        slope_(sized(stride_)),
        x_(sized(stride_)),
        derivative_(sized(kernels::rows_of_panel)),
        weight_(sized(kernels::rows_of_panel)) {}

  /// Moves x, a row of the factor, to the minimum.
  void move(const EntryLine& line, double* x) {
    std::fill(system_.begin(), system_.end(), 0.0);
    std::fill(slope_.begin(), slope_.end(), 0.0);
    std::copy(x, x + rank_, x_.begin());
    for (Index first = 0; first < line.count; first += kernels::rows_of_panel)
      add_entries(line, first, std::min(kernels::rows_of_panel, line.count - first));
    add_penalties(static_cast<double>(line.count));
    kernels::solve_symmetric(rank_, stride_, system_.data(), slope_.data());
    for (Index k = 0; k < rank_; ++k) x[k] -= slope_[sized(k)];
  }

 private:
  static std::size_t sized(Index i) { return static_cast<std::size_t>(i); }

  void add_entries(const EntryLine& line, Index first, Index count) {
    kernels::gather_panel(count, line.others + first, rank_, stride_, other_.data(), panel_.data());
    kernels::panel_times(count, stride_, panel_.data(), x_.data(), derivative_.data());
    for (Index e = 0; e < count; ++e) {
      const Index at = line.position(first + e);
      derivative_[sized(e)] = step_.loss.derivative(at, derivative_[sized(e)]);
      weight_[sized(e)] = step_.loss.weight(at);
    }
    kernels::add_panel_rows(count, stride_, derivative_.data(), panel_.data(), slope_.data());
    const double* left = panel_.data();
    if (!weighted_.empty()) {
      kernels::scale_panel(count, stride_, weight_.data(), panel_.data(), weighted_.data());
      left = weighted_.data();
    }
    kernels::add_panel_gram(count, stride_, left, panel_.data(), system_.data());
  }

  void add_penalties(double entries) {
    const double curvature = step_.loss.curvature();
    const double on_diagonal = step_.penalty_per_entry * entries;
    for (Index k = 0; k < rank_; ++k) {
      double* row = system_.data() + k * stride_;
      double pull = on_diagonal * x_[sized(k)];
      for (Index l = 0; l < rank_; ++l) pull += step_.base(k, l) * x_[sized(l)];
      slope_[sized(k)] += pull;
      for (Index l = k; l < rank_; ++l) row[l] = curvature * row[l] + step_.base(k, l);
      row[k] += on_diagonal + step_.shift;
    }
  }

  const AlternatingStep& step_;
  ConstBlockView other_;
  Index rank_, stride_;
  std::vector<double> panel_, weighted_, system_, slope_, x_, derivative_, weight_;
};

/// Moves every row of `factor` (left: one for each row of the matrix, right: for each column) to
/// the minimum, all rows being independent. Entries are ObservedEntries or EveryEntry.
template <class Entries>
void alternating_step(const Entries& entries, Side side, const AlternatingStep& step,
                      ConstBlockView other, BlockView factor, int threads, const Poll& poll) {
  constexpr Index work_between_polls = 200'000'000;  // multiply-adds
  const Index rank = factor.cols(), rows = factor.rows();
  const Index work = entries.count() * rank * rank;
  const Index parts = std::min(rows, 1 + work / work_between_polls);
  for (Index part = 0; part < parts; ++part) {
    poll();
    const Index begin = rows * part / parts;
    for_line_pieces(rows * (part + 1) / parts - begin, work / parts, threads,
                    [&](Index first, Index end) {
                      AlternatingWorkspace workspace(step, other);
                      for (Index at = begin + first; at < begin + end; ++at)
                        workspace.move(side == Side::left ? entries.row(at) : entries.col(at),
                                       factor.data() + at * rank);
                    });
  }
}

/// Sum of the losses of the observed entries, given all predictions.
inline double total_loss(const ObservedEntries& entries, const EntryLoss& loss,
                         ConstVectorView predictions, int threads) {
  Vector of_row(entries.rows());
  entries.for_lines(entries.rows(), 1, threads, [&](Index i) {
    const auto line = entries.row(i);
    double total = 0.0;
    for (Index e = line.first; e < line.first + line.count; ++e)
      total += loss.value(e, predictions[e]);
    of_row[i] = total;
  });
  return regiht::kernels::sum(of_row.size(), of_row.data());
}

/// Sum of the losses at left · rightᵀ, without storing the predictions.
inline double total_loss(const ObservedEntries& entries, const EntryLoss& loss, ConstBlockView left,
                         ConstBlockView right, int threads) {
  Vector of_row(entries.rows());
  const Index rank = left.cols();
  const Index work = entries.count() * rank;
  for_line_pieces(entries.rows(), work, threads, [&](Index first, Index end) {
    double predictions[kernels::rows_of_panel];
    for (Index i = first; i < end; ++i) {
      const auto line = entries.row(i);
      double total = 0.0;
      for (Index done = 0; done < line.count; done += kernels::rows_of_panel) {
        const Index count = std::min(kernels::rows_of_panel, line.count - done);
        kernels::predict(count, line.others + done, rank, left.data() + i * rank, right.data(),
                         predictions);
        for (Index e = 0; e < count; ++e)
          total += loss.value(line.first + done + e, predictions[e]);
      }
      of_row[i] = total;
    }
  });
  return regiht::kernels::sum(of_row.size(), of_row.data());
}

/// ⟨slopes, predictions − entries of left · rightᵀ⟩, without storing the latter.
inline double slope_towards(const ObservedEntries& entries, ConstVectorView slopes,
                            ConstVectorView predictions, ConstBlockView left, ConstBlockView right,
                            int threads) {
  constexpr Index per_piece = regiht::kernels::chunk_rows;
  const Index count = entries.count(), pieces = regiht::kernels::chunk_count(count);
  Vector parts(pieces);
  parallel_for(worth_threads(threads, count * (left.cols() + 1)), pieces, [&](Index piece) {
    const Index first = piece * per_piece, end = std::min(count, first + per_piece);
    double move[per_piece];
    entries.predict_some(first, end, left, right, move);
    for (Index e = first; e < end; ++e) move[e - first] = predictions[e] - move[e - first];
    parts[piece] = regiht::kernels::dot(end - first, slopes.data() + first, move);
  });
  return regiht::kernels::sum(pieces, parts.data());
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
