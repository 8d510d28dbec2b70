#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/screening/quantized_reference.hpp"
#include "regiht/screening/references.hpp"
#include "regiht/screening/screen.hpp"
#include "regiht/types.hpp"

namespace regiht {

/// Gradient entries Aᵀr outside the support: screened where that pays, else all of them.
///
/// Remembers the last full gradient, the point it belongs to, and the derivative vectors of the two
/// last ones. Where screening leaves too many columns again and again, a QuantizedReference tells
/// which of them matter.
class OffSupportGradient {
 public:
  /// Facts may be null; then what is needed of them is computed here.
  OffSupportGradient(const Design& design, bool screening, DesignCache* cache, int threads)
      : design_(design),
        cache_(cache),
        threads_(threads),
        may_screen_(screening && Screen::pays(design)) {}

  /// Whether the gradient outside will be evaluated in full, if it is asked for at this point as it
  /// was at the last.
  bool expects_full() const {
    if (!may_screen_) return true;
    const bool screens = screening_ ? is_reference_ : worth_starting();
    return evaluations_ > 0 && was_asked_ && !screens;
  }

  /// The bounds in use; only within `distance` of `read`.
  const Screen& screening() const { return *screening_; }

  /// Whether the full gradient is that at the point of the last move_to.
  bool is_current() const { return is_current_; }
  const Vector& full() const { return full_; }

  /// Its entries at these columns.
  void read_full(const Support& columns, VectorView out) const {
    for (std::size_t k = 0; k < columns.size(); ++k) out[static_cast<Index>(k)] = full_[columns[k]];
  }

  /// Where bounds are measured from; only within `distance` of `read`.
  const SparseVector& reference_point() const { return *point_; }
  const Vector& reference_derivative() const { return references_.newer(); }

  /// How many references there have been.
  Index references_taken() const { return references_taken_; }

  double spent() const { return spent_; }

  /// Whether the loss is far above where the run began.
  bool is_rising() const { return is_rising_; }

  /// ‖aⱼ‖² of every column.
  Vector squared_norms() { return norms()->norms.array().square(); }

  /// The loss at x tells whether the run rises far above where it began.
  void move_to(const SparseVector& x, double loss) {
    is_current_ = is_exact_ && *point_ == x;
    was_asked_ = std::exchange(is_asked_, false);
    if (!first_loss_) first_loss_ = loss;
    is_rising_ = !(loss <= *first_loss_ + std::abs(*first_loss_));
  }

  /// Entries outside are wanted at this point, wherever they come from.
  void ask() { is_asked_ = true; }

  /// Whether they were at the point before.
  bool was_asked() const { return was_asked_; }

  /// out = Aᵀr, counted as one full gradient.
  void pass(ConstVectorView derivative, VectorView out) {
    design_.apply_transpose(derivative, out, threads_);
    count_pass();
  }
  void count_pass() { count(1.0); }

  /// What cost as much as a part of a full gradient.
  void count(double part) { spent_ += part; }

  /// Evaluates the full gradient at x, unless it is known.
  void evaluate(const SparseVector& x, ConstVectorView derivative) {
    if (is_current_) return;
    full_.resize(design_.cols());
    pass(derivative, full_);
    is_current_ = is_exact_ = true;
    point_ = x;
    ++evaluations_;
    if (!may_screen_) return;
    is_reference_ = !screening_ || may_quantize() || screening_->wants_reference();
    if (!is_reference_) return;
    if (!screening_) references_ = {};  // it will begin with the last one
    references_.take(derivative);
    ++references_taken_;
    if (screening_) screening_->take_reference(full_, references_.newer_norm());
  }

  /// Lists the entries not in x with at least this magnitude that can win a place. `distance()` is
  /// ‖r − r₀‖ for the present r, and `derivative()` that r, asked for only if some entry can
  /// matter.
  template <class Distance, class Derivative>
  void read(double magnitude, const EntryQuery& query, const SparseVector& x, Distance&& distance,
            Derivative&& derivative, SparseVector& entries) {
    entries.clear();
    ask();
    ++reads_;
    start_if_worth_it();
    if (screening_ && is_reference_ && !is_current_) {
      if (screening_->select(
              magnitude, query, distance(), x.indices, candidates_,
              [&] { return references_.project(derivative()); },
              may_quantize() ? quantized_share : 0.5)) {
        spent_ += static_cast<double>(candidates_.size()) / static_cast<double>(design_.cols());
        if (!candidates_.empty()) read_candidates(magnitude, derivative(), entries);
        return;
      }
      if (magnitude > 0.0 && may_quantize() &&
          select_quantized(magnitude, query, x, derivative())) {
        count_pass();  // a column that is evaluated by the quantized matrix and then exactly counts
                       // once
        read_candidates(magnitude, derivative(), entries);
        return;
      }
    }
    evaluate(x, derivative());
    append_outside(x.indices, full_, magnitude, entries);
  }

