// SPDX-License-Identifier: Apache-2.0
#include "config/unknown_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "config/section.h"
#include "config/wording.h"

namespace flitcast {
namespace {

std::string leaf(const std::string& name) { return name.substr(name.rfind('.') + 1); }

/// The name whose own leaf is closest to the leaf of `key`, whatever section it is in.
std::string closest_leaf(const std::string& key, const std::vector<std::string>& names) {
  std::vector<std::string> leaves;
  for (const std::string& name : names) leaves.push_back(leaf(name));
  const std::string meant = closest(leaf(key), leaves);
  const auto found = std::find(leaves.begin(), leaves.end(), meant);
  return found == leaves.end() ? std::string()
                               : names[static_cast<std::size_t>(found - leaves.begin())];
}

/// In the order of trust: the same place, the section of another nesting, any section.
std::string meant_by(const Schema& schema, const std::string& section, const std::string& key) {
  const SectionTable* table = schema.find(section);
  std::vector<std::string> near = table ? table->keys() : std::vector<std::string>{};
  if (section.empty()) {
    for (const SectionTable& other : schema.sections()) near.push_back(other.name);
  }
  const std::string same_place = closest(key, near);
  if (!same_place.empty()) return full_name(section, same_place);
  const std::string same_section = closest_leaf(key, near);
  if (!same_section.empty()) return full_name(section, same_section);
  return closest_name(schema, full_name(section, key));
}

std::string known_keys(const Schema& schema, const std::string& section) {
  const SectionTable* table = schema.find(section);
  std::vector<std::string> names = table ? table->keys() : std::vector<std::string>{};
  if (section.empty()) {
    for (const SectionTable& other : schema.sections()) names.push_back(other.name);
  }
  return fmt::format("remove it; known are {}", fmt::join(names, ", "));
}

}  // namespace

Problem unknown_key(const Schema& schema, const std::string& section, const std::string& key,
                    const Place& place) {
  const std::string meant = meant_by(schema, section, key);
  const std::string remedy =
      meant.empty() ? known_keys(schema, section) : "did you mean " + meant + "?";
  return {place, printable(full_name(section, key)), "unknown key", remedy};
}

std::string closest_name(const Schema& schema, const std::string& name) {
  const std::vector<std::string> names = schema.full_names();
  const std::string whole = closest(name, names);
  return whole.empty() ? closest_leaf(name, names) : whole;
}

}  // namespace flitcast
