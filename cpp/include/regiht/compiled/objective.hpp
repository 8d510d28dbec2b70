#pragma once

// Objectives of your own for the compiled library; without Eigen, and quick to compile.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "regiht.h"
#include "regiht/version.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace compiled {

/// Borrowed numbers that lie one after another.
template <class T>
class Span {
 public:
  Span(T* data, std::int64_t size) : data_(data), size_(size) {}

  T* data() const { return data_; }
  std::size_t size() const { return static_cast<std::size_t>(size_); }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  template <class Position>
  T& operator[](Position k) const {
    return data_[k];
  }

 private:
  T* data_;
  std::int64_t size_;
};

using Indices = Span<const std::int64_t>;  ///< in ascending order

/// The listed entries of a vector, some of which may be zero; all others are.
struct Point {
  Indices indices;
  Span<const double> values;
};

/// A matrix to write.
class Block {
 public:
  Block(double* data, std::int64_t rows) : data_(data), rows_(rows) {}

  template <class Position>
  double& operator()(Position k, Position l) const {
    return data_[static_cast<std::int64_t>(k) + rows_ * static_cast<std::int64_t>(l)];
  }

 private:
  double* data_;
  std::int64_t rows_;
};

/// A list of gradient entries to fill, in ascending order of index.
class Entries {
 public:
  Entries(std::int64_t* indices, double* values, std::int64_t room)
      : indices_(indices), values_(values), room_(room) {}

  void append(std::int64_t index, double value) {
    if (size_ == room_) throw std::length_error("more gradient entries than variables");
    indices_[size_] = index;
    values_[size_++] = value;
  }

  /// Appends the entries of a full gradient of at least this magnitude, except those `inside`.
  void append_outside(Indices inside, const double* full, double magnitude) {
    std::int64_t j = 0;
    for (const std::int64_t next : inside) {
      append_range(j, next, full, magnitude);
      j = next + 1;
    }
    append_range(j, room_ + static_cast<std::int64_t>(inside.size()), full, magnitude);
  }

  std::int64_t size() const { return size_; }

 private:
  void append_range(std::int64_t first, std::int64_t end, const double* full, double magnitude) {
    // The negated comparison also appends a NaN, so that the solver sees it.
    for (std::int64_t j = first; j < end; ++j)
      if (!(std::abs(full[j]) < magnitude)) append(j, full[j]);
  }

  std::int64_t* indices_;
  double* values_;
  std::int64_t room_, size_ = 0;
};

/// A convex function as the solvers see it, positioned at the point of the last move_to.
///
/// Functions are called one at a time, on the thread that solves. Their exceptions end the solve
/// and pass through it; the objective may be used again afterwards. A value or derivative that is
/// not finite is a failed step.
class Objective {
 public:
  virtual ~Objective() = default;

  /// The number of variables; never changes.
  virtual std::int64_t dimension() const = 0;

  /// Moves to x and returns f(x); the arrays of x stay valid until the next move_to.
  virtual double move_to(const Point& x) = 0;

  /// Writes ∂f/∂xⱼ for each j that the point lists.
  virtual void gradient_on_support(Span<double> out) = 0;

  /// Lists every j that the point does not list with |∂f/∂xⱼ| ≥ magnitude; may list others as well.
  virtual void gradient_off_support(double magnitude, Entries& entries) = 0;

  /// out(k, l) = ∂²f/∂xᵢ∂xⱼ with i = rows[k] and j = columns[l]. False if unsupported: the solvers
  /// then take differences of gradients.
  virtual bool second_derivatives(Indices /*rows*/, Indices /*columns*/, Block /*out*/) {
    return false;
  }

  /// Whether the second derivatives are constant; the answer must never change.
  virtual bool is_quadratic() const { return false; }

  /// Gradients computed so far, in units of one full gradient; by default, calls of
  /// gradient_off_support are counted.
  virtual std::optional<double> gradients_spent() const { return std::nullopt; }
};

/// A convex function given by its values and gradients at dense points, x[0] … x[dimension − 1].
///
/// The same rules; less to write, but every gradient is a full one.
class DenseObjective {
 public:
  virtual ~DenseObjective() = default;

  virtual std::int64_t dimension() const = 0;
  virtual double value(const double* x) = 0;

  /// Writes ∂f/∂xⱼ for every j.
  virtual void gradient(const double* x, double* out) = 0;

  /// As in Objective, at x.
  virtual bool second_derivatives(const double* /*x*/, Indices /*rows*/, Indices /*columns*/,
                                  Block /*out*/) {
    return false;
  }

