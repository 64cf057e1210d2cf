// SPDX-License-Identifier: Apache-2.0
#include "config/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/figures.h"
#include "base/sequences.h"
#include "config/schema.h"
#include "config/wording.h"
#include "config/yaml.h"

namespace flitcast {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using Kind = YamlValue::Kind;

/// Tests the type of a value, or of each item of a list.
using IsType = bool (json::*)() const noexcept;

const json& typed(const json& value, IsType is, const std::string& name, const char* type) {
  if ((value.*is)()) return value;
  throw std::logic_error(name + " was asked for as " + type);
}

/// A single value counts as a list of one.
template <class T>
std::vector<T> list_of(const json& value, IsType is, const std::string& name, const char* type) {
  if (!value.is_array()) return {typed(value, is, name, type).get<T>()};
  return mapped(value, [&](const json& item) { return typed(item, is, name, type).get<T>(); });
}

}  // namespace

/// Reads one section; see check_section().
class SectionChecker {
 public:
  SectionChecker(const Schema& schema, const SectionTable& table, const Place& place,
                 Reading& reading)
      : schema_(schema), table_(table), reading_(reading), section_(table.name, place, {}) {}

  Section check(const YamlValue* written) {
    if (written) collect(*written, "", section_.place_);
    for (const Param& param : table_.params) {
      if (written == nullptr || written->kind == Kind::kMap) decide(param);
    }
    for (const auto& [key, entry] : written_) {
      if (section_.values_.count(key) == 0 && undecided_.count(key) == 0) refuse_idle(key, *entry);
    }
    return std::move(section_);
  }

 private:
  /// In this order: several conditions together have the least of their answers.
  enum class Answer { kNo, kUnknown, kYes };

  /// Finds the entries of known keys in the nested maps.
  void collect(const YamlValue& map, const std::string& prefix, const Place& place) {
    if (map.kind != Kind::kMap) {
      const std::string group = prefix.empty() ? "" : prefix.substr(0, prefix.size() - 1);
      const char* what = map.kind == Kind::kNothing ? "has no keys" : "is not a map";
      return add(place, group, what, "write `{key: value}` or remove it");
    }
    for (const YamlEntry& entry : map.entries) {
      const std::string key = prefix + entry.key;
      const bool dotted = entry.key.find('.') != std::string::npos;
      if (!dotted && !table_.variants(key).empty()) {
        written_.emplace(key, &entry);
      } else if (!dotted && table_.is_group(key)) {
        collect(entry.value, key + ".", entry.place);
      } else if (dotted && !schema_.variants(full_name(table_.name, key)).empty()) {
        add(entry.place, key, "dotted names are for --set and sweep",
            "open a map for each part of the name");
      } else {
        reading_.problems.push_back(unknown_key(schema_, table_, key, entry.place));
      }
    }
  }

  void decide(const Param& param) {
    const auto found = written_.find(param.key);
    const YamlEntry* entry = found == written_.end() ? nullptr : found->second;
    const Answer applies = answer(param);
    if (applies == Answer::kYes) return resolve(param, entry);
    if (applies == Answer::kNo) return;
    if (entry && undecided_.count(param.key) == 0) read_somehow(*entry, param.key);
    undecided_.insert(param.key);
  }

  /// Reads a key even if the key that it depends on is faulty, so that a typing error in `kind`
  /// does not hide errors in the keys that depend on it. Reports a fault if no variant allows the
  /// value.
  void read_somehow(const YamlEntry& entry, const std::string& key) {
    std::vector<Problem> first;
    for (const Param* param : table_.variants(key)) {
      Reading trial{reading_.scale};
      read(entry.value, *param, trial);
      if (trial.problems.empty()) return;
      if (first.empty()) first = std::move(trial.problems);
    }
    reading_.problems.insert(reading_.problems.end(), first.begin(), first.end());
  }

  /// Checks an integer against what follows from the scale.
  void check_scale(const Param& param, const json& value, double scaled, const Place& place) {
    const auto given = value.get<double>();
    const double beyond = param.scale_rule.side == 0 ? std::fabs(given - scaled) - 0.5
                                                     : (scaled - given) * param.scale_rule.side;
    if (beyond <= 0 && given >= param.least && given <= param.most) return;
    static constexpr std::array kHints{"at most ", "", "at least "};
    const int hint = param.scale_rule.side + 1;
    add(place, param.key,
        fmt::format("is {} {}, which contradicts {}", given, param.unit, param.scale_rule.source),
        fmt::format("write {}{}, or change {}", kHints.at(static_cast<std::size_t>(hint)), scaled,
                    param.scale_rule.source));
  }

