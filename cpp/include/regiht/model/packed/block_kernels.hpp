#pragma once

#include <cstdint>

#include "regiht/kernels/dispatch.hpp"
#include "regiht/kernels/simd.hpp"
#include "regiht/types.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace kernels {

/// Consecutive blocks of `block_rows` rows in which the same columns have entries. Values are
/// stored by block, then by column, with zeros for missing entries.
struct BlockRun {
  std::int32_t first_row, blocks, columns;
};
inline constexpr Index block_rows = 16;

/// The runs of some rows, in order.
struct BlockRuns {
  Index count;
  const BlockRun* run;
  const std::uint8_t* columns;  ///< run after run
  const double* values;         ///< likewise
};

/// out = start + Σ factorₖ·(column k) on the rows of the runs. Start and factors are each repeated
/// four times, those of column k at factors + 4k.
REGIHT_WIDE inline void apply_runs(const BlockRuns& runs, const double* factors,
                                   const double* start, double* out) {
  Double4 starts, factor, entries;
  load(start, starts);
  const std::uint8_t* columns = runs.columns;
  const double* values = runs.values;
  for (Index s = 0; s < runs.count; ++s) {
    const Index blocks = runs.run[s].blocks, width = runs.run[s].columns;
    double* rows = out + runs.run[s].first_row;
    for (Index block = 0; block < blocks; ++block, rows += block_rows) {
      Double4 sums[4] = {starts, starts, starts, starts};
      for (Index k = 0; k < width; ++k, values += block_rows) {
        load(factors + 4 * Index{columns[k]}, factor);
        for (Index part = 0; part < 4; ++part) {
          load(values + 4 * part, entries);
          sums[part] += factor * entries;
        }
      }
      for (Index part = 0; part < 4; ++part) store(sums[part], rows + 4 * part);
    }
    columns += width;
  }
}

/// Adds Σ v over the rows of the runs to the four partial sums at `total`, and the products of v
/// with column k to those at sums + 4k; the caller adds up each four.
REGIHT_WIDE inline void dot_runs(const BlockRuns& runs, const double* v, double* sums,
                                 double* total) {
  Double4 all, sum, entries[4], at[4];
  load(total, all);
  const std::uint8_t* columns = runs.columns;
  const double* values = runs.values;
  for (Index s = 0; s < runs.count; ++s) {
    const Index blocks = runs.run[s].blocks, width = runs.run[s].columns;
    const double* rows = v + runs.run[s].first_row;
    for (Index block = 0; block < blocks; ++block, rows += block_rows) {
      for (Index part = 0; part < 4; ++part) load(rows + 4 * part, at[part]);
      all += (at[0] + at[1]) + (at[2] + at[3]);
      for (Index k = 0; k < width; ++k, values += block_rows) {
        for (Index part = 0; part < 4; ++part) load(values + 4 * part, entries[part]);
        double* const of_column = sums + 4 * Index{columns[k]};
        load(of_column, sum);
        sum +=
            (entries[0] * at[0] + entries[1] * at[1]) + (entries[2] * at[2] + entries[3] * at[3]);
        store(sum, of_column);
      }
    }
    columns += width;
  }
  store(all, total);
}

}}}  // namespace regiht::REGIHT_ABI::kernels
