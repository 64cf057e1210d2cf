// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/sweep/sweep.h"

namespace flitcast {
namespace {

using Kind = YamlValue::Kind;

constexpr const char* kSweep = "sweep";
constexpr const char* kZip = "zip";
constexpr const char* kForm = "write `section.key: [value, value]` or `{from: A, to: B, step: S}`";
constexpr const char* kLabel = "label";
constexpr const char* kSectionForm = "write `section: [{key: value, ...}, {key: value, ...}]`";

/// False for keys such as name and run.threads: all their points would be equal.
bool changes_results(const Schema& schema, const std::string& key) {
  if (key == "name") return false;
  const std::vector<const Param*> variants = schema.variants(key);
  return any_of(variants, [](const Param* param) { return param->dumped; });
}

/// A value in a label: "mesh", "8x8", "{random: 1}".
std::string text_in_label(const YamlValue& value) {
  if (value.kind == Kind::kScalar) return value.text;
  std::vector<std::string> parts = mapped(value.items, text_in_label);
  if (value.kind == Kind::kList) return joined(parts, "x");
  for (const YamlEntry& entry : value.entries) {
    parts.push_back(entry.key + ": " + text_in_label(entry.value));
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

/// "fat_tree, arity 4, levels 3".
std::string label_of(const YamlValue& section) {
  return joined(mapped(section.entries, [](const YamlEntry& entry) {
    return (entry.key == "kind" ? "" : entry.key + " ") + text_in_label(entry.value);
  }));
}

/// A place on the command line within the value; null if there is none.
const Place* override_in(const YamlValue& value, const std::string& file) {
  for (const YamlEntry& entry : value.entries) {
    if (entry.place.file != file) return &entry.place;
    if (const Place* place = override_in(entry.value, file)) return place;
  }
  return nullptr;
}

class Axes {
 public:
  Axes(Document& base, const Schema& schema) : base_(base), schema_(schema) {}

  std::vector<Axis> read(const YamlEntry& sweep) {
    if (sweep.value.kind != Kind::kMap || sweep.value.entries.empty()) {
      refuse(sweep.place, kSweep, "is not a map of keys to sweep", kForm);
      return {};
    }
    for (const YamlEntry& entry : sweep.value.entries) {
      if (entry.key == kZip) {
        read_zips(entry);
      } else {
        read_axis({entry});
      }
    }
    compare_sections();
    return std::move(axes_);
  }

 private:
  void read_zips(const YamlEntry& zip) {
    const bool is_list = zip.value.kind == Kind::kList && !zip.value.items.empty();
    if (!is_list) return read_zip(zip.place, zip.value);
    for (const YamlValue& group : zip.value.items) read_zip(group.place, group);
  }

  void read_zip(const Place& place, const YamlValue& group) {
    if (group.kind != Kind::kMap || group.entries.empty()) {
      return refuse_zip(place, "is not a map of keys that change together");
    }
    read_axis(group.entries);
  }

  /// Reads an axis of keys that change together.
  void read_axis(const std::vector<YamlEntry>& entries) {
    Axis axis;
    for (const YamlEntry& entry : entries) {
      const std::vector<SweptValue> values = read_values(entry);
      if (values.empty()) return;
      if (axis.keys.empty()) axis.rows.resize(values.size());
      if (values.size() != axis.rows.size()) {
        return refuse_zip(entry.place, entry.key + " has " + std::to_string(values.size()) +
                                           " values beside " + std::to_string(axis.rows.size()) +
                                           " of " + axis.keys.front());
      }
      axis.keys.push_back(entry.key);
      for (std::size_t row = 0; row < values.size(); ++row) axis.rows[row].push_back(values[row]);
    }
    axes_.push_back(std::move(axis));
  }

  /// The values of one key or section; none, and a problem, if it cannot be swept.
  std::vector<SweptValue> read_values(const YamlEntry& entry) {
    const std::string name = kSweep + std::string(".") + printable(entry.key);
    if (!may_be_swept(entry, name)) return {};
    const bool listed = entry.value.kind == Kind::kList && !entry.value.items.empty();
    if (listed && is_section(entry.key)) return read_sections(entry, name);
    std::vector<YamlValue> values;
    if (listed) values = entry.value.items;
    if (entry.value.kind == Kind::kMap && !is_section(entry.key)) {
      values = steps(entry.value, name, base_.problems);
    } else if (!listed) {
      const bool empty = entry.value.kind == Kind::kList;
      refuse(entry.place, name, empty ? "is an empty list" : "is not a list of values",
             is_section(entry.key) ? kSectionForm : kForm);
    }
    return mapped(values, [](const YamlValue& value) { return SweptValue{value}; });
  }

  std::vector<SweptValue> read_sections(const YamlEntry& entry, const std::string& name) {
    std::vector<SweptValue> sections;
    std::set<std::string> labels;
    for (YamlValue section : entry.value.items) {
      if (section.kind != Kind::kMap || section.entries.empty()) {
        refuse(section.place, name, "has a value that is no map of keys", kSectionForm);
        return {};
      }
      std::string label = take_label(section, name);
      if (label.empty()) label = label_of(section);
      if (!labels.insert(label).second) {
        refuse(section.place, name, "has two values with the label " + flitcast::quoted(label),
               "give each a `label` of its own");
      }
      sections.push_back({std::move(section), std::move(label)});
    }
    return sections;
  }

  /// Removes the key `label` of a section, and returns its value; empty without one.
  std::string take_label(YamlValue& section, const std::string& name) {
    const YamlEntry* const found = section.find(kLabel);
    if (found == nullptr) return "";
    const YamlEntry entry = *found;
    section.entries.erase(section.entries.begin() + (found - section.entries.data()));
    const bool is_text = entry.value.kind == Kind::kScalar && !entry.value.text.empty();
    if (!is_text) refuse(entry.place, name + ".label", "is not a text", "write `label: torus`");
    return is_text ? entry.value.text : "?";
  }

  /// Refuses keys that are swept and have a value in a section that is swept.
  void compare_sections() {
    for (const Axis& sections : axes_) {
      for (std::size_t k = 0; k < sections.keys.size(); ++k) {
        if (is_section(sections.keys[k])) compare_with_keys(sections, k);
      }
    }
  }

  void compare_with_keys(const Axis& sections, std::size_t k) {
    const std::string prefix = sections.keys[k] + ".";
    for (const std::string& key : seen_) {
      if (key.compare(0, prefix.size(), prefix) != 0) continue;
      for (const std::vector<SweptValue>& row : sections.rows) {
        const YamlEntry* const set = entry_at(row[k].value, key.substr(prefix.size()));
        if (set == nullptr) continue;
        refuse(set->place, key, "is swept, and set by a section that is swept",
               "leave one of the two out");
        break;
      }
    }
  }

  bool may_be_swept(const YamlEntry& entry, const std::string& name) {
    if (schema_.variants(entry.key).empty() && !is_section(entry.key)) {
      const std::string meant = closest_name(schema_, entry.key);
      return refuse(
          entry.place, name, "unknown key",
          meant.empty() ? "name a key in full, section.key" : "did you mean " + meant + "?");
    }
    if (!seen_.insert(entry.key).second) {
      return refuse(entry.place, name, "is swept already", "leave one of the two out");
    }
    if (const Place* const set = overridden(entry.key)) {
      return refuse(*set, entry.key, "is swept, so that every point sets it",
                    "choose a value by --point, or give others: --set 'sweep={...}'");
    }
    if (is_section(entry.key) || changes_results(schema_, entry.key)) return true;
    return refuse(entry.place, name, "does not change results", "sweep a key that does");
  }

  bool is_section(const std::string& key) const {
    return !key.empty() && schema_.find(key) != nullptr;
  }

  /// The place on the command line that sets the key, or a part of the section; null if none does.
  const Place* overridden(const std::string& key) const {
    const YamlEntry* const set = entry_at(base_.root, key);
    if (set == nullptr) return nullptr;
    return set->place.file != base_.file ? &set->place : override_in(set->value, base_.file);
  }

  void refuse_zip(const Place& place, const std::string& what) {
    refuse(place, "sweep.zip", what, "write `zip: {a.key: [1, 2], b.key: [3, 4]}`");
  }

  bool refuse(const Place& place, const std::string& name, const std::string& what,
              const std::string& hint) {
    base_.problems.push_back({place, name, what, hint});
    return false;
  }

  Document& base_;
  const Schema& schema_;
  std::vector<Axis> axes_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<Axis> read_axes(const YamlEntry& sweep, Document& base, const Schema& schema) {
  return Axes(base, schema).read(sweep);
}

namespace {

/// The names of keys: `names`, and all keys of sections that a dotted name can reach.
ordered_json key_names(const Schema& schema, const std::vector<std::string>& names) {
  ordered_json any = ordered_json::array({{{"enum", names}}});
  for (const SectionTable& table : schema.sections()) {
    for (const Param& param : table.params) {
      if (param.members.empty()) continue;
      const char* item = param.type == Param::Type::kNamedSections ? "[.][^.]+"
                         : param.type == Param::Type::kSections    ? "\\[[0-9]+\\]"
                                                                   : "";
      any.push_back({{"pattern", "^" + full_name(table.name, param.key) + item + "[.]"}});
    }
  }
  return {{"anyOf", any}};
}

}  // namespace

ordered_json sweep_json_schema(const Schema& schema) {
  const ordered_json number{{"type", "number"}};
  const ordered_json list{{"type", "array"}, {"minItems", 1}};
  const ordered_json range{{"type", "object"},
                           {"properties", {{"from", number}, {"to", number}, {"step", number}}},
                           {"required", ordered_json::array({"from", "to", "step"})},
                           {"additionalProperties", false}};
  const ordered_json values{{"anyOf", ordered_json::array({list, range})}};
  std::vector<std::string> names = schema.full_names();
  for (const SectionTable& section : schema.sections()) names.push_back(section.name);
  const ordered_json zip{{"description", "Keys that change together, as many values for each."},
                         {"type", "object"},
                         {"minProperties", 1},
                         {"propertyNames", key_names(schema, names)},
                         {"additionalProperties", values}};
  const ordered_json zips{{"type", "array"}, {"minItems", 1}, {"items", zip}};
  names.emplace_back(kZip);
  return {
      {"description",
       "Full dotted names, or names of sections, with the values they take; all combinations run."},
      {"type", "object"},
      {"minProperties", 1},
      {"propertyNames", key_names(schema, names)},
      {"properties", {{kZip, {{"anyOf", ordered_json::array({zip, zips})}}}}},
      {"additionalProperties", values}};
}

}  // namespace flitcast
