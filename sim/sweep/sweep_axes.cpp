// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <utility>

#include "config/wording.h"
#include "sim/sweep/sweep.h"

namespace flitcast {
namespace {

using Kind = YamlValue::Kind;

constexpr const char* kSweep = "sweep";
constexpr const char* kZip = "zip";
constexpr const char* kForm = "write `section.key: [value, value]` or `{from: A, to: B, step: S}`";

/// False for keys such as name and run.threads: all their points would be equal.
bool changes_results(const Schema& schema, const std::string& key) {
  if (key == "name") return false;
  const std::vector<const Param*> variants = schema.variants(key);
  return std::any_of(variants.begin(), variants.end(),
                     [](const Param* param) { return param->dumped; });
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
    return std::move(axes_);
  }

 private:
  void read_zips(const YamlEntry& zip) {
    if (zip.value.kind == Kind::kMap) return read_zip(zip.place, zip.value);
    const bool list = zip.value.kind == Kind::kList && !zip.value.items.empty();
    if (!list) refuse_zip(zip.place, "is not a map of keys that change together");
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
    for (YamlEntry entry : entries) {
      use_present_names(entry, base_, schema_);
      const std::vector<YamlValue> values = read_values(entry);
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

  /// The values of one key; none, and a problem, if it cannot be swept.
  std::vector<YamlValue> read_values(const YamlEntry& entry) {
    const std::string name = std::string(kSweep) + "." + printable(entry.key);
    if (!may_be_swept(entry, name)) return {};
    if (entry.value.kind == Kind::kMap) return steps(entry.value, name, base_.problems);
    if (entry.value.kind == Kind::kList && !entry.value.items.empty()) return entry.value.items;
    const bool empty = entry.value.kind == Kind::kList;
    refuse(entry.place, name, empty ? "is an empty list" : "is not a list of values", kForm);
    return {};
  }

  bool may_be_swept(const YamlEntry& entry, const std::string& name) {
    if (schema_.variants(entry.key).empty()) {
      const std::string meant = closest_name(schema_, entry.key);
      return refuse(
          entry.place, name, "unknown key",
          meant.empty() ? "name a key in full, section.key" : "did you mean " + meant + "?");
    }
    if (!seen_.insert(entry.key).second) {
      return refuse(entry.place, name, "is swept already", "leave one of the two out");
    }
    const YamlEntry* const set = entry_at(base_.root, entry.key);
    if (set != nullptr && set->place.file != base_.file) {  // By the command line.
      return refuse(set->place, entry.key, "is swept, so that every point sets it",
                    "choose a value by --point, or give others: --set 'sweep={...}'");
    }
    if (changes_results(schema_, entry.key)) return true;
    return refuse(entry.place, name, "does not change results", "sweep a key that does");
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

Axis seeds_from(std::int64_t seed, std::size_t count, const Place& place) {
  Axis axis{{"seed"}, {}};
  for (std::size_t run = 0; run < count; ++run) {
    axis.rows.push_back({scalar(std::to_string(seed + static_cast<std::int64_t>(run)), place)});
  }
  return axis;
}

namespace {

/// The names of keys: `names`, and all keys of sections that a dotted name can reach.
ordered_json key_names(const Schema& schema, const std::vector<std::string>& names) {
  ordered_json any = ordered_json::array({{{"enum", names}}});
  for (const SectionTable& table : schema.sections()) {
    for (const Param& param : table.params) {
      if (param.members.empty() || param.type == Param::Type::kSections) continue;
      const char* own_name = param.type == Param::Type::kNamedSections ? "[.][^.]+" : "";
      any.push_back({{"pattern", "^" + full_name(table.name, param.key) + own_name + "[.]"}});
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
  const ordered_json zip{{"description", "Keys that change together, as many values for each."},
                         {"type", "object"},
                         {"minProperties", 1},
                         {"propertyNames", key_names(schema, schema.full_names())},
                         {"additionalProperties", values}};
  const ordered_json zips{{"type", "array"}, {"minItems", 1}, {"items", zip}};
  std::vector<std::string> names = schema.full_names();
  names.emplace_back(kZip);
  return {{"description", "Full dotted names with the values they take; all combinations run."},
          {"type", "object"},
          {"minProperties", 1},
          {"propertyNames", key_names(schema, names)},
          {"properties", {{kZip, {{"anyOf", ordered_json::array({zip, zips})}}}}},
          {"additionalProperties", values}};
}

}  // namespace flitcast
