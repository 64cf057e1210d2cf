// SPDX-License-Identifier: Apache-2.0
#include "config/document.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "config/wording.h"

namespace flitcast {
namespace {

using Kind = YamlValue::Kind;

std::vector<std::string> steps_of(const std::string& name) {
  std::vector<std::string> steps{""};
  for (const char c : name) {
    if (c == '.') {
      steps.emplace_back();
    } else {
      steps.back() += c;
    }
  }
  return steps;
}

bool is_dotted_name(const std::string& name) {
  for (const std::string& step : steps_of(name)) {
    if (step.empty()) return false;
  }
  return true;
}

/// The entry of that key in a map; whatever else `map` was becomes a map first.
YamlEntry& child(YamlValue& map, const std::string& key, const Place& place) {
  if (map.kind != Kind::kMap) {
    map = YamlValue{};
    map.kind = Kind::kMap;
    map.place = place;
  }
  if (YamlEntry* entry = map.find(key)) return *entry;
  map.entries.push_back({key, place, {}});
  return map.entries.back();
}

void apply_override(Document& document, const std::string& assignment) {
  const Place place{"--set " + printable(assignment), 0, 0};
  const std::size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  if (equals == std::string::npos || !is_dotted_name(name)) {
    fail(place, "is not an assignment", "write --set section.key=value");
  }
  YamlValue value =
      parse_yaml(assignment.substr(equals + 1), {place.file, false}, document.problems);
  value.place = place;  // An empty value comes without one.
  assign(document.root, name, value);
}

}  // namespace

Document read_document(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    fail({path, 0, 0}, "is a directory", "name a YAML file");
  }
  std::ifstream input(path, std::ios::binary);
  if (!input) fail({path, 0, 0}, "cannot be read", "name a YAML file that exists and is readable");
  return parse_document({std::istreambuf_iterator<char>(input), {}}, path);
}

Document parse_document(const std::string& text, const std::string& file) {
  Document document{file, {}};
  try {
    document.root = parse_yaml(text, {file}, document.problems);
  } catch (const ConfigError& error) {
    std::vector<Problem> all = document.problems;
    all.insert(all.end(), error.problems().begin(), error.problems().end());
    throw ConfigError(all);
  }
  if (document.root.kind == Kind::kNothing) {
    fail({file, 0, 0}, "is empty", "start with a section, such as `topology: {kind: ...}`");
  }
  if (document.root.kind != Kind::kMap) {
    fail({file, document.root.place.line, document.root.place.column}, "is not a map of sections",
         "write `section: {key: value}`");
  }
  return document;
}

void apply_overrides(Document& document, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    try {
      apply_override(document, assignment);
    } catch (const ConfigError& error) {
      document.problems.insert(document.problems.end(), error.problems().begin(),
                               error.problems().end());
    }
  }
}

void assign(YamlValue& root, const std::string& name, const YamlValue& value) {
  YamlValue* map = &root;
  YamlEntry* entry = nullptr;
  for (const std::string& step : steps_of(name)) {
    entry = &child(*map, step, value.place);
    map = &entry->value;
  }
  entry->place = value.place;
  entry->value = value;
}

}  // namespace flitcast
