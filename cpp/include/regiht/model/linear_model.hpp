#pragma once

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

  LinearModel(const Design& design, const Loss& loss, ConstVectorView target, Settings settings)
      : DesignProducts(design, settings.cache, settings.threads),
        loss_(loss),
        target_(target),
        settings_(settings),
        prediction_(design.rows()),
        derivative_(design.rows()),
        outside_(*this, settings_.screening) {
    check_samples(design, loss.targets(), target, settings_.sample_weights, settings_.ridge);
    if (settings_.intercept) {
      move_to({});
      intercept_.begin_here();
      is_evaluated_ = false;  // intercept searches start elsewhere now
    }
  }

  Index dimension() const override { return design_.cols(); }

  double size() const override {
    return static_cast<double>(design_.rows()) * static_cast<double>(design_.cols());
  }

  void expect(const Support& support) override {
    if (support == patterned_) return;
    patterns_.reset();
    patterned_ = support;
    if (!settings_.cache || support.empty()) return;
    if (!target_codes_) target_codes_ = ColumnCodes::of(target_);
    if (!*target_codes_) return;
    CodesOfColumns codes = settings_.cache->codes(design_, support);
    if (codes.empty()) return;
    codes.push_back(*target_codes_);
    std::optional<RowPatterns> patterns = RowPatterns::of(codes, design_.rows());
    work_ += static_cast<double>(design_.rows()) * static_cast<double>(support.size());
    if (patterns) patterns_.emplace(loss_, codes, std::move(*patterns), settings_.sample_weights);
  }

  double move_to(const SparseVector& x) override {
    // Listing more or fewer zeros does not change the point.
    const bool is_here = is_evaluated_ && prediction_is_current_ && derivative_is_current_ &&
                         !packed_ && !patterns_ && same_but_for_zeros(x, x_);
    if (x.indices != patterned_) forget_patterns();
    pack_if_it_stays(x.indices);
    x_ = x;
    if (patterns_ || packed_ || !is_here) evaluate();
    outside_.move_to(loss_sum_);
    return settings_.ridge == 0.0 ? loss_sum_
                                  : loss_sum_ + 0.5 * settings_.ridge * x_.squared_norm();
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    if (patterns_)
      patterns_->gradient(out);
    else if (packed_)
      packed_->gradient(out);
    else
      gradient_by_rows(out);
    for (std::size_t k = 0; k < x_.values.size(); ++k)
      out[static_cast<Index>(k)] += settings_.ridge * x_.values[k];
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
    if (patterns_ && rows == patterned_ && columns == patterned_) {
      patterns_->second_derivatives(settings_.intercept, out);
      add_ridge(settings_.ridge, rows, columns, out);
      work_ += static_cast<double>(patterns_->count() * out.size());
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
  double intercept() const override { return intercept_.value(); }

 private:
  /// Columns are packed after this many consecutive moves to one support: about what packing costs.
  static constexpr Index patience = 6;

  /// The cost of the loss for one row, in multiply-adds.
  static constexpr Index cost_of_loss = 10;

  void forget_patterns() {
    patterns_.reset();
    patterned_.clear();
  }

  void pack_if_it_stays(const Support& support) {
    if (support != x_.indices) {
      packed_.reset();
      moves_ = 0;
    }
    if (++moves_ != patience) return;
    expect(support);
    if (patterns_ || !packing_pays(design_, support)) return;
    ColumnEntries entries;
    if (!design_.list_entries(support, entries)) return;
    packed_.emplace(std::move(entries), loss_, target_, settings_.sample_weights,
                    settings_.threads);
    packed_reference_ = 0;
  }

  void evaluate() {
    curvature_is_current_ = false;
    Intercept* const intercept = settings_.intercept ? &intercept_ : nullptr;
    loss_sum_ = patterns_ ? patterns_->move_to(x_.values, intercept)
                : packed_ ? packed_->move_to(x_.values, intercept)
                          : evaluate_by_rows();
    prediction_is_current_ = derivative_is_current_ = !packed_ && !patterns_;
    is_evaluated_ = true;
    count_evaluation();
  }

  /// Counts an evaluation and the gradient on the support that usually follows.
  void count_evaluation() {
    const Index rows = patterns_ ? patterns_->count() : design_.rows();
    const int evaluations = settings_.intercept ? intercept_.evaluations() : 1;
    work_ += static_cast<double>(cost_of_loss * rows * evaluations);
    if (patterns_) {
      work_ += static_cast<double>(2 * rows * x_.size());
    } else {
      for (const Index j : x_.indices) work_ += 2.0 * design_.column_cost(j);
    }
  }

  void count_products(const Support& rows, const Support& columns) {
    for (const Index j : columns)
      work_ += design_.column_cost(j) * static_cast<double>(rows.size());
  }

  double evaluate_by_rows() {
    design_.apply(x_, intercept_.start(), prediction_, settings_.threads);
    if (!settings_.intercept)
      return loss_.evaluate({prediction_, target_, settings_.sample_weights}, derivative_,
                            settings_.threads);
    ShiftedSamples samples(loss_, prediction_, target_, settings_.sample_weights, derivative_,
                           settings_.threads);
    return intercept_.settle(samples);
  }

  void gradient_by_rows(VectorView out) {
    if (outside_.expects_full()) outside_.evaluate();
    if (outside_.is_current())
      outside_.read_full(x_.indices, out);
    else
      design_.apply_transpose(x_.indices, derivative_, out, settings_.threads);
  }

  /// Ax in the row order of the design, unlike in the packed model.
  const Vector& prediction() {
    if (!prediction_is_current_)
      patterns_ ? patterns_->prediction(prediction_) : packed_->prediction(prediction_);
    prediction_is_current_ = true;
    return prediction_;
  }

  const Vector& derivative() override {
    if (!derivative_is_current_)
      patterns_ ? patterns_->derivative(derivative_) : packed_->derivative(derivative_);
    derivative_is_current_ = true;
    return derivative_;
  }

  double distance() override {
    if (patterns_ || !packed_) return DesignProducts::distance();
    if (packed_reference_ != references().taken()) packed_->take_reference(references().newer());
    packed_reference_ = references().taken();
    return packed_->distance();
  }

  /// ℓ″ of every sample at x, weighted.
  const Vector& curvatures() {
    if (!curvature_is_current_) {
      curvature_.resize(design_.rows());
      loss_.curvature({prediction(), target_, settings_.sample_weights}, curvature_);
      curvature_is_current_ = true;
    }
    return curvature_;
  }

  /// Second derivatives in x for these sample curvatures.
  void weighted_derivatives(const Support& rows, const Support& columns, const Vector& curvature,
                            Matrix& out) const {
    design_.weighted_products(rows, columns, curvature.data(), out, settings_.threads);
    if (settings_.intercept) subtract_intercept(rows, columns, curvature, out);
    add_ridge(settings_.ridge, rows, columns, out);
  }

  /// Since the intercept follows x, the second derivatives are H − h hᵀ/c: H at a fixed intercept,
  /// h and c the derivatives that involve it.
  void subtract_intercept(const Support& rows, const Support& columns, const Vector& curvature,
                          Matrix& out) const {
    const double total = kernels::sum(curvature.size(), curvature.data());
    if (!(total > 0.0)) return;
    Vector left(out.rows()), right(out.cols());
    design_.apply_transpose(rows, curvature, left, settings_.threads);
    design_.apply_transpose(columns, curvature, right, settings_.threads);
    out.noalias() -= left * (right / total).transpose();
  }

  const Loss& loss_;
  Vector target_;
  Settings settings_;

  double work_ = 0.0;  // besides full gradients
  SparseVector x_;
  double loss_sum_ = 0.0;
  bool is_evaluated_ = false;
  Intercept intercept_;
  Vector prediction_, derivative_, curvature_;
  bool prediction_is_current_ = true, derivative_is_current_ = true;
  bool curvature_is_current_ = false;
  OffSupportGradient outside_;

  std::optional<std::shared_ptr<const ColumnCodes>> target_codes_;  // null: too many values
  std::optional<PatternModel> patterns_;                            // if many rows agree
  Support patterned_;                  // the support last checked for patterns
  std::optional<PackedModel> packed_;  // columns of a support that stays
  Index moves_ = 0;                    // to the current support
  Index packed_reference_ = 0;         // the number of the reference in packed_
};

}}  // namespace regiht::REGIHT_ABI
