#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/loss/intercept.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/model/design_products.hpp"
#include "regiht/model/packed/model.hpp"
#include "regiht/model/packed/pattern_model.hpp"
#include "regiht/model/ridge.hpp"
#include "regiht/model/settings.hpp"
#include "regiht/model/squares_along.hpp"
#include "regiht/objective.hpp"
#include "regiht/screening/off_support_gradient.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// f(x) = Σᵢ weightᵢ ℓ((Ax)ᵢ, targetᵢ) + (ridge/2)‖x‖², or, with an intercept, the minimum over b
/// of the same with Ax + b.
///
/// Borrows the design, the loss and the sample weights. One LinearModel serves one solve.
class LinearModel final : public Objective, private DesignProducts {
 public:
  struct Settings {
    double ridge = 0.0;
    const double* sample_weights = nullptr;
    bool screening = true;
    int threads = 1;
    bool intercept = false;
    DesignCache* cache = nullptr;  ///< of the design, or null
  };

  /// Columns are packed after this many moves to one support: about as many as packed columns need
  /// to save what packing costs.
  static constexpr Index packing_patience = 24;

  LinearModel(const Design& design, const Loss& loss, ConstVectorView target, Settings settings)
      : DesignProducts(design, settings.cache, settings.threads),
        loss_(loss),
        target_(target),
        settings_(settings),
        outside_(*this, settings_.screening) {
    check_samples(design, loss.targets(), target, settings_.sample_weights, settings_.ridge);
    if (settings_.intercept) {
      move_to({});
      intercept_.begin_here();
      here_->is_evaluated = false;  // intercept searches start elsewhere now
    }
  }

  Index dimension() const override { return design_.cols(); }

  double size() const override {
    return static_cast<double>(design_.rows()) * static_cast<double>(design_.cols());
  }

  void expect(const Support& support) override { expected_ = support; }

  double move_to(const SparseVector& x) override {
    Place& before = *here_;
    if (x.indices != here_->x.indices) go_to_place_of(x.indices);
    ++here_->moves;
    ++stay_;
    const bool is_expected = x.indices == expected_;
    expected_.clear();
    if (is_expected || stay_ == patience) count_preparation();
    if (is_expected || here_->moves == patience) find_patterns();
    if (here_->moves == packing_patience) pack();
    if (here_->is_evaluated && x.values == here_->x.values) {
      if (here_ != &before || here_->patterns || here_->packed) count_evaluation();
    } else {
      // Listing more or fewer zeros does not change the point.
      const bool same_point = before.holds_rows() && !here_->patterns && !here_->packed &&
                              same_but_for_zeros(x, before.x);
      here_->x = x;
      if (!same_point)
        evaluate();
      else if (&before != here_)
        here_->take_evaluation(before);
    }
    outside_.move_to(here_->loss_sum);
    return settings_.ridge == 0.0 ? here_->loss_sum
                                  : here_->loss_sum + 0.5 * settings_.ridge * x.squared_norm();
  }

  const SparseVector& point() const override { return here_->x; }

  void gradient_on_support(VectorView out) override {
    if (here_->patterns)
      here_->patterns->gradient(out);
    else if (here_->packed)
      here_->packed->gradient(out);
    else
      gradient_by_rows(out);
    for (std::size_t k = 0; k < here_->x.values.size(); ++k)
      out[static_cast<Index>(k)] += settings_.ridge * here_->x.values[k];
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    gradient_entering(magnitude, {dimension(), {}}, entries);
  }

  bool wants_query() const override { return true; }

  void gradient_entering(double magnitude, const EntryQuery& query,
                         SparseVector& entries) override {
    outside_.read(magnitude, query, entries);
  }

  void largest_off_support(Index count, SparseVector& entries) override {
    outside_.read_largest(count, entries);
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    if (here_->patterns && rows == here_->x.indices && columns == rows) {
      here_->patterns->second_derivatives(settings_.intercept, out);
      add_ridge(settings_.ridge, rows, columns, out);
      work_ += static_cast<double>(here_->patterns->count() * out.size());
    } else {
      weighted_derivatives(rows, columns, curvatures(), out);
      count_products(rows, columns);
    }
  }

  bool second_derivatives_along(const Support& entries, const Matrix& directions,
                                Matrix& out) override {
    const Vector& curvature = curvatures();
    const double total = kernels::sum(curvature.size(), curvature.data());
    return squares_along(design_, entries, directions, &curvature, settings_.ridge,
                         settings_.threads, out, [&](VectorView image) {
                           if (settings_.intercept && total > 0.0)
                             image.array() -= curvature.dot(image) / total;
                         });
  }

