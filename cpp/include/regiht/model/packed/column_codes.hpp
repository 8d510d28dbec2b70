#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// A vector of few distinct values, as codes: entry i is values[codes[i]].
struct ColumnCodes {
  std::vector<double> values;
  std::vector<std::uint8_t> codes;

  Index count() const { return static_cast<Index>(values.size()); }

  /// Null if there are more distinct values than a table of categories or a short scale has.
  static std::shared_ptr<const ColumnCodes> of(ConstVectorView column) {
    constexpr std::size_t most_values = 64, slots = 256;  // most stay free
    constexpr std::uint8_t free = 255;
    std::array<std::uint8_t, slots> code_at;
    code_at.fill(free);
    auto made = std::make_shared<ColumnCodes>();
    made->codes.reserve(static_cast<std::size_t>(column.size()));
    for (const double value : column) {
      std::size_t slot = hash(value) % slots;
      while (code_at[slot] != free && made->values[code_at[slot]] != value)
        slot = (slot + 1) % slots;
      if (code_at[slot] == free) {
        if (made->values.size() == most_values || value != value) return nullptr;
        code_at[slot] = static_cast<std::uint8_t>(made->values.size());
        made->values.push_back(value);
      }
      made->codes.push_back(code_at[slot]);
    }
    return made;
  }

 private:
  static std::size_t hash(double value) {
    value += 0.0;  // both zeros are one value
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<std::size_t>((bits * 0x9E3779B97F4A7C15U) >> 56);
  }
};

}}  // namespace regiht::REGIHT_ABI
