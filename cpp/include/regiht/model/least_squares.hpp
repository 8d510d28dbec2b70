#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "regiht/model/design_products.hpp"
#include "regiht/model/gram/cache.hpp"
#include "regiht/model/gram/gradient.hpp"
#include "regiht/model/gram/policy.hpp"
#include "regiht/model/gram/products.hpp"
#include "regiht/model/ridge.hpp"
#include "regiht/model/settings.hpp"
#include "regiht/model/squares_along.hpp"
#include "regiht/objective.hpp"
#include "regiht/screening/off_support_gradient.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// f(x) = ½‖Ax − b‖² + (ridge/2)‖x‖², evaluated from inner products of columns.
///
/// With d = x − x̄ for a base point x̄ where everything is known,
///
///     f(x) = f(x̄) + ⟨ḡ, d⟩ + ½dᵀGd,    ∇f(x) = ḡ + Gd,
///
/// so that value and gradient on the support cost O(s²), whatever the number of rows. A new base is
/// taken before cancellation costs more than a few digits. Gradient entries off the support are
/// read from columns of the Gram matrix if these are known or soon pay off, and otherwise come from
/// the residual, which is formed only when some entry can matter.
class LeastSquares final : public Objective, private DesignProducts {
 public:
  struct Settings {
    double ridge = 0.0;
    bool screening = true;
    int threads = 1;
    std::shared_ptr<const Gram> gram;            ///< the whole Gram matrix, or null
    std::shared_ptr<GramColumns> gram_columns;   ///< its columns, if to be learned whole
    std::shared_ptr<const Vector> correlations;  ///< Aᵀb, or null
    DesignCache* cache = nullptr;                ///< of the design, or null
  };

  LeastSquares(const Design& design, ConstVectorView target, Settings settings)
      : DesignProducts(design, settings.cache, settings.threads),
        target_(target),
        settings_(std::move(settings)),
        inner_(design, settings_.gram, settings_.gram_columns, settings_.threads),
        gram_gradient_(inner_, settings_.screening),
        budget_(design.rows(), design.cols(), inner_.are_whole()),
        outside_(*this, settings_.screening && !inner_.knows_all()) {
    check_samples(design, Targets::real, target, nullptr, settings_.ridge);
    base_residual_ = -target_;
    base_value_ = half_squared_norm(target);
    target_norm_ = std::sqrt(2.0 * base_value_);
    base_gradient_.resize(design.cols());
    if (settings_.correlations)
      base_gradient_ = -*settings_.correlations;
    else if (inner_.are_whole())
      design.apply_transpose(base_residual_, base_gradient_, settings_.threads);
    if (inner_.are_whole()) gram_gradient_.take_base(base_gradient_);
  }

  Index dimension() const override { return design_.cols(); }

  double size() const override {
    return static_cast<double>(design_.rows()) * static_cast<double>(design_.cols());
  }

  double move_to(const SparseVector& x) override {
    x_ = x;
    residual_is_current_ = false;
    const double loss = loss_at_x();
    work_ += static_cast<double>((directly() ? design_.rows() : x_.size()) * x_.size());
    outside_.move_to(loss);
    return settings_.ridge == 0.0 ? loss : loss + 0.5 * settings_.ridge * x_.squared_norm();
  }

  const SparseVector& point() const override { return x_; }

  void gradient_on_support(VectorView out) override {
    if (directly()) {
      gradient_by_residual(out);
      return;
    }
    std::size_t at = 0;  // in d, which lists all that x lists
    for (std::size_t k = 0; k < x_.indices.size(); ++k, ++at) {
      const Index j = x_.indices[k];
      while (d_.indices[at] != j) ++at;
      out[static_cast<Index>(k)] =
          (base_gradient_[j] + products_with_d_[at]) + settings_.ridge * x_.values[k];
    }
  }

  void gradient_off_support(double magnitude, SparseVector& entries) override {
    gradient_entering(magnitude, {dimension(), {}}, entries);
  }

  bool wants_query() const override { return !reads_gram() && use_ != Verdict::not_yet; }

