// SPDX-License-Identifier: Apache-2.0
// Keys and choices that have been renamed; files may use the former names for one more version.
#include <algorithm>
#include <optional>
#include <utility>

#include "config/configuration.h"
#include "config/wording.h"

namespace flitcast {
namespace {

using Kind = YamlValue::Kind;

constexpr const char* kRenamed = "the old name goes with version 0.3";

void note(Document& document, const Place& place, const std::string& renaming) {
  document.notes.push_back({place, "note", renaming, kRenamed});
}

/// Removes the entry with a dotted key, and maps that become empty, from `map`.
std::optional<YamlEntry> take(YamlValue& map, const std::string& key) {
  const std::size_t dot = key.find('.');
  YamlEntry* const entry = map.find(key.substr(0, dot));
  if (entry == nullptr) return std::nullopt;
  const bool nested = dot != std::string::npos;
  std::optional<YamlEntry> taken = nested ? take(entry->value, key.substr(dot + 1)) : *entry;
  if (!taken || (nested && !entry->value.entries.empty())) return taken;
  map.entries.erase(map.entries.begin() + (entry - map.entries.data()));
  return taken;
}

YamlEntry* find_nested(YamlValue& map, const std::string& key) {
  const std::size_t dot = key.find('.');
  YamlEntry* const entry = map.find(key.substr(0, dot));
  if (entry == nullptr || dot == std::string::npos) return entry;
  return find_nested(entry->value, key.substr(dot + 1));
}

class Renamer {
 public:
  explicit Renamer(Document& document) : document_(document) {}

  void rename_keys(const std::string& section, const std::vector<Param>& params, YamlValue& map) {
    for (const Param& param : params) {
      for (const std::string& former : param.former_keys) rename_key(section, param, former, map);
      YamlEntry* const entry = find_nested(map, param.key);
      if (entry == nullptr) continue;
      const std::string name = full_name(section, param.key);
      rename_choices(name, param, entry->value);
      if (param.members.empty()) continue;
      for (YamlValue& item : entry->value.items) rename_keys(name + "[]", param.members, item);
      if (param.type != Param::Type::kNamedSections) continue;
      for (YamlEntry& item : entry->value.entries) {
        rename_keys(full_name(name, item.key), param.members, item.value);
      }
    }
  }

  void rename_choices(const std::string& name, const Param& param, YamlValue& value) {
    for (YamlValue& item : value.items) rename_choices(name, param, item);
    const auto found = param.former_choices.find(value.text);
    if (value.kind != Kind::kScalar || found == param.former_choices.end()) return;
    note(document_, value.place, name + ": " + found->first + " is now " + found->second);
    value.text = found->second;
  }

 private:
  void rename_key(const std::string& section, const Param& param, const std::string& former,
                  YamlValue& map) {
    std::optional<YamlEntry> entry = take(map, former);
    if (!entry) return;
    const std::string old_name = full_name(section, former);
    const std::string name = full_name(section, param.key);
    if (find_nested(map, param.key) != nullptr) {
      return document_.problems.push_back(
          {entry->place, old_name, "is the former name of " + name + ", which is given as well",
           "leave it out"});
    }
    note(document_, entry->place, old_name + " is now " + name);
    assign(map, param.key, entry->value);
  }

  Document& document_;
};

}  // namespace

void use_present_names(Document& document, const Schema& schema) {
  Renamer renamer(document);
  renamer.rename_keys("", schema.top().params, document.root);
  for (const SectionTable& table : schema.sections()) {
    YamlEntry* const entry = document.root.find(table.name);
    if (entry != nullptr) renamer.rename_keys(table.name, table.params, entry->value);
  }
}

void use_present_names(YamlEntry& entry, Document& document, const Schema& schema) {
  const auto use_names_of = [&](const SectionTable& table) {
    for (const Param& param : table.params) {
      const std::string name = full_name(table.name, param.key);
      for (const std::string& former : param.former_keys) {
        if (entry.key != full_name(table.name, former)) continue;
        note(document, entry.place, entry.key + " is now " + name);
        entry.key = name;
      }
      if (entry.key == name) Renamer(document).rename_choices(name, param, entry.value);
    }
  };
  use_names_of(schema.top());
  for (const SectionTable& table : schema.sections()) use_names_of(table);
}

}  // namespace flitcast