  void resolve(const Param& param, const YamlEntry* entry) {
    const bool follows = param.scale_rule.value != nullptr && reading_.scale;
    const auto scaled = follows ? param.scale_rule.value(*reading_.scale) : std::nullopt;
    json value = scaled ? json(std::llround(*scaled)) : param.fallback;
    if (entry) value = read(entry->value, param, reading_);
    if (scaled && !value.is_null()) {
      check_scale(param, value, *scaled, entry ? entry->value.place : section_.place_);
    }
    if (!entry && param.may_be_absent) return;
    if (!entry && value.is_null()) {
      add(section_.place_, param.key, "is missing", "write " + expectation(param));
    }
    if (value.is_null()) {
      undecided_.insert(param.key);
      return;
    }
    const bool kept = param.default_dumped || value != param.fallback;
    section_.values_[param.key] = std::move(value);
    if (entry) section_.places_[param.key] = entry->value.place;
    if (param.dumped && kept) section_.dumped_.push_back(param.key);
  }

  json read(const YamlValue& written, const Param& param, Reading& reading) {
    const std::string name = full_name(table_.name, param.key);
    if (param.members.empty()) {
      return read_value(written, param, name, reading, table_.variants(param.key));
    }
    const std::size_t known = reading.problems.size();
    std::vector<Section> sections;
    const auto read_item = [&](const YamlValue& item, const std::string& item_name) {
      const SectionTable table{item_name, "", param.members};
      sections.push_back(check_section(schema_, table, &item, item.place, reading));
      return json(sections.back().effective());
    };
    json values = read_sections(written, param.type, name, reading, read_item);
    if (reading.problems.size() != known) return {};
    section_.lists_[param.key] = std::move(sections);
    return values;
  }

  /// Reads a section, which belongs to a list or a map, under its full name.
  using ReadItem = std::function<json(const YamlValue& item, const std::string& name)>;

  static json read_sections(const YamlValue& written, Param::Type type, const std::string& name,
                            Reading& reading, const ReadItem& read_item) {
    if (type == Param::Type::kSection) return read_item(written, name);
    const bool list = type == Param::Type::kSections;
    json values = list ? json::array() : json::object();
    if (written.kind != (list ? Kind::kList : Kind::kMap)) {
      reading.problems.push_back(
          {written.place, name, list ? "is not a list" : "is not a map",
           list ? "write [{key: value}, ...]" : "write {NAME: {key: value}, ...}"});
      return values;
    }
    for (const YamlValue& item : written.items) {
      values.push_back(read_item(item, fmt::format("{}[{}]", name, values.size())));
    }
    for (const YamlEntry& entry : written.entries) {
      const std::string item_name = full_name(name, printable(entry.key));
      if (entry.key.find('.') != std::string::npos) {
        reading.problems.push_back({entry.place, item_name, "dotted names are for --set and sweep",
                                    "open a map for each part of the name"});
      }
      values[entry.key] = read_item(entry.value, item_name);
    }
    return values;
  }

  Answer answer(const Param& param) const {
    Answer all = Answer::kYes;
    for (const Param::Condition& condition : param.when.all) {
      all = std::min(all, answer(condition));
    }
    return all;
  }

  Answer answer(const Param::Condition& condition) const {
    if (undecided_.count(condition.key) != 0) return Answer::kUnknown;
    const auto found = section_.values_.find(condition.key);
    if (found == section_.values_.end()) return Answer::kNo;
    const bool holds = contains(condition.values, spelled(found->second));
    return holds ? Answer::kYes : Answer::kNo;
  }

  /// Reports a known key that does not apply here, with the choices under which it applies.
  void refuse_idle(const std::string& key, const YamlEntry& entry) {
    // Values that would make the key apply, by key.
    std::map<std::string, std::vector<std::string>> missed;
    for (const Param* param : table_.variants(key)) {
      const auto* const first = first_where(
          param->when.all, [&](const auto& condition) { return answer(condition) == Answer::kNo; });
      if (first == nullptr) continue;
      auto& values = missed[first->key];
      for (const std::string& value : first->values) {
        if (!contains(values, value)) values.push_back(value);
      }
    }
    std::string what = "does not apply";
    std::string hint = "remove it";
    const char* joint = " while ";
    for (const auto& [other, values] : missed) {
      const std::string name = full_name(table_.name, other);
      hint += fmt::format(", or set {} to {}", name, fmt::join(values, " or "));
      const auto found = section_.values_.find(other);
      if (found == section_.values_.end()) continue;
      what += joint + name + " is " + spelled(found->second);
      joint = " and ";
    }
    add(entry.place, key, what, hint);
  }

