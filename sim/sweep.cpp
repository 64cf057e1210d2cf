// SPDX-License-Identifier: Apache-2.0
#include "sim/sweep.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "config/wording.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;
using Kind = YamlValue::Kind;

constexpr const char* kSweep = "sweep";
constexpr const char* kForm = "write `section.key: [value, value]` or `{from: A, to: B, step: S}`";

Document read(const std::string& path, const std::vector<std::string>& overrides) {
  Document document = read_document(path);
  apply_overrides(document, overrides);
  return document;
}

bool is_known(const Schema& schema, const std::string& key) {
  const auto names = schema.full_names();
  return std::count(names.begin(), names.end(), key) != 0;
}

/// All that the key with a dotted name may be.
std::vector<const Param*> variants(const Schema& schema, const std::string& key) {
  const std::size_t dot = key.find('.');
  const bool top = dot == std::string::npos;
  const SectionTable* table = schema.find(top ? "" : key.substr(0, dot));
  return table->variants(top ? key : key.substr(dot + 1));
}

/// Keys such as name and run.threads: all their points would be one.
bool changes_results(const Schema& schema, const std::string& key) {
  if (key == "name") return false;
  for (const Param* param : variants(schema, key)) {
    if (param->echoed) return true;
  }
  return false;
}

/// The default of a key that is not echoed while it has it; null for others.
ordered_json silent_default(const Schema& schema, const std::string& key) {
  for (const Param* param : variants(schema, key)) {
    if (!param->default_echoed) return param->fallback;
  }
  return nullptr;
}

/// Where the command line sets a key below `map`; null if it does not.
const Place* place_of_override(const YamlValue& map, const std::string& key,
                               const std::string& file) {
  const std::size_t dot = key.find('.');
  const YamlEntry* entry = map.find(key.substr(0, dot));
  if (entry == nullptr) return nullptr;
  if (dot != std::string::npos) return place_of_override(entry->value, key.substr(dot + 1), file);
  return entry->place.file == file ? nullptr : &entry->place;
}

/// The value under a dotted name.
ordered_json value_at(const ordered_json& map, const std::string& name) {
  const std::size_t dot = name.find('.');
  const auto found = map.find(name.substr(0, dot));
  if (found == map.end() || dot == std::string::npos) return found == map.end() ? nullptr : *found;
  return value_at(*found, name.substr(dot + 1));
}

}  // namespace

Sweep::Sweep(const std::string& path, const std::vector<std::string>& overrides,
             const Schema& schema)
    : Sweep(flitcast::read(path, overrides), schema) {}

Sweep::Sweep(Document document, const Schema& schema)
    : schema_(schema), base_(std::move(document)) {
  const YamlEntry* found = base_.root.find(kSweep);
  if (!found) return;
  const YamlEntry sweep = *found;
  base_.root.entries.erase(base_.root.entries.begin() + (found - base_.root.entries.data()));
  swept_ = true;
  place_ = sweep.place;
  read(sweep);
  if (!base_.problems.empty()) check();  // Throws them with those of the points.
}

void Sweep::read(const YamlEntry& sweep) {
  if (sweep.value.kind != Kind::kMap || sweep.value.entries.empty()) {
    base_.problems.push_back({sweep.place, kSweep, "is not a map of keys to sweep", kForm});
    return;
  }
  for (const YamlEntry& entry : sweep.value.entries) read_axis(entry);
  count_points(sweep);
}