  /// Lists at least the `count` largest entries not in x; otherwise as `read`.
  template <class Distance, class Derivative>
  void read_largest(Index count, const SparseVector& x, Distance&& distance,
                    Derivative&& derivative, SparseVector& entries) {
    double magnitude = 0.0;
    start_if_worth_it();
    if (screening_ && is_reference_ && !is_current_) {
      screening_->likely_largest(4 * count + 16, x.indices, candidates_);
      magnitude = reached_by(count, candidates_, derivative());
    }
    read(magnitude, {count, {}}, x, distance, derivative, entries);
  }

 private:
  std::shared_ptr<const ColumnNorms> norms() {
    if (!norms_)
      norms_ = cache_ ? cache_->norms(design_) : std::make_shared<const ColumnNorms>(design_);
    return norms_;
  }

  /// Whether the run rises from the beginning: then it is about to explode, as a rule.
  bool is_hopeless() const {
    constexpr Index doubtful = 32;
    return is_rising_ && reads_ <= doubtful;
  }

  /// The norms of the columns cost as much as a full gradient, which a short run does not earn
  /// back.
  bool worth_starting() const { return evaluations_ > 0 && !is_hopeless(); }

  /// The last full gradient is the first reference.
  void start_if_worth_it() {
    if (screening_ || !may_screen_ || is_current_ || !worth_starting()) return;
    screening_.emplace(design_, norms());
    screening_->take_reference(full_, references_.newer_norm());
  }

  void read_candidates(double magnitude, ConstVectorView derivative, SparseVector& entries) {
    const Index count = static_cast<Index>(candidates_.size());
    at_candidates_.resize(count);
    design_.apply_transpose(candidates_, derivative, at_candidates_, threads_);
    for (Index k = 0; k < count; ++k)
      entries.append_if_large(candidates_[static_cast<std::size_t>(k)], at_candidates_[k],
                              magnitude);
  }

  /// A quantized matrix costs about two full gradients: a run that is short, or needs but few, is
  /// better off without. This depends on the run alone, not on whether there is a quantized matrix
  /// from an earlier one.
  bool may_quantize() const {
    constexpr int long_enough = 8, enough = 2, patience = 3;
    return reads_ > long_enough && evaluations_ >= enough && quantized_failures_ < patience &&
           !is_hopeless() && design_.can_quantize();
  }

  /// What a quantized product costs, as a part of an exact one.
  static constexpr double quantized_share = 0.1;

  /// Fills candidates_ by a quantized gradient, which becomes the reference; false if an exact one
  /// is the better choice.
  bool select_quantized(double magnitude, const EntryQuery& query, const SparseVector& x,
                        ConstVectorView derivative) {
    if (screening_->wants_exact_reference()) return false;
    const bool pays = take_quantized_reference(x, derivative) &&
                      screening_->select(magnitude, query, 0.0, x.indices, candidates_,
                                         [] { return std::nullopt; });
    quantized_failures_ = pays ? 0 : quantized_failures_ + 1;
    return pays;
  }

  bool take_quantized_reference(const SparseVector& x, ConstVectorView derivative) {
    if (!quantized_vector_) quantized_vector_.emplace(design_, cache_, *screening_, threads_);
    if (!quantized_vector_->take_reference(derivative, references_, *screening_)) return false;
    ++references_taken_;
    point_ = x;
    is_exact_ = false;
    return true;
  }

  /// The `count`-th largest magnitude of these entries.
  double reached_by(Index count, const Support& columns, ConstVectorView derivative) {
    if (static_cast<Index>(columns.size()) < count) return 0.0;
    at_candidates_.resize(static_cast<Index>(columns.size()));
    design_.apply_transpose(columns, derivative, at_candidates_, threads_);
    spent_ += static_cast<double>(columns.size()) / static_cast<double>(design_.cols());
    at_candidates_ = at_candidates_.cwiseAbs();
    if (!at_candidates_.allFinite()) return 0.0;
    double* const first = at_candidates_.data();
    std::nth_element(first, first + count - 1, first + at_candidates_.size(),
                     std::greater<double>());
    return first[count - 1];
  }

  const Design& design_;
  DesignCache* cache_;
  int threads_;
  bool may_screen_;
  std::shared_ptr<const ColumnNorms> norms_;
  std::optional<Screen> screening_;  // once it is worth its price
  std::optional<double> first_loss_;
  bool is_rising_ = false;
  Index reads_ = 0;

  std::optional<SparseVector> point_;
  References references_;
  Vector full_;
  bool is_current_ = false;
  bool is_exact_ = false;      // the point is that of the full gradient
  bool is_reference_ = false;  // the last full gradient, for screening
  bool is_asked_ = false, was_asked_ = false;
  double spent_ = 0.0;
  Index references_taken_ = 0;

  std::optional<QuantizedReference> quantized_vector_;
  int evaluations_ = 0;
  int quantized_failures_ = 0;  // in a row

  Support candidates_;
  Vector at_candidates_;
};

}  // namespace regiht
