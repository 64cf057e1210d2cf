// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/problem.h"

namespace flitcast {

struct YamlEntry;

/// One value of a YAML text with the place where it was written. Scalars stay text, because only
/// the table of parameters knows whether `no` is a word and 8 a number.
struct YamlValue {
  enum class Kind { kNothing, kScalar, kList, kMap };

  Kind kind = Kind::kNothing;
  Place place{};
  std::string text{};              ///< The text of a scalar.
  bool quoted = false;             ///< The scalar is in quotes, and so is text.
  std::vector<YamlValue> items{};  ///< The items of a list.
  std::vector<YamlEntry> entries;  ///< The entries of a map, in file order; keys are distinct.

  /// The entry of that key in a map, or null.
  YamlEntry* find(const std::string& key);
  const YamlEntry* find(const std::string& key) const;
};

struct YamlEntry {
  std::string key;
  Place place;  ///< Place of the key.
  YamlValue value;
};

/// Where a YAML text comes from.
struct YamlSource {
  std::string name;      ///< As messages show it: "mesh.yaml".
  bool numbered = true;  ///< Whether messages give line and column.
};

/// Reads one YAML document. Aliases become copies of what they name.
///
/// Adds to `problems` what can be left out without losing the thread: keys that come twice, that
/// are no plain words, or that are merge keys.
/// Throws ConfigError for what cannot be read at all: wrong syntax, bytes that are not UTF-8,
/// control characters, a second document, tags, more than 64 levels, more than a million values.
YamlValue parse_yaml(const std::string& text, const YamlSource& source,
                     std::vector<Problem>& problems);

}  // namespace flitcast
