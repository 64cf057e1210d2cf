// SPDX-License-Identifier: Apache-2.0
#include "config/configuration.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "config/check_section.h"
#include "config/unknown_key.h"
#include "config/wording.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;
using Kind = YamlValue::Kind;

constexpr const char* kName = "name";

std::string stem(const std::string& file) {
  const std::string name = std::filesystem::path(file).stem().string();
  return name.empty() || !is_utf8(name) ? "unnamed" : name;
}

void echo(ordered_json& map, const std::string& key, const nlohmann::json& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) {
    map[key] = value;
  } else {
    echo(map[key.substr(0, dot)], key.substr(dot + 1), value);
  }
}

ordered_json echo(const CheckedSection& section) {
  ordered_json map = ordered_json::object();
  for (const std::string& key : section.echoed) echo(map, key, section.values.at(key));
  return map;
}

/// The top level without its sections; what is neither key nor section is a problem.
YamlValue top_level(const Document& document, const Schema& schema) {
  YamlValue top;
  top.kind = Kind::kMap;
  for (const YamlEntry& entry : document.root.entries) {
    if (entry.key.empty() || !schema.find(entry.key)) top.entries.push_back(entry);
  }
  return top;
}

Section section_of(const std::string& name, const Place& place, CheckedSection checked) {
  return Section(name, place, std::move(checked.values), std::move(checked.places));
}

}  // namespace

const Section& Configuration::section(const std::string& name) const {
  const auto found = sections_.find(name);
  if (found == sections_.end()) throw std::logic_error("no section " + name + " in the table");
  return found->second;
}

std::string Configuration::id() const {
  ordered_json hashed = effective_;
  hashed.erase(kName);
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : hashed.dump()) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return fmt::format("{:016x}", hash);
}

Configuration validate(const Document& document, const Schema& schema) {
  std::vector<Problem> problems = document.problems;
  Configuration configuration;
  const Place start{document.file, 0, 0};

  const YamlValue top = top_level(document, schema);
  CheckedSection checked = check_section(schema, schema.top(), &top, start, problems);
  auto& name = checked.values[kName];
  if (name.is_string() && name.get_ref<const std::string&>().empty()) name = stem(document.file);
  configuration.effective_ = echo(checked);
  configuration.sections_.emplace("", section_of("", start, std::move(checked)));

  for (const SectionTable& table : schema.sections()) {
    const YamlEntry* entry = document.root.find(table.name);
    const Place place = entry ? entry->place : start;
    checked = check_section(schema, table, entry ? &entry->value : nullptr, place, problems);
    if (!checked.echoed.empty()) configuration.effective_[table.name] = echo(checked);
    configuration.sections_.emplace(table.name, section_of(table.name, place, std::move(checked)));
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return configuration;
}

Section read_section(const std::string& name, std::vector<Param> params, const std::string& text,
                     const std::string& file) {
  const Schema schema(
      {Param::text(kName, "").defaults_to(""), Param::integer("seed", "", "", 0).defaults_to(1)},
      {{name, "", std::move(params)}});
  return validate(parse_document(name + ": " + text, file), schema).section(name);
}

Configuration load(const std::string& path, const std::vector<std::string>& overrides,
                   const Schema& schema) {
  Document document = read_document(path);
  apply_overrides(document, overrides);
  return validate(document, schema);
}

}  // namespace flitcast
