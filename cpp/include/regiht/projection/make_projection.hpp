#pragma once

#include <memory>
#include <utility>

#include "regiht/options/options.hpp"
#include "regiht/projection/largest_entries.hpp"
#include "regiht/projection/largest_groups.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The projection onto `count` entries or groups with these kept, under the other options.
inline std::unique_ptr<Projection> make_projection(const Options& options, Index count,
                                                   Support kept) {
  if (options.groups)
    return std::make_unique<LargestGroups>(count, kept, options.positive, options.groups);
  return std::make_unique<LargestEntries>(count, std::move(kept), options.positive);
}

/// The projection that the options ask for.
inline std::unique_ptr<Projection> make_projection(const Options& options) {
  return make_projection(options, options.sparsity, options.keep);
}

}}  // namespace regiht::REGIHT_ABI
