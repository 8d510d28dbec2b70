#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "regiht/loss/huber.hpp"
#include "regiht/loss/logistic.hpp"
#include "regiht/loss/poisson.hpp"
#include "regiht/loss/squared.hpp"
#include "regiht/loss/squared_hinge.hpp"

namespace regiht { inline namespace REGIHT_ABI {

/// The list of losses that everything else reads.
using AllLosses = std::tuple<Squared, Logistic, Poisson, Huber, SquaredHinge>;

namespace detail {

template <class... Pointwise>
const auto& loss_table(const std::tuple<Pointwise...>*) {
  static const std::array<std::shared_ptr<const Loss>, sizeof...(Pointwise)> table = {
      std::make_shared<const PointwiseLoss<Pointwise>>()...};
  return table;
}

}  // namespace detail

/// One instance of every loss, in the order of the list.
inline const auto& all_losses() {
  return detail::loss_table(static_cast<const AllLosses*>(nullptr));
}

inline std::shared_ptr<const Loss> make_loss(std::string_view name) {
  for (const auto& loss : all_losses())
    if (loss->name() == name) return loss;
  throw std::invalid_argument("unknown loss \"" + std::string(name) + "\"");
}

}}  // namespace regiht::REGIHT_ABI
