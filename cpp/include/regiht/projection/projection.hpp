#pragma once

#include "regiht/objective.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Projection onto the set of allowed vectors.
class Projection {
 public:
  virtual ~Projection() = default;

  /// x ← the nearest allowed vector; the entries that it then lists are the support.
  virtual void apply(SparseVector& x) = 0;

  /// The magnitude that an entry not listed in x must reach to be selected.
  virtual double entry_magnitude(const SparseVector& x) const = 0;

  /// Describes the slots and incumbents that entries not listed in x compete with; false if
  /// magnitudes alone do not decide.
  virtual bool describe_contest(const SparseVector& /*x*/, EntryQuery& /*query*/) const {
    return false;
  }
};

}}  // namespace regiht::REGIHT_ABI
