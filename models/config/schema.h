// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/param.h"

namespace flitcast {

/// The keys of one section of the configuration file.
struct SectionTable {
  std::string name;  ///< "router"; empty for the top level.
  std::string help;  ///< One sentence.
  std::vector<Param> params;

  /// All params of that key. They apply under conditions that exclude each other.
  std::vector<const Param*> variants(const std::string& key) const;
  /// Whether `key` names a nested map: "pipeline" where there is a key "pipeline.route".
  bool is_group(const std::string& key) const;
  /// Every key once, in table order.
  std::vector<std::string> keys() const;
};

/// The table of all keys: what the program reads, checks, echoes, lists and publishes as JSON
/// Schema.
class Schema {
 public:
  /// @param top  Keys outside of sections. They must include `name`, text that falls back to "" and
  ///             then becomes the stem of the file's name, and `seed`, an integer of at least 0.
  ///
  /// Params of one section that differ in nothing but the values of one condition merge into one.
  /// A table that contradicts itself is our mistake and throws std::logic_error: a condition on a
  /// key that does not come before, two params of one key that can apply together, a choice of
  /// nothing, a fallback outside of its own range, a key that is also a group.
  Schema(std::vector<Param> top, std::vector<SectionTable> sections);

  const SectionTable& top() const { return top_; }
  const std::vector<SectionTable>& sections() const { return sections_; }
  /// The section of that name, the top level for "", or null.
  const SectionTable* find(const std::string& section) const;
  /// Every key once by its full dotted name: "seed", "router.pipeline.route".
  std::vector<std::string> full_names() const;

 private:
  SectionTable top_;
  std::vector<SectionTable> sections_;
};

}  // namespace flitcast
