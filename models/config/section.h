// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "config/problem.h"

namespace flitcast {

class Schema;
struct Reading;
struct SectionTable;
struct YamlValue;

/// "router.buffer_depth"; only the key for the top level, whose section has no name.
inline std::string full_name(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + "." + key;
}

/// A choice of the user: a name and its numbers.
struct Variant {
  std::string name;
  std::vector<std::int64_t> numbers{};  ///< Empty, one number, or a list.
};

/// One validated section of the configuration: every key of the table that applies is present, with
/// the user's value or the default, and has the type and range that the table requires.
///
/// Reading a key that the table does not have, or with the wrong type, is an internal error and
/// throws std::logic_error.
class Section {
 public:
  /// @param name    The name in the file: "router".
  /// @param place   The start of the section; also the place of keys that the user omitted.
  /// @param values  Dotted key -> value, normalised to the table's types.
  /// @param places  Dotted key -> the place where the user wrote it.
  Section(std::string name, Place place, std::map<std::string, nlohmann::json> values,
          std::map<std::string, Place> places = {})
      : name_(std::move(name)),
        place_(std::move(place)),
        values_(std::move(values)),
        places_(std::move(places)) {}

  const std::string& name() const { return name_; }
  /// The last part of the name: "wrap" of "link.classes.wrap".
  std::string own_name() const { return name_.substr(name_.rfind('.') + 1); }

  bool boolean(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  /// An integer whose range begins at 0 or above.
  std::size_t count(const std::string& key) const { return static_cast<std::size_t>(integer(key)); }
  /// For a choice or an integer: true if the user wrote the integer.
  bool is_integer(const std::string& key) const { return value(key).is_number_integer(); }
  double number(const std::string& key) const;
  const std::string& text(const std::string& key) const;
  std::vector<std::int64_t> integers(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  Variant variant(const std::string& key) const;
  /// The section that is the value of a key; its name is "topology.within".
  const Section& section(const std::string& key) const { return sections(key).front(); }
  /// The sections of a list, whose names are "workload.classes[0]" and so on, or of a map, whose
  /// names are "link.classes.wrap".
  const std::vector<Section>& sections(const std::string& key) const;

  /// True if the key applies, given or not.
  bool has(const std::string& key) const { return values_.count(key) != 0; }
  /// True if the user wrote the key; false if it has its default.
  bool given(const std::string& key) const { return places_.count(key) != 0; }
  Place place(const std::string& key) const;

  /// The text of `key` as a path. It is relative to the folder of the file in which it was written;
  /// it is relative to the working folder if the file exists only there, or if --set gave the path.
  std::string path(const std::string& key) const;

  /// A problem of a key whose value the table allows but the reader of the section does not.
  Problem problem(const std::string& key, std::string what, std::string hint) const {
    return {place(key), full_name(name_, key), std::move(what), std::move(hint)};
  }
  [[noreturn]] void fail(const std::string& key, std::string what, std::string hint) const {
    throw ConfigError(problem(key, std::move(what), std::move(hint)));
  }

  /// Replaces an existing value.
  void set(const std::string& key, nlohmann::json value) { values_[key] = std::move(value); }

  /// The values that determine results, in table order, nested as in the file.
  nlohmann::ordered_json effective() const;

  /// A section with these values and without a file.
  static Section of(std::string name, std::map<std::string, nlohmann::json> values) {
    return Section(std::move(name), {}, std::move(values));
  }

 private:
  friend class SectionChecker;

  const nlohmann::json& value(const std::string& key) const;

  std::string name_;
  Place place_;
  std::map<std::string, nlohmann::json> values_;
  std::map<std::string, Place> places_;
  std::vector<std::string> dumped_;                    // Keys of effective(), in table order.
  std::map<std::string, std::vector<Section>> lists_;  // Sections of a list or map, by its key.
};

/// Checks one section and adds all its problems and notes. After a problem the result lacks values.
///
/// @param schema   For suggestions from other sections.
/// @param written  Null if the user omitted the section.
/// @param place    The place of the section's name, for missing keys.
Section check_section(const Schema& schema, const SectionTable& table, const YamlValue* written,
                      const Place& place, Reading& reading);

}  // namespace flitcast
