// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/problem.h"

namespace flitcast {

struct YamlEntry;

/// One value of a YAML text with its place. Scalars remain text, because only the table of
/// parameters decides if `no` is a word and 8 a number.
struct YamlValue {
  enum class Kind { kNothing, kScalar, kList, kMap };

  Kind kind = Kind::kNothing;
  Place place{};
  std::string text{};              ///< The text of a scalar.
  bool quoted = false;             ///< The scalar is in quotes and is therefore text.
  std::vector<YamlValue> items{};  ///< The items of a list.
  std::vector<YamlEntry> entries;  ///< The entries of a map, in file order; keys are distinct.

  /// The entry with that key in a map, or null.
  YamlEntry* find(const std::string& key);
  const YamlEntry* find(const std::string& key) const;
};

struct YamlEntry {
  std::string key;
  Place place;  ///< Place of the key.
  YamlValue value;
};

/// The source of a YAML text.
struct YamlSource {
  std::string name;      ///< The name in messages: "mesh.yaml".
  bool numbered = true;  ///< True if messages give line and column.
};

/// Reads one YAML document. Aliases become copies of their anchors.
///
/// Adds to `problems` the keys that occur twice, that are not plain words, or that are merge keys,
/// and reads on.
/// Throws ConfigError for text that cannot be read: wrong syntax, bytes that are not UTF-8, control
/// characters, a second document, tags, more than 64 levels, more than a million values.
YamlValue parse_yaml(const std::string& text, const YamlSource& source,
                     std::vector<Problem>& problems);

}  // namespace flitcast
