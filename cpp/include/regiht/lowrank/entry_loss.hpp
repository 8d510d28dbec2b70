#pragma once

#include <algorithm>
#include <cmath>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// Numbers in single or double precision. The memory is borrowed.
class EntryValues {
 public:
  EntryValues(const double* numbers) : wide_(numbers) {}
  EntryValues(const float* numbers) : narrow_(numbers) {}

  double operator[](Index at) const {
    return narrow_ == nullptr ? wide_[at] : static_cast<double>(narrow_[at]);
  }

 private:
  const double* wide_ = nullptr;
  const float* narrow_ = nullptr;
};

/// The losses of the observed entries, in row order. The memory is borrowed.
struct EntryLoss {
  enum class Kind {
    squared,  ///< ½ · weight · (z − target)²
    logistic  ///< weight · log(1 + exp(−target · z)), targets −1 and 1
  };

  Kind kind;
  EntryValues target;
  const double* weights;  ///< null: all are one

  /// A bound on the second derivative of a loss of weight one.
  double curvature() const { return kind == Kind::squared ? 1.0 : 0.25; }

  double weight(Index at) const { return weights == nullptr ? 1.0 : weights[at]; }

  double value(Index at, double z) const {
    const double t = target[at];
    if (kind == Kind::squared) return weight(at) * (0.5 * (z - t) * (z - t));
    const double margin = t * z;
    return weight(at) * (std::log1p(std::exp(-std::abs(margin))) - std::min(margin, 0.0));
  }

  double second_derivative(Index at, double z) const {
    if (kind == Kind::squared) return weight(at);
    const double decay = std::exp(-std::abs(z));
    return weight(at) * decay / ((1.0 + decay) * (1.0 + decay));
  }

  double derivative(Index at, double z) const {
    const double t = target[at];
    if (kind == Kind::squared) return weight(at) * (z - t);
    const double decay = std::exp(-std::abs(z));  // never overflows
    return -weight(at) * t * ((t * z > 0.0 ? decay : 1.0) / (1.0 + decay));
  }
};

}}}  // namespace regiht::REGIHT_ABI::lowrank
