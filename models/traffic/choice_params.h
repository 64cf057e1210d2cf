// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/catalog.h"
#include "config/param.h"

namespace flitcast {

/// Appends the key `choice` with the catalog's names as choices, then the keys of every entry,
/// which apply while it is chosen.
template <class Maker>
void append_choice(std::vector<Param>& params, const Catalog<Maker>& catalog, Param choice) {
  const std::string key = choice.key;
  for (const auto& entry : catalog) choice.choices.push_back(entry.name);
  params.push_back(std::move(choice));
  for (const auto& entry : catalog) {
    for (Param param : entry.params) {
      param.when.all.push_back({key, {entry.name}});
      params.push_back(std::move(param));
    }
  }
}

}  // namespace flitcast
