#pragma once

#include "regiht/objective.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Which vectors are allowed, as a solver sees it: by the nearest one to any other.
class Projection {
 public:
  virtual ~Projection() = default;

  /// x ← the nearest allowed vector. What it then lists is the support.
  virtual void apply(SparseVector& x) = 0;

  /// The magnitude that an entry not listed in x must reach to be selected beside those listed.
  virtual double entry_magnitude(const SparseVector& x) const = 0;

  /// Says what entries not listed in x compete for with those listed; false if more than their
  /// magnitudes decides.
  virtual bool describe_contest(const SparseVector& /*x*/, EntryQuery& /*query*/) const {
    return false;
  }
};

}}  // namespace regiht::REGIHT_ABI
