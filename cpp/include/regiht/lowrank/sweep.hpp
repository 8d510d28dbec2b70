#pragma once

#include "regiht/lowrank/alternating_step.hpp"
#include "regiht/lowrank/factors.hpp"

namespace regiht { inline namespace REGIHT_ABI { namespace lowrank {

/// left · core · rightᵀ with orthonormal columns in left and right.
struct CoreFactors {
  Block left, core, right;
};

/// Minimises over the left factor with the right one fixed, then the other way round. The fixed
/// factor has orthonormal columns, so that a ridge adds a multiple of the identity to each system.
template <class Entries>
CoreFactors sweep(const Entries& entries, const AlternatingStep& step, Block left, Block right,
                  int threads, const Poll& poll) {
  alternating_step(entries, Side::left, step, right, left, threads, poll);
  QR of_left = thin_qr(left, threads);
  right = product(right, Block(of_left.R.transpose()), threads);
  alternating_step(entries, Side::right, step, of_left.Q, right, threads, poll);
  QR of_right = thin_qr(right, threads);
  return {std::move(of_left.Q), of_right.R.transpose(), std::move(of_right.Q)};
}

}}}  // namespace regiht::REGIHT_ABI::lowrank
