// SPDX-License-Identifier: Apache-2.0
#include "config/schema.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "config/section.h"

namespace flitcast {
namespace {

using Conditions = std::vector<Param::Condition>;

bool same_but_for_conditions(const Param& a, const Param& b) {
  return a.key == b.key && a.type == b.type && a.fallback == b.fallback && a.unit == b.unit &&
         a.help == b.help && a.least == b.least && a.most == b.most && a.choices == b.choices &&
         a.echoed == b.echoed;
}

/// Joins `more` to `params` if they differ only in the values of one condition.
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
    const bool joined = std::any_of(result.begin(), result.end(), [&](Param& known) {
      return same_but_for_conditions(known, param) && merged(known.when.all, param.when.all);
    });
    if (!joined) result.push_back(std::move(param));
  }
  return result;
}

bool common_value(const Param::Condition& a, const Param::Condition& b) {
  return std::any_of(a.values.begin(), a.values.end(), [&](const std::string& value) {
    return std::count(b.values.begin(), b.values.end(), value) != 0;
  });
}

bool exclude_each_other(const Param& a, const Param& b) {
  for (const Param::Condition& left : a.when.all) {
    for (const Param::Condition& right : b.when.all) {
      if (left.key == right.key && !common_value(left, right)) return true;
    }
  }
  return false;
}

bool has_right_type(const Param& param, const nlohmann::json& value) {
  const auto in_range = [&] {
    return value.is_number() && value.get<double>() >= param.least &&
           value.get<double>() <= param.most;
  };
  const auto is_choice = [&] {
    return value.is_string() &&
           std::count(param.choices.begin(), param.choices.end(), value.get<std::string>()) != 0;
  };
  switch (param.type) {
    case Param::Type::kBoolean:
      return value.is_boolean();
    case Param::Type::kInteger:
    case Param::Type::kIntegers:
      return value.is_number_integer() && in_range();
    case Param::Type::kNumber:
    case Param::Type::kNumbers:
      return in_range();
    case Param::Type::kText:
      return value.is_string();
    case Param::Type::kChoice:
      return is_choice();
    case Param::Type::kChoiceOrInteger:
      return is_choice() || (value.is_number_integer() && in_range());
  }
  return false;
}

bool is_list(const Param& param) {
  return param.type == Param::Type::kIntegers || param.type == Param::Type::kNumbers;
}

bool is_right_fallback(const Param& param) {
  if (param.fallback.is_null()) return true;
  if (!is_list(param) || !param.fallback.is_array()) return has_right_type(param, param.fallback);
  return std::all_of(param.fallback.begin(), param.fallback.end(),
                     [&](const auto& item) { return has_right_type(param, item); });
}

/// Echoes must not depend on how a table writes its fallbacks: 1 for 1.0, or 5 for [5].
nlohmann::json normalised_fallback(const Param& param) {
  nlohmann::json fallback = param.fallback;
  if (fallback.is_null()) return fallback;
  if (is_list(param) && !fallback.is_array()) fallback = nlohmann::json::array({fallback});
  if (param.type == Param::Type::kNumber) fallback = fallback.get<double>();
  if (param.type == Param::Type::kNumbers) fallback = fallback.get<std::vector<double>>();
  return fallback;
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
  demand(is_right_fallback(param), table, param, "its fallback is outside of its own range");
  for (auto known = table.params.begin(); known != end; ++known) {
    demand(known->key != param.key || exclude_each_other(*known, param), table, param,
           "has two meanings at once");
  }
  for (const Param::Condition& condition : param.when.all) {
    const bool before = std::any_of(table.params.begin(), end,
                                    [&](const Param& known) { return known.key == condition.key; });
    demand(before, table, param, "depends on a key that does not come before it");
  }
}

void complete(SectionTable& table) {
  table.params = merged(std::move(table.params));
  for (std::size_t i = 0; i < table.params.size(); ++i) {
    check_param(table, i);
    table.params[i].fallback = normalised_fallback(table.params[i]);
  }
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
  return std::any_of(params.begin(), params.end(), [&](const Param& param) {
    return param.key.compare(0, prefix.size(), prefix) == 0;
  });
}

std::vector<std::string> SectionTable::keys() const {
  std::vector<std::string> keys;
  for (const Param& param : params) {
    if (std::count(keys.begin(), keys.end(), param.key) == 0) keys.push_back(param.key);
  }
  return keys;
}

Schema::Schema(std::vector<Param> top, std::vector<SectionTable> sections)
    : top_{"", "Keys outside of the sections.", std::move(top)}, sections_(std::move(sections)) {
  complete(top_);
  for (SectionTable& section : sections_) complete(section);
}

const SectionTable* Schema::find(const std::string& section) const {
  if (section.empty()) return &top_;
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const SectionTable& table) { return table.name == section; });
  return found == sections_.end() ? nullptr : &*found;
}

std::vector<std::string> Schema::full_names() const {
  std::vector<std::string> names = top_.keys();
  for (const SectionTable& section : sections_) {
    for (const std::string& key : section.keys()) names.push_back(full_name(section.name, key));
  }
  return names;
}

}  // namespace flitcast
