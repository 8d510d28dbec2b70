#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "regiht/lowrank/leading_singular.hpp"
#include "regiht/lowrank/observed_operator.hpp"
#include "regiht/lowrank/sweep.hpp"
#include "regiht/status.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Some entries of a matrix: values[e] at (row_of[e], col_of[e]), in any order, each as often as it
/// was seen. The arrays are yours; they are read during the call only.
template <class Number>
struct EntryArrays {
  Index rows, cols;  ///< of the whole matrix
  Index count;
  const Number* row_of;
  const Number* col_of;
  const double* values;
  const double* weights = nullptr;  ///< not negative; null: all are one

  /// Throws std::invalid_argument, naming the first entry that does not fit.
  void check() const {
    if (rows < 1 || cols < 1) throw std::invalid_argument("rows and cols must be at least 1");
    if (count < 1) throw std::invalid_argument("at least one entry is needed");
    for (Index e = 0; e < count; ++e) {
      require(fits(row_of[e], rows), "row_of", e, "is not a row of the matrix");
      require(fits(col_of[e], cols), "col_of", e, "is not a column of the matrix");
      require(std::isfinite(values[e]), "values", e, "is not finite");
      require(weights == nullptr || (weights[e] >= 0.0 && std::isfinite(weights[e])), "weights", e,
              "is negative or not finite");
    }
  }

 private:
  static bool fits(Number at, Index size) { return at >= 0 && static_cast<Index>(at) < size; }

  static void require(bool holds, const char* array, Index e, const char* what) {
    if (!holds)
      throw std::invalid_argument(std::string(array) + "[" + std::to_string(e) + "] " + what);
  }
};

struct CompletionOptions {
  Index rank = 1;
  double ridge = 0.0;      ///< adds (ridge/2)‖A‖²
  Index max_sweeps = 100;  ///< over both factors
  double tol = 1e-10;      ///< ends when a sweep gains no more than this part of the value
  int threads = 1;         ///< the answer has the same bits for any number
  Poll poll = [] {};       ///< between products and within sweeps

  void check(Index rows, Index cols) const {
    if (rank < 1 || rank > std::min(rows, cols))
      throw std::invalid_argument("rank must be at least 1 and at most rows and cols");
    if (!(ridge >= 0.0) || !std::isfinite(ridge))
      throw std::invalid_argument("ridge must be finite and not negative");
    if (max_sweeps < 1) throw std::invalid_argument("max_sweeps must be at least 1");
    if (!(tol >= 0.0)) throw std::invalid_argument("tol must not be negative");
    if (threads < 1) throw std::invalid_argument("threads must be at least 1");
  }
};

/// A = left · rightᵀ; the columns of `right` are orthonormal.
struct CompletionResult {
  Block left, right;  ///< a row for each row, and for each column, of the matrix
  double value;       ///< ½ Σ weight · (A[row, col] − value)² + (ridge/2)‖A‖²
  Status status;      ///< converged, completed (all sweeps were made) or diverged
  Index sweeps;
};

namespace detail {

/// The one factor is fixed with orthonormal columns while the other moves to its minimum.
class CompletionSweeps {
 public:
  /// `weights` are null if all are one; values and weights are in the row order of the entries.
  CompletionSweeps(const ObservedEntries& entries, const Vector& values, const double* weights,
                   const CompletionOptions& options)
      : entries_(entries),
        loss_{EntryLoss::Kind::squared, values.data(), weights},
        options_(options),
        base_(options.ridge * Block::Identity(options.rank, options.rank)),
        // Directions that entries tell less about than this are not told by rounding.
        shift_(1e-11 * largest(weights, entries.count())) {
    const ObservedOperator observed(entries, {values.data(), values.size()});
    LeadingOptions leading;
    leading.count = options.rank;
    leading.tol = 1e-3;  // the first sweep does the rest
    leading.threads = options.threads;
    leading.poll = options.poll;
    right = leading_singular(observed, leading, Block(entries.rows(), 0), Block(entries.cols(), 0))
                .triplets.V;
    left = Block::Zero(entries.rows(), options.rank);
  }

  void sweep() {
    CoreFactors found = lowrank::sweep(entries_, {loss_, base_, 0.0, shift_}, std::move(left),
                                       std::move(right), options_.threads, options_.poll);
    left = product(found.left, found.core, options_.threads);
    right = std::move(found.right);
  }

  double value() const {
    return total_loss(entries_, loss_, left, right, options_.threads) +
           0.5 * options_.ridge * left.squaredNorm();
  }

  Block left, right;

 private:
  static double largest(const double* weights, Index count) {
    return weights == nullptr ? 1.0 : *std::max_element(weights, weights + count);
  }

  const ObservedEntries& entries_;
  EntryLoss loss_;
  const CompletionOptions& options_;
  Block base_;
  double shift_;
};

}  // namespace detail

/// The matrix of at most a given rank that fits the entries, by alternating least squares from the
/// leading singular vectors of what was seen: each factor is refitted while the other stays. The
/// value never rises; it ends at a point that no change of one factor improves, not always at the
/// lowest of all.
///
/// Copies what it keeps; the result is yours. Any number of threads may call it at once. Throws
/// std::invalid_argument for what cannot be met, std::overflow_error if the start leaves the finite
/// numbers, std::bad_alloc, and whatever `poll` throws, which it calls on the caller's thread.
template <class Number>
CompletionResult complete(const EntryArrays<Number>& given, const CompletionOptions& options) {
  given.check();
  options.check(given.rows, given.cols);
  const ObservedEntries entries(given.rows, given.cols, given.count, given.row_of, given.col_of);
  Vector values(given.count), weights(given.weights == nullptr ? 0 : given.count);
  entries.arrange(given.row_of, given.values, values.data());
  if (given.weights != nullptr) entries.arrange(given.row_of, given.weights, weights.data());
  detail::CompletionSweeps sweeps(entries, values, given.weights ? weights.data() : nullptr,
                                  options);

  double value = sweeps.value();
  Status status = Status::completed;
  Index made = 0;
  while (made < options.max_sweeps && status == Status::completed) {
    sweeps.sweep();
    ++made;
    const double before = value;
    value = sweeps.value();
    if (!std::isfinite(value))
      status = Status::diverged;
    else if (before - value <= options.tol * value)
      status = Status::converged;
  }
  return {std::move(sweeps.left), std::move(sweeps.right), value, status, made};
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