  void gradient_entering(double magnitude, const EntryQuery& query,
                         SparseVector& entries) override {
    outside_.ask();
    if (reads_gram()) {
      if (outside_.spent() == 0.0) outside_.count(1.0);  // the gradient at the first base
      gram_gradient_.read(magnitude, x_, base_gradient_, d_, entries);
      if (!inner_.knows_all() && !gram_gradient_.skipped())
        outside_.count(static_cast<double>(d_.size()) / static_cast<double>(design_.rows()));
      return;
    }
    if (use_ == Verdict::not_yet) {
      entries.clear();
      outside_.evaluate();
      append_outside(x_.indices, outside_.full(), magnitude, entries);
      return;
    }
    outside_.read(magnitude, query, entries);
  }

  void largest_off_support(Index count, SparseVector& entries) override {
    if (reads_gram() || use_ == Verdict::not_yet) {
      gradient_off_support(0.0, entries);
      return;
    }
    outside_.read_largest(count, entries);
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    const auto known = [&](Index j) { return inner_.knows(j); };
    const bool knows_rows = std::all_of(rows.begin(), rows.end(), known);
    const bool knows_columns = std::all_of(columns.begin(), columns.end(), known);
    if (inner_.are_whole() ? knows_rows || knows_columns : knows_rows && knows_columns) {
      out.resize(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
      for (std::size_t l = 0; l < columns.size(); ++l)
        for (std::size_t k = 0; k < rows.size(); ++k)
          out(static_cast<Index>(k), static_cast<Index>(l)) =
              knows_columns ? inner_.products(columns[l])[inner_.slot(rows[k])]
                            : inner_.products(rows[k])[inner_.slot(columns[l])];
    } else {
      design_.weighted_products(rows, columns, nullptr, out, settings_.threads);
      work_ += static_cast<double>(design_.rows() * out.size());
    }
    add_ridge(settings_.ridge, rows, columns, out);
  }

  bool second_derivatives_along(const Support& entries, const Matrix& directions,
                                Matrix& out) override {
    return squares_along(design_, entries, directions, nullptr, settings_.ridge, settings_.threads,
                         out, [](VectorView) {});
  }

  void curvatures(const Support& columns, VectorView out) override {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double norm = norms().norms[columns[k]];
      out[static_cast<Index>(k)] = norm * norm + settings_.ridge;
    }
  }

  bool is_quadratic() const override { return true; }

  void approximate_curvatures(VectorView out) override {
    out = norms().norms.array().square() + settings_.ridge;
  }

  double gradients_spent() const override { return outside_.spent(); }

  double work() const override { return work_ + outside_.spent() * gradient_work(); }

 private:
  using Verdict = GramPolicy::Verdict;

  /// Whether x is evaluated from the residual, without inner products.
  bool directly() const { return use_ != Verdict::use; }

  /// Whether all gradient entries at x can be read from columns of the Gram matrix.
  bool reads_gram() const { return inner_.are_whole() && !directly(); }

  static double half_squared_norm(ConstVectorView v) {
    return 0.5 * kernels::squared_norm(v.size(), v.data());
  }

  /// A value smaller than its terms by this factor has lost too many digits; so has one smaller by
  /// the second factor than the terms of the quadratic form, if columns are nearly dependent.
  static constexpr double digits_kept = 1e-3, inner_digits_kept = 1e-7;

  double loss_at_x() {
    if (!inner_.knows_all()) use_ = budget_.judge(x_.size(), outside_.is_rising());
    if (directly()) return half_squared_norm(derivative());
    for (const Index j : x_.indices)
      if (!inner_.knows(j)) add_column(j);
    const double loss = expand();
    if (std::abs(loss) >= least_exact_) return loss;
    take_base();
    return base_value_;
  }

  void add_column(Index column) {
    inner_.add_column(column);
    if (inner_.are_whole()) {
      outside_.count(1.0);
      budget_.pay(static_cast<double>(dimension()));
      return;
    }
    budget_.pay(static_cast<double>(inner_.known().size()));
    Vector entry(1);
    design_.apply_transpose({column}, base_residual_, entry, settings_.threads);
    base_gradient_[column] = entry[0];
  }

  void gradient_by_residual(VectorView out) {
    // If the full gradient will be asked for next, reading it is cheaper.
    if (use_ == Verdict::not_yet && outside_.was_asked()) {
      outside_.evaluate();
      outside_.read_full(x_.indices, out);
    } else {
      design_.apply_transpose(x_.indices, residual_, out, settings_.threads);
    }
    for (std::size_t k = 0; k < x_.values.size(); ++k)
      out[static_cast<Index>(k)] += settings_.ridge * x_.values[k];
  }

