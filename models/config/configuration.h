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

/// A configuration file as written, not yet validated.
struct Document {
  std::string file;  ///< The file name in messages.
  YamlValue root;    ///< Always a map.
  std::vector<Problem>
      problems{};  ///< Problems found so far; validate() reports them with its own.
};

/// Reads the YAML (or JSON) file of that path and applies the overrides, as apply_overrides() does.
/// Throws ConfigError if the file does not exist or its text is not a YAML map.
Document read_document(const std::string& path, const std::vector<std::string>& overrides = {});

/// Reads a document from a text; messages use the file name `file`.
Document parse_document(const std::string& text, const std::string& file);

/// Applies the assignments "a.b=value" in order. A value is read as YAML and replaces the existing
/// one. Items of a list are counted from 0: "a.b[0].c=value". Problems with these values, now and
/// later, have the place "--set a.b=value".
void apply_overrides(Document& document, const std::vector<std::string>& assignments);

/// Stores `value` under the dotted name and creates the maps in between.
/// Throws ConfigError for an item that a list does not have.
void assign(YamlValue& root, const std::string& name, const YamlValue& value);

/// A complete configuration: every key that applies has a value that the table allows.
class Configuration {
 public:
  /// The value of `name`; without it the stem of the file name.
  const std::string& name() const { return section("").text("name"); }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(section("").integer("seed")); }

  /// The section of that name. Every section of the table exists, written or not.
  /// Throws std::logic_error for other names.
  const Section& section(const std::string& name) const;

  /// All effective values, in the order of the table, nested as in the file. A file with these
  /// values yields this configuration again, except that keys that are not dumped take their
  /// defaults.
  const nlohmann::ordered_json& effective() const { return effective_; }

  /// The clock and the flit width, where the keys of scale_keys() give them.
  const Scale& scale() const { return scale_; }

  /// Values that were rounded: "link.latency: 5.1 ns is 6.12 cycles, rounded up to 7".
  const std::vector<std::string>& notes() const { return notes_; }

  /// The experiment file and all files that its keys name; outputs must not replace them.
  const std::vector<std::string>& input_files() const { return input_files_; }
  /// One line for each of these files except the experiment file, with the hash of its contents.
  const std::string& input_hashes() const { return input_hashes_; }

  /// 16 hex digits for everything that determines results: the 64-bit FNV-1a hash of the compact
  /// effective configuration without `name`, and of the contents of the files that its keys name.
  std::string id() const;

 private:
  friend Configuration validate(Document, const Schema&);

  std::map<std::string, Section> sections_;
  Scale scale_;
  std::vector<std::string> notes_;
  std::vector<std::string> input_files_;
  std::string input_hashes_;
  nlohmann::ordered_json effective_ = nlohmann::ordered_json::object();
};

/// The keys of the top level that relate time and data to cycles and flits; both may be absent.
std::vector<Param> scale_keys();

/// Checks the document against the table.
/// Throws ConfigError with every problem of the document.
Configuration validate(Document document, const Schema& schema);

/// Reads one section with these keys from a YAML text, as if a user had written it in `file`.
/// Throws ConfigError with all problems.
Section read_section(const std::string& name, std::vector<Param> params, const std::string& text,
                     const std::string& file);

}  // namespace flitcast