  void add(const Place& place, const std::string& key, std::string what, std::string hint) {
    const std::string name = key.empty() ? table_.name : full_name(table_.name, key);
    reading_.problems.push_back({place, printable(name), std::move(what), std::move(hint)});
  }

  const Schema& schema_;
  const SectionTable& table_;
  Reading& reading_;
  Section section_;  ///< Lacks values after a problem.
  std::map<std::string, const YamlEntry*> written_;
  std::set<std::string> undecided_;  ///< Keys whose value or conditions are unknown.
};

bool Section::boolean(const std::string& key) const {
  return typed(value(key), &json::is_boolean, full_name(name_, key), "a boolean").get<bool>();
}

std::int64_t Section::integer(const std::string& key) const {
  return typed(value(key), &json::is_number_integer, full_name(name_, key), "an integer")
      .get<std::int64_t>();
}

double Section::number(const std::string& key) const {
  return typed(value(key), &json::is_number, full_name(name_, key), "a number").get<double>();
}

const std::string& Section::text(const std::string& key) const {
  return typed(value(key), &json::is_string, full_name(name_, key), "text")
      .get_ref<const std::string&>();
}

std::vector<std::int64_t> Section::integers(const std::string& key) const {
  return list_of<std::int64_t>(value(key), &json::is_number_integer, full_name(name_, key),
                               "integers");
}

std::vector<double> Section::numbers(const std::string& key) const {
  return list_of<double>(value(key), &json::is_number, full_name(name_, key), "numbers");
}

std::vector<std::string> Section::texts(const std::string& key) const {
  return list_of<std::string>(value(key), &json::is_string, full_name(name_, key), "texts");
}

Variant Section::variant(const std::string& key) const {
  const json& selected = value(key);
  if (selected.is_string()) return {selected.get<std::string>()};
  typed(selected, &json::is_object, full_name(name_, key), "a variant");
  return {selected.begin().key(),
          list_of<std::int64_t>(selected.begin().value(), &json::is_number_integer,
                                full_name(name_, key), "a variant")};
}

const std::vector<Section>& Section::sections(const std::string& key) const {
  static const std::vector<Section> none;
  typed(value(key), &json::is_structured, full_name(name_, key), "sections");
  const auto found = lists_.find(key);
  return found == lists_.end() ? none : found->second;
}

Place Section::place(const std::string& key) const {
  const auto found = places_.find(key);
  return found == places_.end() ? place_ : found->second;
}

std::string Section::path(const std::string& key) const {
  const Place where = place(key);
  if (where.line == 0) return text(key);
  const auto beside = std::filesystem::path(where.file).parent_path() / text(key);
  std::error_code ignored;  // A file that cannot be accessed counts as missing.
  const bool elsewhere =
      !std::filesystem::exists(beside, ignored) && std::filesystem::exists(text(key), ignored);
  return elsewhere ? text(key) : beside.string();
}

ordered_json Section::effective() const {
  ordered_json map = ordered_json::object();
  for (const std::string& key : dumped_) {
    const auto list = lists_.find(key);
    ordered_json& sections = place_of(key, map);
    if (list == lists_.end()) {
      sections = value(key);
      continue;
    }
    sections = ordered_json(value(key).type());
    for (const Section& section : list->second) {
      if (section.name() == full_name(name_, key))
        sections = section.effective();
      else if (sections.is_array())
        sections.push_back(section.effective());
      else
        sections[section.own_name()] = section.effective();
    }
  }
  return map;
}

const nlohmann::json& Section::value(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) {
    throw std::logic_error(full_name(name_, key) + " is not in the table of parameters");
  }
  return found->second;
}

Section check_section(const Schema& schema, const SectionTable& table, const YamlValue* written,
                      const Place& place, Reading& reading) {
  return SectionChecker(schema, table, place, reading).check(written);
}

}  // namespace flitcast
