// SPDX-License-Identifier: Apache-2.0
#include "config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "config/section.h"
#include "config/wording.h"
#include "config/yaml.h"

namespace flitcast {
namespace {

using Conditions = std::vector<Param::Condition>;

bool same_but_for_conditions(const Param& a, const Param& b) {
  return a.key == b.key && a.type == b.type && a.fallback == b.fallback && a.unit == b.unit &&
         a.help == b.help && a.least == b.least && a.most == b.most && a.choices == b.choices &&
         a.dumped == b.dumped && a.default_dumped == b.default_dumped && a.members.empty();
}

/// Joins `more` to `conditions` if they differ only in the values of one condition.
bool merged(Conditions& conditions, const Conditions& more) {
  if (conditions.size() != more.size()) return false;
  const auto [differs, other] = std::mismatch(conditions.begin(), conditions.end(), more.begin());
  if (differs == conditions.end()) return true;
  const bool one_difference = differs->key == other->key &&
                              std::equal(std::next(differs), conditions.end(), std::next(other));
  if (!one_difference) return false;
  differs->values.insert(differs->values.end(), other->values.begin(), other->values.end());
  return true;
}

std::vector<Param> merged(std::vector<Param> params) {
  std::vector<Param> result;
  for (Param& param : params) {
    const bool joined = any_of(result, [&](Param& known) {
      return same_but_for_conditions(known, param) && merged(known.when.all, param.when.all);
    });
    if (!joined) result.push_back(std::move(param));
  }
  return result;
}

bool exclude_each_other(const Param& a, const Param& b) {
  return any_of(a.when.all, [&](const Param::Condition& left) {
    return any_of(b.when.all, [&](const Param::Condition& right) {
      return left.key == right.key && none_of(left.values, [&](const std::string& value) {
               return contains(right.values, value);
             });
    });
  });
}

/// The value in the form in which a user would write it.
YamlValue written(const nlohmann::json& fallback) {
  YamlValue value;
  value.kind = fallback.is_array() ? YamlValue::Kind::kList : YamlValue::Kind::kScalar;
  value.text = spelled(fallback);
  value.quoted = fallback.is_string();
  if (!fallback.is_array()) return value;
  for (const nlohmann::json& item : fallback) value.items.push_back(written(item));
  return value;
}

void demand(bool holds, const SectionTable& table, const Param& param, const char* fault) {
  if (!holds) throw std::logic_error(full_name(table.name, param.key) + ": " + fault);
}

void check_param(const SectionTable& table, std::size_t place) {
  const Param& param = table.params[place];
  const auto end = table.params.begin() + static_cast<std::ptrdiff_t>(place);
  demand(!table.is_group(param.key), table, param, "is a key and a group");
  const bool chooses =
      param.type == Param::Type::kChoice || param.type == Param::Type::kChoiceOrInteger;
  demand(!chooses || !param.choices.empty(), table, param, "has no choices");
  for (auto known = table.params.begin(); known != end; ++known) {
    demand(known->key != param.key || exclude_each_other(*known, param), table, param,
           "has two meanings at once");
  }
  for (const Param::Condition& condition : param.when.all) {
    const auto decides = [&](const Param& known) {
      return known.key == condition.key && !exclude_each_other(known, param);
    };
    const bool before = std::any_of(table.params.begin(), end, decides) &&
                        std::none_of(end, table.params.end(), decides);
    demand(before, table, param, "depends on a key that does not come before it");
  }
}

// Reads defaults like user values, so that dumps do not depend on their form in the table: 1 for
// 1.0, or 5 for [5].
void read_fallback(const SectionTable& table, Param& param) {
  if (param.fallback.is_null()) return;
  Reading reading;
  param.fallback = read_value(written(param.fallback), param, param.key, reading);
  demand(reading.problems.empty(), table, param, "its fallback is outside of its own range");
}

void complete(SectionTable& table) {
  table.params = merged(std::move(table.params));
  for (std::size_t i = 0; i < table.params.size(); ++i) {
    check_param(table, i);
    Param& param = table.params[i];
    if (param.members.empty()) {
      read_fallback(table, param);
      continue;
    }
    SectionTable item{full_name(table.name, param.key), "", std::move(param.members)};
    complete(item);
    param.members = std::move(item.params);
  }
}

std::string leaf(const std::string& name) { return name.substr(name.rfind('.') + 1); }

/// The name in any section whose last part is closest to the last part of `key`.
std::string closest_leaf(const std::string& key, const std::vector<std::string>& names) {
  const std::vector<std::string> leaves = mapped(names, leaf);
  const std::size_t place = index_of(leaves, closest(leaf(key), leaves));
  return place == names.size() ? std::string() : names[place];
}

/// The names that can occur in that section: its keys; at the top level also the sections.
std::vector<std::string> names_in(const Schema& schema, const SectionTable& table) {
  std::vector<std::string> names = table.keys();
  if (table.name.empty()) {
    for (const SectionTable& other : schema.sections()) names.push_back(other.name);
    names.insert(names.end(), schema.others().begin(), schema.others().end());
  }
  return names;
}

/// Tries the most likely places first: the same section, the same section at another nesting, the
/// same key in any section, any section.
std::string meant_by(const Schema& schema, const SectionTable& table, const std::string& key) {
  const std::vector<std::string> near = names_in(schema, table);
  for (const std::string& meant : {closest(key, near), closest_leaf(key, near)}) {
    if (!meant.empty()) return full_name(table.name, meant);
  }
  for (const std::string& name : schema.full_names()) {
    if (leaf(name) == leaf(key)) return name;
  }
  return closest_name(schema, full_name(table.name, key));
}

}  // namespace

std::vector<const Param*> SectionTable::variants(const std::string& key) const {
  std::vector<const Param*> found;
  for (const Param& param : params) {
    if (param.key == key) found.push_back(&param);
  }
  return found;
}

bool SectionTable::is_group(const std::string& key) const {
  const std::string prefix = key + ".";
  return any_of(
      params, [&](const Param& param) { return param.key.compare(0, prefix.size(), prefix) == 0; });
}

std::vector<std::string> SectionTable::keys() const {
  std::vector<std::string> keys;
  for (const Param& param : params) {
    if (!contains(keys, param.key)) keys.push_back(param.key);
  }
  return keys;
}

Schema::Schema(std::vector<Param> top, std::vector<SectionTable> sections,
               std::vector<std::string> others)
    : top_{"", "Keys outside of the sections.", std::move(top)},
      sections_(std::move(sections)),
      others_(std::move(others)) {
  complete(top_);
  for (SectionTable& section : sections_) complete(section);
}

const SectionTable* Schema::find(const std::string& section) const {
  if (section.empty()) return &top_;
  return first_where(sections_, [&](const SectionTable& table) { return table.name == section; });
}

namespace {

/// Adds the member that `key` names in a section, "within.sizes", in one of a map of them,
/// "classes.wrap.latency", or in one of a list, "classes[0].load".
void add_member(std::vector<const Param*>& found, const Param& parent, const std::string& key) {
  const bool listed = parent.type == Param::Type::kSections;
  const bool alone = parent.type == Param::Type::kSection;
  if (!listed && !alone && parent.type != Param::Type::kNamedSections) return;
  const std::string prefix = parent.key + (listed ? "[" : ".");
  if (key.rfind(prefix, 0) != 0) return;
  std::size_t dot = alone ? parent.key.size() : key.find('.', prefix.size() + 1);
  if (listed) {
    const std::size_t end = key.find_first_not_of("0123456789", prefix.size());
    const bool numbered = end > prefix.size() && end != std::string::npos;
    dot = numbered && key.compare(end, 2, "].") == 0 ? end + 1 : std::string::npos;
  }
  for (const Param& member : parent.members) {
    if (dot != std::string::npos && member.key == key.substr(dot + 1)) found.push_back(&member);
  }
}

}  // namespace

std::vector<const Param*> Schema::variants(const std::string& full_name) const {
  const std::size_t dot = full_name.find('.');
  const bool top = dot == std::string::npos;
  const SectionTable* table = find(top ? "" : full_name.substr(0, dot));
  if (table == nullptr) return {};
  const std::string key = top ? full_name : full_name.substr(dot + 1);
  std::vector<const Param*> found = table->variants(key);
  for (const Param& param : table->params) add_member(found, param, key);
  return found;
}

std::vector<std::string> Schema::full_names() const {
  std::vector<std::string> names = top_.keys();
  for (const SectionTable& section : sections_) {
    for (const std::string& key : section.keys()) names.push_back(full_name(section.name, key));
  }
  return names;
}

Problem unknown_key(const Schema& schema, const SectionTable& table, const std::string& key,
                    const Place& place) {
  const std::string meant = meant_by(schema, table, key);
  const std::string hint = meant.empty() ? fmt::format("remove it; known are {}",
                                                       fmt::join(names_in(schema, table), ", "))
                                         : "did you mean " + meant + "?";
  return {place, printable(full_name(table.name, key)), "unknown key", hint};
}

std::string closest_name(const Schema& schema, const std::string& name) {
  const std::vector<std::string> names = schema.full_names();
  const std::string whole = closest(name, names);
  return whole.empty() ? closest_leaf(name, names) : whole;
}

}  // namespace flitcast
