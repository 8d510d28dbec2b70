#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "regiht/model/packed/column_codes.hpp"

namespace regiht { inline namespace REGIHT_ABI {

using CodesOfColumns = std::vector<std::shared_ptr<const ColumnCodes>>;

/// Rows that agree in some vectors, as one: those of pattern p are the rows with number[i] = p, in
/// order of their first rows.
struct RowPatterns {
  std::vector<std::int32_t> number;
  std::vector<std::int32_t> first_row;  ///< of each pattern

  Index count() const { return static_cast<Index>(first_row.size()); }

  /// Nothing if they are more than a share of the rows: then little is gained.
  static std::optional<RowPatterns> of(const CodesOfColumns& vectors, Index rows) {
    constexpr Index share = 4;
    RowPatterns found;
    found.number.assign(static_cast<std::size_t>(rows), 0);
    found.first_row.assign(1, 0);
    std::vector<std::int32_t> table;
    for (const auto& vector : vectors)
      if (!found.split(*vector, rows / share, table)) return std::nullopt;
    return found;
  }

 private:
  /// Tells rows apart by one vector more; false if that makes more than `most` patterns.
  bool split(const ColumnCodes& vector, Index most, std::vector<std::int32_t>& table) {
    const std::size_t values = vector.values.size();
    if (values == 1) return true;
    table.assign(first_row.size() * values, -1);
    first_row.clear();
    for (std::size_t i = 0; i < number.size(); ++i) {
      std::int32_t& entry = table[static_cast<std::size_t>(number[i]) * values + vector.codes[i]];
      if (entry < 0) {
        entry = static_cast<std::int32_t>(first_row.size());
        first_row.push_back(static_cast<std::int32_t>(i));
        if (count() > most) return false;
      }
      number[i] = entry;
    }
    return true;
  }
};

}}  // namespace regiht::REGIHT_ABI
