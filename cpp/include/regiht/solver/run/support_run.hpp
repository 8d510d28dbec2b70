#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "regiht/objective.hpp"
#include "regiht/observer.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/make_projection.hpp"
#include "regiht/result.hpp"
#include "regiht/solver/refit/constrained.hpp"
#include "regiht/solver/run/tracker.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// x with these entries listed as well.
inline SparseVector with_entries(const SparseVector& x, const Support& entries) {
  return restricted(x, united(x.indices, entries));
}

/// x without one of its entries.
inline SparseVector without_entry(const SparseVector& x, Index j) {
  SparseVector out;
  for (std::size_t k = 0; k < x.indices.size(); ++k)
    if (x.indices[k] != j) out.append(x.indices[k], x.values[k]);
  return out;
}

/// Refit tolerances: for building a model, for choosing the next entry, and for the final refit.
inline constexpr double model_tolerance = 1e-5, loose = 1e-7, tight = 1e-14;

/// A run whose every iterate is the minimum on its support.
class SupportRun {
 public:
  /// Starts at the minimum on the support of x0, cut to s entries, and on the kept entries.
  SupportRun(Objective& f, const Options& options, Observer& observer)
      : f_(f),
        projection_(make_projection(options)),
        minimize_(options, observer),
        weights_(Vector::Zero(f.dimension())),
        run_(options, observer) {
    const double value_at_zero = f.move_to({});
    x_ = options.x0;
    projection_->apply(x_);
    value_ = x_.size() == 0 ? value_at_zero : minimum(x_);
    run_.begin(x_, value_, value_at_zero);
  }

  const SparseVector& x() const { return x_; }
  double value() const { return value_; }
  Projection& projection() { return *projection_; }
  bool goes_on() const { return run_.goes_on(); }

  /// Refits x on the entries it lists, to within the tolerance.
  double minimum(SparseVector& x, double tolerance = tight) {
    const Refit refit = minimize_(f_, x, {tolerance, infinity, true});
    rank_deficient_ = refit.rank_deficient;
    attained_ = refit.attained;
    if (refit.interruption) run_.cut_short(*refit.interruption);
    if (!refit.finite) run_.cut_short(Status::diverged);
    return refit.value;
  }

  /// Makes x the next iterate; f must be at x.
  void accept(SparseVector x, double value) {
    std::swap(x_, x);
    value_ = value;
    run_.record(x, x_, weights_, value_, value_, 0.0);
  }

  /// Moves f back to the iterate after a trial.
  void go_back() { f_.move_to(x_); }

  void end(Status status = Status::finished) { run_.end(status); }

  Result finish(double step = 0.0) {
    value_ = minimum(x_, 0.0);
    Result result = run_.finish(std::move(x_), value_, weights_, step, f_.gradients_spent());
    result.rank_deficient = rank_deficient_;
    result.attained = attained_;
    projection_->apply(result.x);  // entries still zero when the run was cut short
    return result;
  }

 private:
  Objective& f_;
  std::unique_ptr<Projection> projection_;
  ConstrainedMinimizer minimize_;
  Vector weights_;
  Tracker run_;
  SparseVector x_;
  double value_ = 0.0;
  bool rank_deficient_ = false, attained_ = true;
};

}}  // namespace regiht::REGIHT_ABI
