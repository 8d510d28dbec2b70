#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "regiht/design/design.hpp"
#include "regiht/loss/intercept.hpp"
#include "regiht/loss/loss.hpp"
#include "regiht/model/design_products.hpp"
#include "regiht/model/places.hpp"
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
      here().is_evaluated = false;  // intercept searches start elsewhere now
    }
  }

  Index dimension() const override { return design_.cols(); }

  double size() const override {
    return static_cast<double>(design_.rows()) * static_cast<double>(design_.cols());
  }

  void expect(const Support& support) override { expected_ = support; }

  double move_to(const SparseVector& x) override {
    Place& before = here();
    if (x.indices != here().x.indices) go_to(x.indices);
    ++here().moves;
    ++stay_;
    const bool is_expected = x.indices == expected_;
    expected_.clear();
    if (is_expected || stay_ == patience) count_preparation();
    if (is_expected || here().moves == patience) find_patterns();
    if (here().moves == packing_patience) pack();
    if (here().is_evaluated && x.values == here().x.values) {
      if (&here() != &before || here().patterns || here().packed) count_evaluation();
    } else {
      // Listing more or fewer zeros does not change the point.
      const bool same_point = before.holds_rows() && !here().patterns && !here().packed &&
                              same_but_for_zeros(x, before.x);
      here().x = x;
      if (!same_point)
        evaluate();
      else if (&here() != &before)
        here().take_evaluation(before);
    }
    outside_.move_to(here().loss_sum);
    return settings_.ridge == 0.0 ? here().loss_sum
                                  : here().loss_sum + 0.5 * settings_.ridge * x.squared_norm();
  }

  const SparseVector& point() const override { return here().x; }

  void gradient_on_support(VectorView out) override {
    if (here().patterns)
      here().patterns->gradient(out);
    else if (here().packed)
      here().packed->gradient(out);
    else
      gradient_by_rows(out);
    for (std::size_t k = 0; k < here().x.values.size(); ++k)
      out[static_cast<Index>(k)] += settings_.ridge * here().x.values[k];
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
    if (here().patterns && rows == here().x.indices && columns == rows) {
      here().patterns->second_derivatives(settings_.intercept, out);
      add_ridge(settings_.ridge, rows, columns, out);
      work_ += static_cast<double>(here().patterns->count() * out.size());
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
  double intercept() const override { return here().intercept; }

 private:
  /// Patterns are searched for after this many moves to one support: about what that costs.
  static constexpr Index patience = 6;

  /// The cost of the loss for one row, in multiply-adds.
  static constexpr Index cost_of_loss = 10;

  void go_to(const Support& support) {
    places_.go_to(support);
    stay_ = 0;
    is_prepared_ = false;
  }

  Place& here() { return places_.here(); }
  const Place& here() const { return places_.here(); }

  void find_patterns() {
    if (here().is_searched_for_patterns) return;
    here().is_searched_for_patterns = true;
    const Support& support = here().x.indices;
    if (!settings_.cache || support.empty()) return;
    if (!target_codes_) target_codes_ = ColumnCodes::of(target_);
    if (!*target_codes_) return;
    CodesOfColumns codes = settings_.cache->codes(design_, support);
    if (codes.empty()) return;
    codes.push_back(*target_codes_);
    std::optional<RowPatterns> patterns = RowPatterns::of(codes, design_.rows());
    count_search();
    if (!patterns) return;
    here().patterns.emplace(loss_, codes, std::move(*patterns), settings_.sample_weights);
    here().is_evaluated = false;
  }

  void pack() {
    if (here().patterns || !packing_pays(design_, here().x.indices)) return;
    ColumnEntries entries;
    if (!design_.list_entries(here().x.indices, entries)) return;
    here().packed.emplace(std::move(entries), loss_, target_, settings_.sample_weights,
                          settings_.threads);
    here().packed_reference = 0;
    here().is_evaluated = false;
  }

  void evaluate() {
    here().prediction.resize(design_.rows());
    here().derivative.resize(design_.rows());
    here().curvature_is_current = false;
    Intercept* const intercept = settings_.intercept ? &intercept_ : nullptr;
    here().loss_sum = here().patterns ? here().patterns->move_to(here().x.values, intercept)
                      : here().packed ? here().packed->move_to(here().x.values, intercept)
                                      : evaluate_by_rows();
    here().intercept = intercept_.value();
    here().evaluations = settings_.intercept ? intercept_.evaluations() : 1;
    here().prediction_is_current = here().derivative_is_current =
        !here().packed && !here().patterns;
    here().is_evaluated = true;
    count_evaluation();
  }

  // Work is counted as though nothing were known of a support when f comes back to it: what a
  // search affords is to depend on where it goes, not on what is remembered.

  /// Counts another search for patterns where there are some.
  void count_preparation() {
    if (!is_prepared_ && here().patterns) count_search();
    is_prepared_ = true;
  }

  void count_search() { work_ += static_cast<double>(design_.rows() * here().x.size()); }

  /// Counts an evaluation and the gradient on the support that usually follows.
  void count_evaluation() {
    const bool by_pattern = here().patterns && is_prepared_;
    const Index rows = by_pattern ? here().patterns->count() : design_.rows();
    work_ += static_cast<double>(cost_of_loss * rows * here().evaluations);
    if (by_pattern) {
      work_ += static_cast<double>(2 * rows * here().x.size());
    } else {
      for (const Index j : here().x.indices) work_ += 2.0 * design_.column_cost(j);
    }
  }

  void count_products(const Support& rows, const Support& columns) {
    for (const Index j : columns)
      work_ += design_.column_cost(j) * static_cast<double>(rows.size());
  }

  double evaluate_by_rows() {
    design_.apply(here().x, intercept_.start(), here().prediction, settings_.threads);
    if (!settings_.intercept)
      return loss_.evaluate({here().prediction, target_, settings_.sample_weights},
                            here().derivative, settings_.threads);
    ShiftedSamples samples(loss_, here().prediction, target_, settings_.sample_weights,
                           here().derivative, settings_.threads);
    return intercept_.settle(samples);
  }

  void gradient_by_rows(VectorView out) {
    if (outside_.expects_full()) outside_.evaluate();
    if (outside_.is_current())
      outside_.read_full(here().x.indices, out);
    else
      design_.apply_transpose(here().x.indices, here().derivative, out, settings_.threads);
  }

  /// Ax in the row order of the design, unlike in the packed model.
  const Vector& prediction() {
    if (!here().prediction_is_current)
      here().patterns ? here().patterns->prediction(here().prediction)
                      : here().packed->prediction(here().prediction);
    here().prediction_is_current = true;
    return here().prediction;
  }

  const Vector& derivative() override {
    if (!here().derivative_is_current)
      here().patterns ? here().patterns->derivative(here().derivative)
                      : here().packed->derivative(here().derivative);
    here().derivative_is_current = true;
    return here().derivative;
  }

  double distance() override {
    if (here().patterns || !here().packed) return DesignProducts::distance();
    if (here().packed_reference != references().taken())
      here().packed->take_reference(references().newer());
    here().packed_reference = references().taken();
    return here().packed->distance();
  }

  /// ℓ″ of every sample at x, weighted.
  const Vector& curvatures() {
    if (!here().curvature_is_current) {
      here().curvature.resize(design_.rows());
      loss_.curvature({prediction(), target_, settings_.sample_weights}, here().curvature);
      here().curvature_is_current = true;
    }
    return here().curvature;
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

  double work_ = 0.0;  // besides full gradients
  Places places_;
  Index stay_ = 0;            // moves to the current support in a row
  bool is_prepared_ = false;  // whether a search for patterns is counted for this stay
  Support expected_;          // of the next points
  Intercept intercept_;
  OffSupportGradient outside_;

  std::optional<std::shared_ptr<const ColumnCodes>> target_codes_;  // null: too many values
};

}}  // namespace regiht::REGIHT_ABI
