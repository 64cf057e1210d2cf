// SPDX-License-Identifier: Apache-2.0
#include "config/check_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "config/read_value.h"
#include "config/section.h"
#include "config/unknown_key.h"
#include "config/wording.h"

namespace flitcast {
namespace {

using nlohmann::json;
using Kind = YamlValue::Kind;

/// A value as conditions spell it.
std::string spelled(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class Checker {
 public:
  Checker(const Schema& schema, const SectionTable& table, const Place& place,
          std::vector<Problem>& problems)
      : schema_(schema), table_(table), place_(place), problems_(problems) {}

  CheckedSection check(const YamlValue* written) {
    if (written) collect(*written, "", place_);
    for (const Param& param : table_.params) decide(param);
    for (const auto& [key, entry] : written_) {
      if (result_.values.count(key) == 0 && undecided_.count(key) == 0) refuse_idle(key, *entry);
    }
    return std::move(result_);
  }

 private:
  enum class Answer { kNo, kUnknown, kYes };

  /// Finds the entries of known keys in the nested maps.
  void collect(const YamlValue& map, const std::string& prefix, const Place& place) {
    if (map.kind != Kind::kMap) {
      const std::string group = prefix.empty() ? "" : prefix.substr(0, prefix.size() - 1);
      const char* what = map.kind == Kind::kNothing ? "has no keys" : "is not a map";
      add(place, group, what, "write `{key: value}` or remove it");
      return;
    }
    for (const YamlEntry& entry : map.entries) {
      const std::string key = prefix + entry.key;
      const bool dotted = entry.key.find('.') != std::string::npos;
      if (!dotted && !table_.variants(key).empty()) {
        written_.emplace(key, &entry);
      } else if (!dotted && table_.is_group(key)) {
        collect(entry.value, key + ".", entry.place);
      } else if (dotted && is_known(key)) {
        add(entry.place, key, "dotted names are for --set and sweep",
            "open a map for each part of the name");
      } else {
        problems_.push_back(unknown_key(schema_, table_.name, key, entry.place));
      }
    }
  }

  bool is_known(const std::string& key) const {
    const auto names = schema_.full_names();
    return std::count(names.begin(), names.end(), full_name(table_.name, key)) != 0;
  }

  void decide(const Param& param) {
    const auto found = written_.find(param.key);
    const YamlEntry* entry = found == written_.end() ? nullptr : found->second;
    switch (answer(param)) {
      case Answer::kNo:
        return;
      case Answer::kUnknown:
        if (entry && undecided_.count(param.key) == 0) read_somehow(*entry, param.key);
        undecided_.insert(param.key);
        return;
      case Answer::kYes:
        settle(param, entry);
    }
  }

  /// Reads a key although the one that gives it a meaning is faulty, so that a typing error in
  /// `kind` does not hide those in what depends on it. It is a fault if no meaning allows the
  /// value.
  void read_somehow(const YamlEntry& entry, const std::string& key) {
    std::vector<Problem> first;
    for (const Param* param : table_.variants(key)) {
      std::vector<Problem> faults;
      read_value(entry.value, *param, full_name(table_.name, key), faults);
      if (faults.empty()) return;
      if (first.empty()) first = std::move(faults);
    }
    problems_.insert(problems_.end(), first.begin(), first.end());
  }

  void settle(const Param& param, const YamlEntry* entry) {
    json value = entry ? read(param, *entry) : param.fallback;
    if (!entry && value.is_null()) {
      add(place_, param.key, "is missing", "write " + expectation(param));
    }
    if (value.is_null()) {
      undecided_.insert(param.key);
      return;
    }
    result_.values[param.key] = std::move(value);
    if (entry) result_.places[param.key] = entry->value.place;
    if (param.echoed) result_.echoed.push_back(param.key);
  }

  json read(const Param& param, const YamlEntry& entry) {
    const std::string name = full_name(table_.name, param.key);
    return read_value(entry.value, param, name, problems_);
  }

  Answer answer(const Param& param) const {
    Answer all = Answer::kYes;
    for (const Param::Condition& condition : param.when.all) {
      const Answer one = answer(condition);
      if (one == Answer::kNo) return Answer::kNo;
      if (one == Answer::kUnknown) all = Answer::kUnknown;
    }
    return all;
  }

  Answer answer(const Param::Condition& condition) const {
    if (undecided_.count(condition.key) != 0) return Answer::kUnknown;
    const auto found = result_.values.find(condition.key);
    if (found == result_.values.end()) return Answer::kNo;
    const auto& values = condition.values;
    const bool holds = std::count(values.begin(), values.end(), spelled(found->second)) != 0;
    return holds ? Answer::kYes : Answer::kNo;
  }

  /// A key that is known but means nothing here: says which choices it belongs to.
  void refuse_idle(const std::string& key, const YamlEntry& entry) {
    std::map<std::string, std::vector<std::string>> missed;  // Values that would do, by key.
    for (const Param* param : table_.variants(key)) {
      const auto& conditions = param->when.all;
      const auto first =
          std::find_if(conditions.begin(), conditions.end(),
                       [&](const auto& condition) { return answer(condition) == Answer::kNo; });
      if (first == conditions.end()) continue;
      auto& values = missed[first->key];
      for (const std::string& value : first->values) {
        if (std::count(values.begin(), values.end(), value) == 0) values.push_back(value);
      }
    }
    std::string what = "does not apply";
    std::string remedy = "remove it";
    const char* joint = " while ";
    for (const auto& [other, values] : missed) {
      const std::string name = full_name(table_.name, other);
      remedy += fmt::format(", or set {} to {}", name, fmt::join(values, " or "));
      const auto found = result_.values.find(other);
      if (found == result_.values.end()) continue;
      what += joint + name + " is " + spelled(found->second);
      joint = " and ";
    }
    add(entry.place, key, what, remedy);
  }

  void add(const Place& place, const std::string& key, std::string what, std::string remedy) {
    const std::string name = key.empty() ? table_.name : full_name(table_.name, key);
    problems_.push_back({place, printable(name), std::move(what), std::move(remedy)});
  }

  const Schema& schema_;
  const SectionTable& table_;
  const Place place_;
  std::vector<Problem>& problems_;
  CheckedSection result_;
  std::map<std::string, const YamlEntry*> written_;
  std::set<std::string> undecided_;  ///< Keys whose value, or whose meaning, is not known.
};

}  // namespace

CheckedSection check_section(const Schema& schema, const SectionTable& table,
                             const YamlValue* written, const Place& place,
                             std::vector<Problem>& problems) {
  return Checker(schema, table, place, problems).check(written);
}

}  // namespace flitcast
