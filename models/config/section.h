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
struct SectionTable;
struct YamlValue;

/// "router.buffer_depth"; the key alone for the top level, whose section has no name.
inline std::string full_name(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + "." + key;
}

/// The selection of a user: a name, and its numbers.
struct Variant {
  std::string name;
  std::vector<std::int64_t> numbers{};  ///< None, one, or a list.
};

/// One validated section of the configuration: every key of the table that applies is present, with
/// the user's value or the fallback, and has the type and range that the table promises.
///
/// Asking for a key that the table does not have, or by the wrong type, is an internal error and
/// throws std::logic_error.
class Section {
 public:
  /// @param name    As in the file: "router".
  /// @param place   Where the section starts; also the place of keys that the user left out.
  /// @param values  Dotted key -> value, normalised to the table's types.
  /// @param places  Dotted key -> where the user wrote it.
  /// @param dumped  Dotted keys of effective(), in table order.
  /// @param lists   Dotted key -> the sections of a list; their values are known, too.
  Section(std::string name, Place place, std::map<std::string, nlohmann::json> values,
          std::map<std::string, Place> places = {}, std::vector<std::string> dumped = {},
          std::map<std::string, std::vector<Section>> lists = {});

  const std::string& name() const { return name_; }

  bool boolean(const std::string& key) const;
  std::int64_t integer(const std::string& key) const;
  /// An integer whose range begins at 0 or above.
  std::size_t count(const std::string& key) const;
  /// For a choice or an integer: whether the user wrote the integer.
  bool is_integer(const std::string& key) const;
  double number(const std::string& key) const;
  const std::string& text(const std::string& key) const;
  std::vector<std::int64_t> integers(const std::string& key) const;
  std::vector<double> numbers(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  Variant variant(const std::string& key) const;
  /// The sections of a list; they are named "workload.classes[0]".
  const std::vector<Section>& sections(const std::string& key) const;

  /// Whether the key applies, given or not.
  bool has(const std::string& key) const { return values_.count(key) != 0; }
  /// Whether the user wrote the key, rather than leaving it to its fallback.
  bool given(const std::string& key) const { return places_.count(key) != 0; }
  Place place(const std::string& key) const;

  /// The text of `key` as a path: relative to the folder of the file in which it was written, or to
  /// the working folder if it is only there, and when it was given by --set.
  std::string path(const std::string& key) const;

  /// For faults that only the meaning of the values shows.
  Problem problem(const std::string& key, std::string what, std::string hint) const;
  [[noreturn]] void fail(const std::string& key, std::string what, std::string hint) const;

  /// Puts another value in the place of one that is there.
  void set(const std::string& key, nlohmann::json value) { values_[key] = std::move(value); }

  /// The values that decide results, in table order, nested as in the file.
  nlohmann::ordered_json effective() const;

  /// A section of these values without a file.
  static Section of(std::string name, std::map<std::string, nlohmann::json> values);

 private:
  const nlohmann::json& value(const std::string& key) const;

  std::string name_;
  Place place_;
  std::map<std::string, nlohmann::json> values_;
  std::map<std::string, Place> places_;
  std::vector<std::string> dumped_;
  std::map<std::string, std::vector<Section>> lists_;
};

/// Checks one section and adds all its problems. With a problem the result lacks values.
///
/// @param schema   For suggestions from other sections.
/// @param written  Null when the user left the section out.
/// @param place    Of the section's name, for keys that are missing.
Section check_section(const Schema& schema, const SectionTable& table, const YamlValue* written,
                      const Place& place, std::vector<Problem>& problems);

}  // namespace flitcast
