// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/problem.h"

namespace flitcast {

/// The keys of one section of the configuration file.
struct SectionTable {
  std::string name;  ///< "router"; empty for the top level.
  std::string help;  ///< One sentence.
  std::vector<Param> params;

  /// All params of that key, whose conditions exclude each other.
  std::vector<const Param*> variants(const std::string& key) const;
  /// True if `key` names a nested map: "pipeline" where there is a key "pipeline.route".
  bool is_group(const std::string& key) const;
  /// Every key once, in table order.
  std::vector<std::string> keys() const;
};

/// The table of all keys, which the program uses to read, check, dump and list configurations and
/// to publish the JSON Schema.
class Schema {
 public:
  /// @param top  Keys outside of sections. They must include `name`, a text whose default ""
  ///             becomes the stem of the file name, and `seed`, an integer of at least 0.
  ///
  /// Params of one section that differ only in the values of one condition are merged. A table that
  /// contradicts itself is an internal error and throws std::logic_error: a condition on a key that
  /// is not declared earlier, two params of one key that can apply together, a choice without
  /// choices, a default outside of its range, a key that is also a group.
  ///
  /// @param others  Keys of the top level that the caller reads and removes before validate(); used
  ///                for suggestions.
  Schema(std::vector<Param> top, std::vector<SectionTable> sections,
         std::vector<std::string> others = {});

  const SectionTable& top() const { return top_; }
  const std::vector<SectionTable>& sections() const { return sections_; }
  /// The section of that name, the top level for "", or null.
  const SectionTable* find(const std::string& section) const;
  /// All params of the key with that full dotted name; none if there is no such key. Keys of
  /// sections by name and in lists are included: "link.classes.wrap.latency", "x.classes[0].load".
  std::vector<const Param*> variants(const std::string& full_name) const;
  /// Every key once by its full dotted name: "seed", "router.pipeline.route"; keys in lists of
  /// sections are not included.
  std::vector<std::string> full_names() const;
  const std::vector<std::string>& others() const { return others_; }

 private:
  SectionTable top_;
  std::vector<SectionTable> sections_;
  std::vector<std::string> others_;
};

/// The problem of a key that its section does not have, with a suggestion: a similar name of the
/// same section, or the name in another section.
///
/// @param table  The section in which the key is written.
Problem unknown_key(const Schema& schema, const SectionTable& table, const std::string& key,
                    const Place& place);

/// The full name of the key, in its section or another, that a dotted name most likely misspells,
/// or "".
std::string closest_name(const Schema& schema, const std::string& name);

/// The table as JSON Schema, draft 2020-12, for editors that complete and check configuration
/// files.
///
/// It accepts every file that validate() accepts, once the file is read as JSON; it cannot check
/// the spelling of a number, so it accepts 8.0 for 8. It has two parts, because a file with a sweep
/// need not be valid by itself: the first defines the keys and their types and always applies; the
/// second defines which of them apply or are required, and is disabled if the file has the key
/// `exempting`.
///
/// @param extra      Further properties of the top level, by name: { "sweep": {...} }.
/// @param exempting  The property in `extra` that disables the second part; "" for none.
nlohmann::ordered_json json_schema(const Schema& schema,
                                   const nlohmann::ordered_json& extra = nullptr,
                                   const std::string& exempting = "");

/// Every key for a reader: its full name and, indented below it, its values, unit and default, its
/// condition if it does not always apply, and its help. Lines have at most 100 columns.
std::string parameter_text(const Schema& schema);

/// All keys for programs: a list of {name, type, unit, default, minimum, maximum, choices, when,
/// help}, each with the members that apply; a key without `default` is required. `when` lists
/// conditions {key, values} that must all hold.
nlohmann::ordered_json parameter_json(const Schema& schema);

}  // namespace flitcast
