#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>

#include "regiht/objective.hpp"
#include "regiht/options/options.hpp"
#include "regiht/projection/make_projection.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// Whether x has room for another entry, or group.
inline bool has_room(const Options& options, const SparseVector& x) {
  return options.count_units(x.indices) < options.sparsity;
}

/// The smallest entry of x that is not kept; −1 if there is none.
inline Index smallest_not_kept(const Options& options, const SparseVector& x) {
  Index found = -1;
  double least = 0.0;
  for (std::size_t k = 0; k < x.indices.size(); ++k) {
    if (std::binary_search(options.keep.begin(), options.keep.end(), x.indices[k])) continue;
    if (found >= 0 && !(std::abs(x.values[k]) < least)) continue;
    found = x.indices[k];
    least = std::abs(x.values[k]);
  }
  return found;
}

/// Drops entries of x, or groups, that are zero and not kept.
inline void drop_zeros(const Options& options, SparseVector& x) {
  const Index enough = x.size() + static_cast<Index>(options.keep.size());
  make_projection(options, enough, options.keep)->apply(x);
}

/// Lists −∇ⱼf for the `count` entries, or groups, off the support along which f falls most steeply;
/// fewer if the options allow no more.
inline void steepest_off_support(Objective& f, const Options& options, Index count,
                                 SparseVector& entries) {
  const auto allowed = make_projection(options, count, {});
  if (!options.groups) {
    // About half of the largest gradients have the right sign.
    const Index some = options.positive ? 4 * count + 16 : count;
    f.largest_off_support(some, entries);
    assert(are_off_support(entries, f.point().indices));
    LargestEntries(some, {}).apply(entries);
    negate(entries);
    allowed->apply(entries);
    if (!options.positive || entries.size() == count) return;
  }
  f.gradient_off_support(0.0, entries);
  assert(are_off_support(entries, f.point().indices));
  negate(entries);
  allowed->apply(entries);
}

}}  // namespace regiht::REGIHT_ABI