  /// Fills d and returns the loss at x from the expansion around the base, accurate enough unless
  /// it is below least_exact_.
  double expand() {
    difference(x_, base_, d_);
    around_base_.multiply(inner_, d_, products_with_d_);
    double linear = 0.0, quadratic = 0.0, squares = 0.0;
    for (std::size_t k = 0; k < d_.indices.size(); ++k) {
      linear += base_gradient_[d_.indices[k]] * d_.values[k];
      quadratic += products_with_d_[k] * d_.values[k];
      squares += around_base_.square(k) * d_.values[k] * d_.values[k];
    }
    const double largest_term = std::max({std::abs(base_value_), std::abs(linear), quadratic});
    least_exact_ = std::max(digits_kept * largest_term, inner_digits_kept * squares);
    return base_value_ + (linear + 0.5 * quadratic);
  }

  /// Sets d = 0 over the indices that x lists.
  void expand_at_base() {
    d_ = x_;
    std::fill(d_.values.begin(), d_.values.end(), 0.0);
    products_with_d_.assign(d_.values.size(), 0.0);
  }

  /// Makes x the base and recomputes the residual and all gradient entries in use.
  void take_base() {
    base_ = x_;
    base_residual_ = derivative();
    base_value_ = half_squared_norm(base_residual_);
    expand_at_base();
    if (inner_.are_whole()) {
      design_.apply_transpose(base_residual_, base_gradient_, settings_.threads);
      outside_.count(1.0);
      gram_gradient_.take_base(base_gradient_);
      return;
    }
    Vector entries(static_cast<Index>(inner_.known().size()));
    design_.apply_transpose(inner_.known(), base_residual_, entries, settings_.threads);
    for (std::size_t k = 0; k < inner_.known().size(); ++k)
      base_gradient_[inner_.known()[k]] = entries[static_cast<Index>(k)];
  }

  /// The residual at x.
  const Vector& derivative() override {
    if (!residual_is_current_) {
      residual_.resize(design_.rows());
      design_.apply(x_, 0.0, residual_, settings_.threads);
      residual_ -= target_;
      residual_is_current_ = true;
    }
    return residual_;
  }

  double take_reference() override {
    reference_point_ = x_;
    return DesignProducts::take_reference();
  }

  /// Avoids the residual unless x is evaluated from it.
  double distance() override {
    if (directly()) return DesignProducts::distance();
    difference(x_, reference_point_, from_reference_);
    around_reference_.multiply(inner_, from_reference_, products_from_reference_);
    double squared = 0.0, size = 0.0;
    for (std::size_t k = 0; k < from_reference_.indices.size(); ++k) {
      squared += products_from_reference_[k] * from_reference_.values[k];
      size +=
          std::abs(from_reference_.values[k]) * norms().roundoff_norms[from_reference_.indices[k]];
    }
    // The quadratic form carries its own rounding and that of the inner products; Σ|vⱼ|‖āⱼ‖ squared
    // bounds the sum of the magnitudes of its terms. Gradients come from residuals that carry the
    // rounding of their own sums.
    const double margin = dot_roundoff(design_.rows()) * 4.0 * size * size;
    return std::sqrt(std::max(squared, 0.0) + margin) + residual_roundoff(x_) +
           residual_roundoff(reference_point_);
  }

  /// Bounds the norm of the rounding error of the residual at a point.
  double residual_roundoff(const SparseVector& at) {
    double size = target_norm_;
    for (std::size_t k = 0; k < at.indices.size(); ++k)
      size += std::abs(at.values[k]) * norms().roundoff_norms[at.indices[k]];
    return static_cast<double>(at.size() + 8) * std::numeric_limits<double>::epsilon() * size;
  }

  Vector target_;
  Settings settings_;
  GramCache inner_;
  GramGradient gram_gradient_;
  GramPolicy budget_;
  Verdict use_ = Verdict::use;

  double work_ = 0.0;  // besides full gradients
  SparseVector x_;
  SparseVector d_;                       // x − base
  std::vector<double> products_with_d_;  // Gd, where d is listed
  GramProducts around_base_;
  Vector residual_;
  bool residual_is_current_ = false;

  SparseVector base_;
  Vector base_residual_, base_gradient_;
  double base_value_ = 0.0;
  double target_norm_ = 0.0;
  double least_exact_ = 0.0;

  OffSupportGradient outside_;
  SparseVector reference_point_, from_reference_;
  std::vector<double> products_from_reference_;
  GramProducts around_reference_;
};

}}  // namespace regiht::REGIHT_ABI
