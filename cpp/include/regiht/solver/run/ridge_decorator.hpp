#pragma once

#include <utility>
#include <vector>

#include "regiht/objective.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// f(x) + (strength/2)·Σ xⱼ², summed over the regularized entries: initially all.
class RidgeDecorator final : public Objective {
 public:
  RidgeDecorator(Objective& f, double strength)
      : f_(f), strength_(strength), regularized_(static_cast<std::size_t>(f.dimension()), true) {}

  bool regularizes(Index j) const { return regularized_[static_cast<std::size_t>(j)]; }
  void release(Index j) { regularized_[static_cast<std::size_t>(j)] = false; }

  /// f itself at the current point.
  double plain_value() const { return plain_value_; }

  Index dimension() const override { return f_.dimension(); }
  double size() const override { return f_.size(); }

  void expect(const Support& indices) override { f_.expect(indices); }

  double move_to(const SparseVector& x) override {
    plain_value_ = f_.move_to(x);
    double squares = 0.0;
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      if (regularizes(x.indices[k])) squares += x.values[k] * x.values[k];
    return plain_value_ + 0.5 * strength_ * squares;
  }

  const SparseVector& point() const override { return f_.point(); }

  void gradient_on_support(VectorView out) override {
    f_.gradient_on_support(out);
    const SparseVector& x = point();
    for (std::size_t k = 0; k < x.indices.size(); ++k)
      if (regularizes(x.indices[k])) out[static_cast<Index>(k)] += strength_ * x.values[k];
  }

  // Entries that x does not list are zero, and so is the gradient of the ridge there.
  void gradient_off_support(double magnitude, SparseVector& entries) override {
    f_.gradient_off_support(magnitude, entries);
  }
  bool wants_query() const override { return f_.wants_query(); }

  void gradient_entering(double magnitude, const EntryQuery& query,
                         SparseVector& entries) override {
    f_.gradient_entering(magnitude, query, entries);
  }
  void largest_off_support(Index count, SparseVector& entries) override {
    f_.largest_off_support(count, entries);
  }

  void second_derivatives(const Support& rows, const Support& columns, Matrix& out) override {
    f_.second_derivatives(rows, columns, out);
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (std::size_t l = 0; l < columns.size(); ++l)
        if (rows[k] == columns[l] && regularizes(rows[k]))
          out(static_cast<Index>(k), static_cast<Index>(l)) += strength_;
  }

  bool second_derivatives_along(const Support& entries, const Matrix& directions,
                                Matrix& out) override {
    if (!f_.second_derivatives_along(entries, directions, out)) return false;
    Matrix regularized = directions;
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (!regularizes(entries[k])) regularized.row(static_cast<Index>(k)).setZero();
    out += strength_ * (regularized.transpose() * regularized);
    return true;
  }

  bool majorizing_derivatives(const Support& entries, Matrix& out) override {
    if (!f_.majorizing_derivatives(entries, out)) return false;
    for (std::size_t k = 0; k < entries.size(); ++k)
      if (regularizes(entries[k])) out(static_cast<Index>(k), static_cast<Index>(k)) += strength_;
    return true;
  }

  void curvatures(const Support& columns, VectorView out) override {
    f_.curvatures(columns, out);
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (regularizes(columns[k])) out[static_cast<Index>(k)] += strength_;
  }

  bool is_quadratic() const override { return f_.is_quadratic(); }

  void approximate_curvatures(VectorView out) override {
    f_.approximate_curvatures(out);
    for (Index j = 0; j < out.size(); ++j)
      if (regularizes(j)) out[j] += strength_;
  }

  double gradients_spent() const override { return f_.gradients_spent(); }
  double work() const override { return f_.work(); }
  bool has_intercept() const override { return f_.has_intercept(); }
  double intercept() const override { return f_.intercept(); }

 private:
  Objective& f_;
  double strength_;
  std::vector<bool> regularized_;
  double plain_value_ = 0.0;
};

}}  // namespace regiht::REGIHT_ABI