  bool majorizing_derivatives(const Support& entries, Matrix& out) override {
    Vector curvature(design_.rows());
    const Samples samples{prediction(), target_, settings_.sample_weights};
    if (!loss_.majorizing_curvature(samples, curvature)) return false;
    weighted_derivatives(entries, entries, curvature, out);
    return true;
  }

  void curvatures(const Support& columns, VectorView out) override {
    const Vector& curvature = curvatures();
    for (const Index j : columns) work_ += 2.0 * design_.column_cost(j);
    design_.weighted_squares(columns, curvature.data(), out, settings_.threads);
    const double total = kernels::sum(curvature.size(), curvature.data());
    if (settings_.intercept && total > 0.0) {
      Vector sums(out.size());
      design_.apply_transpose(columns, curvature, sums, settings_.threads);
      out -= (sums.array().square() / total).matrix();
    }
    out.array() += settings_.ridge;
  }

  bool is_quadratic() const override { return loss_.is_quadratic(); }

  void approximate_curvatures(VectorView out) override {
    const Vector& curvature = curvatures();
    const double average =
        kernels::sum(curvature.size(), curvature.data()) / static_cast<double>(curvature.size());
    out = average * norms().norms.array().square() + settings_.ridge;
  }

  double gradients_spent() const override { return outside_.spent(); }

  double work() const override { return work_ + outside_.spent() * gradient_work(); }

  bool has_intercept() const override { return settings_.intercept; }
  double intercept() const override { return here_->intercept; }

 private:
  /// Patterns are searched for after this many moves to one support: about what that costs.
  static constexpr Index patience = 6;

  /// The cost of the loss for one row, in multiply-adds.
  static constexpr Index cost_of_loss = 10;

  /// What was found at a point.
  struct Evaluation {
    bool is_evaluated = false;
    double loss_sum = 0.0, intercept = 0.0;
    int evaluations = 0;  // of the loss, to find the intercept
    Vector prediction, derivative, curvature;
    bool prediction_is_current = false, derivative_is_current = false;
    bool curvature_is_current = false;
  };

  /// A support, the point last visited there, and faster models once the support stays.
  struct Place : Evaluation {
    SparseVector x;
    Index moves = 0;  // to this support
    bool is_searched_for_patterns = false;
    std::optional<PatternModel> patterns;  // if many rows agree
    std::optional<PackedModel> packed;
    Index packed_reference = 0;  // the number of the reference in packed

    /// Takes what was found at the same point from another place, which loses it.
    void take_evaluation(Place& other) {
      std::swap(static_cast<Evaluation&>(*this), static_cast<Evaluation&>(other));
      other.is_evaluated = false;
    }

    /// Whether predictions and derivatives are there in the order of the design's rows.
    bool holds_rows() const {
      return this->is_evaluated && this->prediction_is_current && this->derivative_is_current;
    }

    void begin(const Support& support) {
      this->is_evaluated = false;
      x.indices = support;
      x.values.assign(support.size(), 0.0);
      moves = 0;
      is_searched_for_patterns = false;
      patterns.reset();
      packed.reset();
    }
  };

  /// Goes to the place of this support; one that is new takes that of the support before the last.
  /// Trial steps often go to another support and back.
  void go_to_place_of(const Support& support) {
    here_ = here_ == &places_[0] ? &places_[1] : &places_[0];
    if (here_->x.indices != support) here_->begin(support);
    stay_ = 0;
    is_prepared_ = false;
  }

  void find_patterns() {
    if (here_->is_searched_for_patterns) return;
    here_->is_searched_for_patterns = true;
    const Support& support = here_->x.indices;
    if (!settings_.cache || support.empty()) return;
    if (!target_codes_) target_codes_ = ColumnCodes::of(target_);
    if (!*target_codes_) return;
    CodesOfColumns codes = settings_.cache->codes(design_, support);
    if (codes.empty()) return;
    codes.push_back(*target_codes_);
    std::optional<RowPatterns> patterns = RowPatterns::of(codes, design_.rows());
    count_search();
    if (!patterns) return;
    here_->patterns.emplace(loss_, codes, std::move(*patterns), settings_.sample_weights);
    here_->is_evaluated = false;
  }

  void pack() {
    if (here_->patterns || !packing_pays(design_, here_->x.indices)) return;
    ColumnEntries entries;
    if (!design_.list_entries(here_->x.indices, entries)) return;
    here_->packed.emplace(std::move(entries), loss_, target_, settings_.sample_weights,
                          settings_.threads);
    here_->packed_reference = 0;
    here_->is_evaluated = false;
  }

