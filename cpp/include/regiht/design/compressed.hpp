#pragma once

#include <stdexcept>
#include <string>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The three borrowed arrays of a compressed sparse matrix: the entries of slice k (a column in
/// CSC, a row in CSR) are at [offsets[k], offsets[k + 1]), with ascending indices, each once. Only
/// `checked` looks whether that is so.
template <class Value, class StorageIndex>
struct Compressed {
  const Value* values;
  const StorageIndex* indices;
  const StorageIndex* offsets;

  Index begin(Index slice) const { return static_cast<Index>(offsets[slice]); }
  Index end(Index slice) const { return static_cast<Index>(offsets[slice + 1]); }
  Index length(Index slice) const { return end(slice) - begin(slice); }
};

/// Whether the index arrays of a compressed matrix are well-formed.
enum class Structure { sorted, unsorted, bad_offsets, index_out_of_range };

/// Checks every index once, so that no later loop can leave the arrays.
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

/// Returns the arrays if no later loop can leave them and the indices of every slice ascend, as
/// designs require; else throws std::invalid_argument. `stored` is the number of entries.
template <class Value, class StorageIndex>
Compressed<Value, StorageIndex> checked(Compressed<Value, StorageIndex> matrix, Index slices,
                                        Index slice_size, Index stored) {
  const auto require = [](bool holds, const char* text) {
    if (!holds) throw std::invalid_argument(text);
  };
  const Structure found = inspect(matrix.indices, matrix.offsets, slices, slice_size, stored);
  require(found != Structure::bad_offsets,
          "offsets must begin with 0, must not fall and must not pass the number of entries");
  require(found != Structure::index_out_of_range, "an index is below 0 or beyond the matrix");
  require(found == Structure::sorted, "the indices of a slice must ascend without repetition");
  return matrix;
}

}}  // namespace regiht::REGIHT_ABI