void Sweep::read_axis(const YamlEntry& entry) {
  const std::string name = std::string(kSweep) + "." + printable(entry.key);
  const auto refuse = [&](const char* what, const char* remedy) {
    base_.problems.push_back({entry.place, name, what, remedy});
  };
  if (!is_known(schema_, entry.key)) {
    const std::string meant = closest_name(schema_, entry.key);
    base_.problems.push_back(
        {entry.place, name, "unknown key",
         meant.empty() ? "name a key in full, section.key" : "did you mean " + meant + "?"});
    return;
  }
  if (const Place* set = place_of_override(base_.root, entry.key, base_.file)) {
    const char* const remedy = "choose a value by --point, or give others: --set 'sweep={...}'";
    base_.problems.push_back({*set, entry.key, "is swept, so that every point sets it", remedy});
    return;
  }
  if (!changes_results(schema_, entry.key)) {
    return refuse("does not change results", "sweep a key that does");
  }
  if (entry.value.kind == Kind::kList && !entry.value.items.empty()) {
    axes_.push_back({entry.key, entry.value.items});
  } else if (entry.value.kind == Kind::kMap) {
    std::vector<YamlValue> values = steps(entry.value, name, base_.problems);
    if (!values.empty()) axes_.push_back({entry.key, std::move(values)});
  } else {
    refuse("is not a list of values", kForm);
  }
}

void Sweep::count_points(const YamlEntry& sweep) {
  for (const Axis& axis : axes_) {
    size_ *= axis.values.size();
    if (size_ <= kMostPoints) continue;
    base_.problems.push_back({sweep.place, kSweep,
                              "more than " + std::to_string(kMostPoints) + " points",
                              "sweep fewer keys or values"});
    size_ = 1;
    return;
  }
}

std::vector<std::string> Sweep::keys() const {
  std::vector<std::string> keys;
  for (const Axis& axis : axes_) keys.push_back(axis.key);
  return keys;
}

Configuration Sweep::point(std::size_t index) const {
  if (index >= size_) {
    throw ConfigError(Problem{{"--point " + std::to_string(index)},
                              "",
                              "there is no such point",
                              "the points are 0 to " + std::to_string(size_ - 1)});
  }
  return validate(document(index), schema_);
}

ordered_json Sweep::values(const Configuration& point) const {
  ordered_json values = ordered_json::object();
  for (const Axis& axis : axes_) {
    ordered_json value = value_at(point.effective(), axis.key);
    values[axis.key] = value.is_null() ? silent_default(schema_, axis.key) : std::move(value);
  }
  return values;
}

void Sweep::check() const {
  std::vector<Problem> problems;
  std::set<std::string> told;
  std::map<std::string, std::size_t> first;
  for (std::size_t index = 0; index < size_; ++index) {
    try {
      const auto [same, added] = first.emplace(point(index).id(), index);
      if (added || !told.insert("same points").second) continue;
      problems.push_back({place_, kSweep,
                          "points " + std::to_string(same->second) + " and " +
                              std::to_string(index) + " are the same",
                          "remove the value that comes twice"});
    } catch (const ConfigError& error) {
      for (const Problem& problem : error.problems()) {
        if (told.insert(problem.text()).second) problems.push_back(problem);
      }
    }
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
}

Document Sweep::document(std::size_t index) const {
  Document document = base_;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    assign(document.root, axis->key, axis->values[index % axis->values.size()]);
    index /= axis->values.size();
  }
  return document;
}

Configuration load_point(const std::string& path, const std::vector<std::string>& overrides,
                         std::optional<std::size_t> point) {
  const Sweep sweep(path, overrides, experiment_schema());
  if (!point && sweep.size() > 1) {
    throw ConfigError(Problem{{path, 0, 0},
                              kSweep,
                              "there are " + std::to_string(sweep.size()) + " points",
                              "choose one with --point K, K from 0"});
  }
  return sweep.point(point.value_or(0));
}

ordered_json sweep_json_schema(const Schema& schema) {
  const ordered_json number{{"type", "number"}};
  const ordered_json list{{"type", "array"}, {"minItems", 1}};
  const ordered_json range{{"type", "object"},
                           {"properties", {{"from", number}, {"to", number}, {"step", number}}},
                           {"required", ordered_json::array({"from", "to", "step"})},
                           {"additionalProperties", false}};
  return {{"description", "Full dotted names with the values they take; all combinations run."},
          {"type", "object"},
          {"minProperties", 1},
          {"propertyNames", {{"enum", schema.full_names()}}},
          {"additionalProperties", {{"anyOf", ordered_json::array({list, range})}}}};
}

}  // namespace flitcast
