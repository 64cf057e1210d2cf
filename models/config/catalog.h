// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "config/param.h"

namespace flitcast {

/// One thing that a user can choose by name, with the keys it reads and the function that makes it.
template <class Maker>
struct CatalogEntry {
  std::string name;
  std::string summary;        ///< One line for `flitcast list`.
  std::vector<Param> params;  ///< Keys that apply while this entry is chosen.
  Maker make;
};

/// A menu: adding a thing to the program is adding a line here.
template <class Maker>
using Catalog = std::vector<CatalogEntry<Maker>>;

/// The entry of that name, or null.
template <class Maker>
const CatalogEntry<Maker>* find(const Catalog<Maker>& catalog, const std::string& name) {
  const auto found = std::find_if(catalog.begin(), catalog.end(),
                                  [&](const auto& entry) { return entry.name == name; });
  return found == catalog.end() ? nullptr : &*found;
}

/// `params` as keys that apply only while `key` is `value`, besides their own conditions.
inline std::vector<Param> only_while(const std::string& key, const std::string& value,
                                     std::vector<Param> params) {
  for (Param& param : params) {
    param.when.all.insert(param.when.all.begin(), Param::Condition{key, {value}});
  }
  return params;
}

/// The keys of a menu: `choice` with the names of the entries, then what the entries read.
template <class Maker>
std::vector<Param> menu_params(Param choice, const Catalog<Maker>& catalog) {
  for (const auto& entry : catalog) choice.choices.push_back(entry.name);
  std::vector<Param> params{choice};
  for (const auto& entry : catalog) {
    for (Param& param : only_while(choice.key, entry.name, entry.params)) {
      params.push_back(std::move(param));
    }
  }
  return params;
}

}  // namespace flitcast
