// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/schema.h"
#include "config/section.h"
#include "config/yaml.h"

namespace flitcast {

/// A file as the user wrote it, not yet validated.
struct Document {
  std::string file;                 ///< As messages show it.
  YamlValue root;                   ///< A map.
  std::vector<Problem> problems{};  ///< Found so far; validate() reports them with its own.
  std::vector<Problem> notes{};     ///< Former names that use_present_names() has replaced.
};

/// Reads the YAML (or JSON) file of that path.
/// Throws ConfigError if there is no such file or its text is no map that YAML can read.
Document read_document(const std::string& path);

/// Reads a document from a text at hand; `file` stands for it in messages.
Document parse_document(const std::string& text, const std::string& file);

/// Sets the values of assignments "a.b=value", in order; what was there is replaced, and the value
/// is read as YAML. Items of a list are counted from 0: "a.b[0].c=value". Problems with them, now
/// and later, have the place "--set a.b=value".
void apply_overrides(Document& document, const std::vector<std::string>& assignments);

/// Puts `value` under the dotted name, opening the maps on the way.
/// Throws ConfigError for an item that a list does not have.
void assign(YamlValue& root, const std::string& name, const YamlValue& value);

/// Replaces former names of keys and choices by the present ones, each with a note. A key that is
/// there under both names becomes a problem of the document.
void use_present_names(Document& document, const Schema& schema);

/// The same for an entry under the full dotted name of a key, with one value of it or a list.
void use_present_names(YamlEntry& entry, Document& document, const Schema& schema);

/// A whole configuration in which every key that applies has a value that the table allows.
class Configuration {
 public:
  /// `name`; the stem of the file's name when the user gave none.
  const std::string& name() const { return section("").text("name"); }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(section("").integer("seed")); }

  /// Every section of the table is there, written or not. Another name throws std::logic_error.
  const Section& section(const std::string& name) const;

  /// All values in force, in the order of the table, nested as in the file. Read as a file it
  /// yields this configuration again, apart from keys that are not dumped, which fall back.
  const nlohmann::ordered_json& effective() const { return effective_; }

  /// The experiment file and all files that its keys name, which no output may replace.
  const std::vector<std::string>& input_files() const { return input_files_; }

  /// 16 hex digits for everything that decides results: the 64-bit FNV-1a hash of the compact
  /// effective configuration without `name`, and of what was in the files that its keys name.
  std::string id() const;

 private:
  friend Configuration validate(Document, const Schema&);

  std::map<std::string, Section> sections_;
  std::vector<std::string> input_files_;
  std::string input_hashes_;  // A line for each but the experiment file.
  nlohmann::ordered_json effective_ = nlohmann::ordered_json::object();
};

/// Checks the document, with present or former names, against the table.
/// Throws ConfigError with every problem of the document.
Configuration validate(Document document, const Schema& schema);

/// Reads, overrides and validates the file of that path. Throws ConfigError with all problems.
Configuration load(const std::string& path, const std::vector<std::string>& overrides,
                   const Schema& schema);

/// One section of these keys, from a text in YAML: what the user gets who writes it in `file`.
/// Throws ConfigError with all problems.
Section read_section(const std::string& name, std::vector<Param> params, const std::string& text,
                     const std::string& file);

}  // namespace flitcast
