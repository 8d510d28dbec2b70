#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/model/packed/column_codes.hpp"

namespace regiht { inline namespace REGIHT_ABI {

using CodesOfColumns = std::vector<std::shared_ptr<const ColumnCodes>>;

/// Groups rows that agree in some vectors: row i has pattern number[i]; patterns are in order of
/// their first rows.
struct RowPatterns {
  std::vector<std::int32_t> number;
  std::vector<std::int32_t> first_row;  ///< of each pattern

  Index count() const { return static_cast<Index>(first_row.size()); }

  /// Nothing if there are too many patterns for a gain.
  static std::optional<RowPatterns> of(const CodesOfColumns& vectors, Index rows) {
    constexpr Index share = 4;
    // A table of this many kinds of keys stays in the cache.
    constexpr std::size_t most_kinds = 1U << 15U;
    constexpr Index most_rows = Index{1} << 27;  // keeps all keys below 2³²
    if (rows > most_rows) return std::nullopt;
    RowPatterns found;
    std::vector<Key> keys(static_cast<std::size_t>(rows), 0);
    std::size_t kinds = 1;
    for (const auto& vector : vectors) {
      const std::size_t values = vector->values.size();
      if (values * kinds > most_kinds) {
        if (!found.number_keys(keys, kinds, rows / share)) return std::nullopt;
        keys.assign(found.number.begin(), found.number.end());
        kinds = found.first_row.size();
      }
      append(rows, static_cast<Key>(values), vector->codes.data(), keys.data());
      kinds *= values;
    }
    if (!found.number_keys(keys, kinds, rows / share)) return std::nullopt;
    return found;
  }

 private:
  using Key = std::uint32_t;

  /// Refines the keys by one more vector.
  REGIHT_WIDE static void append(Index rows, Key values, const std::uint8_t* codes, Key* keys) {
    for (Index i = 0; i < rows; ++i) keys[i] = keys[i] * values + codes[i];
  }

  /// Makes a pattern of each distinct key, all below `kinds`; false if there are more than `most`.
  bool number_keys(const std::vector<Key>& keys, std::size_t kinds, Index most) {
    std::vector<std::int32_t> number_of(kinds, -1);
    number.resize(keys.size());
    first_row.clear();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::int32_t& entry = number_of[keys[i]];
      if (entry < 0) {
        if (count() == most) return false;
        entry = static_cast<std::int32_t>(first_row.size());
        first_row.push_back(static_cast<std::int32_t>(i));
      }
      number[i] = entry;
    }
    return true;
  }
};

}}  // namespace regiht::REGIHT_ABI
