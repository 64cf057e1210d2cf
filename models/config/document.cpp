// SPDX-License-Identifier: Apache-2.0
// Reads documents from YAML. Separate from configuration.cpp, so that a program with only a network
// does not link YAML.
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "config/configuration.h"
#include "config/text_file.h"
#include "config/wording.h"

namespace flitcast {
namespace {

using Kind = YamlValue::Kind;

void apply_override(Document& document, const std::string& assignment) {
  const Place place{"--set " + printable(assignment), 0, 0};
  const std::size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  if (equals == std::string::npos || ("." + name + ".").find("..") != std::string::npos) {
    fail(place, "is not an assignment", "write --set section.key=value");
  }
  YamlValue value =
      parse_yaml(assignment.substr(equals + 1), {place.file, false}, document.problems);
  value.place = place;  // An empty value has no place.
  assign(document.root, name, value);
}

}  // namespace

Document read_document(const std::string& path, const std::vector<std::string>& overrides) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    fail({path, 0, 0}, "is a directory", "name a YAML file");
  }
  std::ifstream input(path, std::ios::binary);
  if (!input) fail({path, 0, 0}, "cannot be read", "name a YAML file that exists and is readable");
  const std::optional<std::string> text = read_text(input);
  if (!text) fail({path, 0, 0}, "is too large for an experiment", "name a YAML file");
  Document document = parse_document(*text, path);
  apply_overrides(document, overrides);
  return document;
}

Document parse_document(const std::string& text, const std::string& file) {
  Document document{file, {}};
  try {
    document.root = parse_yaml(text, {file}, document.problems);
  } catch (const ConfigError& error) {
    append(document.problems, error);
    throw ConfigError(document.problems);
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
      append(document.problems, error);
    }
  }
}

Section read_section(const std::string& name, std::vector<Param> params, const std::string& text,
                     const std::string& file) {
  const Schema schema(
      {Param::text("name", "").defaults_to(""), Param::integer("seed", "", "", 0).defaults_to(1)},
      {{name, "", std::move(params)}});
  return validate(parse_document(name + ": " + text, file), schema).section(name);
}

}  // namespace flitcast
