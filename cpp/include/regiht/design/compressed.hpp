#pragma once

#include <stdexcept>
#include <string>

#include "regiht/types.hpp"

namespace regiht {

/// The three arrays of a compressed sparse matrix, borrowed: entries of slice k (a column of a CSC
/// matrix, a row of a CSR matrix) stand at [offsets[k], offsets[k + 1]).
template <class Value, class StorageIndex>
struct Compressed {
  const Value* values;
  const StorageIndex* indices;
  const StorageIndex* offsets;

  Index begin(Index slice) const { return static_cast<Index>(offsets[slice]); }
  Index end(Index slice) const { return static_cast<Index>(offsets[slice + 1]); }
  Index length(Index slice) const { return end(slice) - begin(slice); }
};

/// How well-formed the index arrays of a compressed matrix are.
enum class Structure { sorted, unsorted, bad_offsets, index_out_of_range };

/// Looks at every index once, so that no later loop can leave the arrays.
template <class StorageIndex>
Structure inspect(const StorageIndex* indices, const StorageIndex* offsets, Index slices,
                  Index slice_size, Index stored) {
  if (offsets[0] != 0 || static_cast<Index>(offsets[slices]) > stored)
    return Structure::bad_offsets;
  for (Index k = 0; k < slices; ++k)
    if (offsets[k] > offsets[k + 1]) return Structure::bad_offsets;
  bool sorted = true;
  for (Index k = 0; k < slices; ++k) {
    Index previous = -1;
    for (Index i = static_cast<Index>(offsets[k]); i < static_cast<Index>(offsets[k + 1]); ++i) {
      const Index index = static_cast<Index>(indices[i]);
      if (index < 0 || index >= slice_size) return Structure::index_out_of_range;
      sorted = sorted && index > previous;
      previous = index;
    }
  }
  return sorted ? Structure::sorted : Structure::unsorted;
}

}  // namespace regiht