  void evaluate() {
    here_->prediction.resize(design_.rows());
    here_->derivative.resize(design_.rows());
    here_->curvature_is_current = false;
    Intercept* const intercept = settings_.intercept ? &intercept_ : nullptr;
    here_->loss_sum = here_->patterns ? here_->patterns->move_to(here_->x.values, intercept)
                      : here_->packed ? here_->packed->move_to(here_->x.values, intercept)
                                      : evaluate_by_rows();
    here_->intercept = intercept_.value();
    here_->evaluations = settings_.intercept ? intercept_.evaluations() : 1;
    here_->prediction_is_current = here_->derivative_is_current =
        !here_->packed && !here_->patterns;
    here_->is_evaluated = true;
    count_evaluation();
  }

  // Work is counted as though nothing were known of a support when f comes back to it: what a
  // search affords is to depend on where it goes, not on what is remembered.

  /// Counts another search for patterns where there are some.
  void count_preparation() {
    if (!is_prepared_ && here_->patterns) count_search();
    is_prepared_ = true;
  }

  void count_search() { work_ += static_cast<double>(design_.rows() * here_->x.size()); }

  /// Counts an evaluation and the gradient on the support that usually follows.
  void count_evaluation() {
    const bool by_pattern = here_->patterns && is_prepared_;
    const Index rows = by_pattern ? here_->patterns->count() : design_.rows();
    work_ += static_cast<double>(cost_of_loss * rows * here_->evaluations);
    if (by_pattern) {
      work_ += static_cast<double>(2 * rows * here_->x.size());
    } else {
      for (const Index j : here_->x.indices) work_ += 2.0 * design_.column_cost(j);
    }
  }

  void count_products(const Support& rows, const Support& columns) {
    for (const Index j : columns)
      work_ += design_.column_cost(j) * static_cast<double>(rows.size());
  }

  double evaluate_by_rows() {
    design_.apply(here_->x, intercept_.start(), here_->prediction, settings_.threads);
    if (!settings_.intercept)
      return loss_.evaluate({here_->prediction, target_, settings_.sample_weights},
                            here_->derivative, settings_.threads);
    ShiftedSamples samples(loss_, here_->prediction, target_, settings_.sample_weights,
                           here_->derivative, settings_.threads);
    return intercept_.settle(samples);
  }

  void gradient_by_rows(VectorView out) {
    if (outside_.expects_full()) outside_.evaluate();
    if (outside_.is_current())
      outside_.read_full(here_->x.indices, out);
    else
      design_.apply_transpose(here_->x.indices, here_->derivative, out, settings_.threads);
  }

  /// Ax in the row order of the design, unlike in the packed model.
  const Vector& prediction() {
    if (!here_->prediction_is_current)
      here_->patterns ? here_->patterns->prediction(here_->prediction)
                      : here_->packed->prediction(here_->prediction);
    here_->prediction_is_current = true;
    return here_->prediction;
  }

  const Vector& derivative() override {
    if (!here_->derivative_is_current)
      here_->patterns ? here_->patterns->derivative(here_->derivative)
                      : here_->packed->derivative(here_->derivative);
    here_->derivative_is_current = true;
    return here_->derivative;
  }

  double distance() override {
    if (here_->patterns || !here_->packed) return DesignProducts::distance();
    if (here_->packed_reference != references().taken())
      here_->packed->take_reference(references().newer());
    here_->packed_reference = references().taken();
    return here_->packed->distance();
  }

  /// ℓ″ of every sample at x, weighted.
  const Vector& curvatures() {
    if (!here_->curvature_is_current) {
      here_->curvature.resize(design_.rows());
      loss_.curvature({prediction(), target_, settings_.sample_weights}, here_->curvature);
      here_->curvature_is_current = true;
    }
    return here_->curvature;
  }

  /// Second derivatives in x for these sample curvatures.
  void weighted_derivatives(const Support& rows, const Support& columns, const Vector& curvature,
                            Matrix& out) const {
    if (settings_.intercept)  // which follows x
      design_.weighted_covariances(rows, columns, curvature.data(),
                                   kernels::sum(curvature.size(), curvature.data()), out,
                                   settings_.threads);
    else
      design_.weighted_products(rows, columns, curvature.data(), out, settings_.threads);
    add_ridge(settings_.ridge, rows, columns, out);
  }

  const Loss& loss_;
  Vector target_;
  Settings settings_;

  double work_ = 0.0;            // besides full gradients
  std::array<Place, 2> places_;  // of the last two supports
  Place* here_ = places_.data();
  Index stay_ = 0;            // moves to the current support in a row
  bool is_prepared_ = false;  // whether a search for patterns is counted for this stay
  Support expected_;          // of the next points
  Intercept intercept_;
  OffSupportGradient outside_;

  std::optional<std::shared_ptr<const ColumnCodes>> target_codes_;  // null: too many values
};

}}  // namespace regiht::REGIHT_ABI