  virtual bool is_quadratic() const { return false; }
};

namespace detail {

/// Catches exceptions of an objective before they reach the C interface.
class ObjectiveCalls {
 public:
  virtual ~ObjectiveCalls() = default;

  /// The problem that calls the objective.
  virtual regiht_problem* make_problem() = 0;

  void forget_thrown() { thrown_ = nullptr; }

  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 protected:
  /// The code that a function of the C interface returns.
  template <class Work>
  int caught(Work&& work) noexcept {
    try {
      return work();
    } catch (...) {
      thrown_ = std::current_exception();
      return REGIHT_FAILED;
    }
  }

  static int supported(bool answered) {
    if (answered) return REGIHT_OK;
    return REGIHT_UNSUPPORTED;
  }

 private:
  std::exception_ptr thrown_;
};

class SparseCalls final : public ObjectiveCalls {
 public:
  explicit SparseCalls(Objective& objective) : objective_(objective) {}

  regiht_problem* make_problem() override {
    regiht_objective functions = {};
    functions.dimension = objective_.dimension();
    functions.is_quadratic = objective_.is_quadratic();
    functions.move_to = [](std::int64_t count, const std::int64_t* indices, const double* values,
                           double* value, void* context) {
      SparseCalls& self = *static_cast<SparseCalls*>(context);
      self.count_ = count;
      return self.caught([&] {
        *value = self.objective_.move_to({{indices, count}, {values, count}});
        return REGIHT_OK;
      });
    };
    functions.gradient_on_support = [](double* gradient, void* context) {
      SparseCalls& self = *static_cast<SparseCalls*>(context);
      return self.caught([&] {
        self.objective_.gradient_on_support({gradient, self.count_});
        return REGIHT_OK;
      });
    };
    functions.gradient_off_support = [](double magnitude, std::int64_t* count,
                                        std::int64_t* indices, double* derivatives, void* context) {
      SparseCalls& self = *static_cast<SparseCalls*>(context);
      return self.caught([&] {
        Entries entries(indices, derivatives, self.objective_.dimension() - self.count_);
        self.objective_.gradient_off_support(magnitude, entries);
        *count = entries.size();
        return REGIHT_OK;
      });
    };
    functions.second_derivatives = [](std::int64_t row_count, const std::int64_t* rows,
                                      std::int64_t column_count, const std::int64_t* columns,
                                      double* out, void* context) {
      SparseCalls& self = *static_cast<SparseCalls*>(context);
      return self.caught([&] {
        return supported(self.objective_.second_derivatives(
            {rows, row_count}, {columns, column_count}, {out, row_count}));
      });
    };
    functions.gradients_spent = [](double* count, void* context) {
      SparseCalls& self = *static_cast<SparseCalls*>(context);
      return self.caught([&] {
        const std::optional<double> spent = self.objective_.gradients_spent();
        *count = spent.value_or(0.0);
        return supported(spent.has_value());
      });
    };
    return regiht_problem_new_objective(&functions, this);
  }

 private:
  Objective& objective_;
  std::int64_t count_ = 0;  // of the entries of the point
};

class DenseCalls final : public ObjectiveCalls {
 public:
  explicit DenseCalls(DenseObjective& objective) : objective_(objective) {}

  regiht_problem* make_problem() override {
    regiht_dense_objective functions = {};
    functions.dimension = objective_.dimension();
    functions.is_quadratic = objective_.is_quadratic();
    functions.value = [](const double* x, double* value, void* context) {
      DenseCalls& self = *static_cast<DenseCalls*>(context);
      return self.caught([&] {
        *value = self.objective_.value(x);
        return REGIHT_OK;
      });
    };
    functions.gradient = [](const double* x, double* gradient, void* context) {
      DenseCalls& self = *static_cast<DenseCalls*>(context);
      return self.caught([&] {
        self.objective_.gradient(x, gradient);
        return REGIHT_OK;
      });
    };
    functions.second_derivatives = [](const double* x, std::int64_t row_count,
                                      const std::int64_t* rows, std::int64_t column_count,
                                      const std::int64_t* columns, double* out, void* context) {
      DenseCalls& self = *static_cast<DenseCalls*>(context);
      return self.caught([&] {
        return supported(self.objective_.second_derivatives(
            x, {rows, row_count}, {columns, column_count}, {out, row_count}));
      });
    };
    return regiht_problem_new_dense_objective(&functions, this);
  }

 private:
  DenseObjective& objective_;
};

}  // namespace detail

}}}  // namespace regiht::REGIHT_ABI::compiled
