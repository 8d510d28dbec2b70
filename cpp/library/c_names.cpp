#include "compiled.hpp"
#include "regiht.h"
#include "regiht/loss/all.hpp"

const char* regiht_version(void) { return REGIHT_VERSION; }

// The names in the tables are literals, hence null-terminated.

const char* regiht_loss_name(int64_t number) {
  const auto& losses = regiht::all_losses();
  if (number < 0 || number >= static_cast<int64_t>(losses.size())) return nullptr;
  return losses[static_cast<std::size_t>(number)]->name().data();
}

const char* regiht_method_name(int64_t number) {
  static const std::vector<regiht::Method> methods = regiht::library::method_table();
  if (number < 0 || number >= static_cast<int64_t>(methods.size())) return nullptr;
  return methods[static_cast<std::size_t>(number)].name.data();
}
