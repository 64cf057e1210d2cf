// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/sequences.h"
#include "config/schema.h"
#include "config/section.h"
#include "config/wording.h"

namespace flitcast {
namespace {

using Json = nlohmann::ordered_json;

/// The names in the order of Param::Type.
constexpr std::array<const char*, 13> kTypeNames{
    "boolean", "integer", "number",  "text",     "choice",  "choice or integer", "integers",
    "numbers", "texts",   "variant", "sections", "section", "named sections"};

std::string condition_text(const SectionTable& table, const Param& param) {
  return joined(mapped(param.when.all, [&](const Param::Condition& condition) {
    return full_name(table.name, condition.key) + ": " + either(condition.values);
  }));
}

std::string default_text(const Param& param) {
  if (param.fallback.is_null()) return param.is_required() ? "required" : "may be absent";
  const std::string fallback = spelled(param.fallback);
  return "default " + (fallback.empty() ? "-" : fallback);
}

/// "an integer from 1 to 65535, flits, or a size such as 64 B; default 8".
std::string value_text(const Param& param) {
  const std::string unit = param.unit.empty() ? "" : ", " + param.unit;
  const std::string quantities = quantities_text(param.unit);
  return fmt::format("{}{}{}; {}", expectation(param), unit,
                     quantities.empty() ? "" : ", or " + quantities, default_text(param));
}

std::string entry_text(const SectionTable& table, const Param& param) {
  constexpr std::size_t kIndent = 4;
  std::string text = full_name(table.name, param.key) + "\n" + wrapped(value_text(param), kIndent);
  if (!param.when.all.empty()) text += wrapped("while " + condition_text(table, param), kIndent);
  return text + wrapped(param.help, kIndent);
}

/// Calls visit(table, param) for every key; a key that holds sections is followed by their keys.
template <class Visit>
void for_each_param(const SectionTable& table, Visit&& visit) {
  for (const Param& param : table.params) {
    visit(table, param);
    if (param.members.empty()) continue;
    const char* item = param.type == Param::Type::kSections  ? "[]"
                       : param.type == Param::Type::kSection ? ""
                                                             : ".NAME";
    for_each_param({full_name(table.name, param.key) + item, "", param.members}, visit);
  }
}

template <class Visit>
void for_each_param(const Schema& schema, Visit&& visit) {
  for_each_param(schema.top(), visit);
  for (const SectionTable& section : schema.sections()) for_each_param(section, visit);
}

Json entry(const SectionTable& table, const Param& param) {
  Json entry{{"name", full_name(table.name, param.key)},
             {"type", kTypeNames[static_cast<std::size_t>(param.type)]}};
  if (!param.unit.empty()) entry["unit"] = param.unit;
  const std::vector<std::string> units = units_of(param.unit);
  if (!units.empty()) entry["units"] = units;
  if (param.may_be_absent) entry["optional"] = true;
  if (!param.fallback.is_null()) entry["default"] = Json(param.fallback);
  if (std::isfinite(param.least)) entry["minimum"] = param.least;
  if (std::isfinite(param.most)) entry["maximum"] = param.most;
  if (!param.choices.empty()) entry["choices"] = param.choices;
  if (!param.counted.empty()) entry["counted"] = param.counted;
  if (!param.enumerated.empty()) entry["enumerated"] = param.enumerated;
  for (const Param::Condition& condition : param.when.all) {
    entry["when"].push_back(
        {{"key", full_name(table.name, condition.key)}, {"values", condition.values}});
  }
  entry["help"] = param.help;
  return entry;
}

}  // namespace

std::string parameter_text(const Schema& schema) {
  std::string text;
  for_each_param(schema, [&](const SectionTable& table, const Param& param) {
    text += entry_text(table, param);
  });
  return text;
}

Json parameter_json(const Schema& schema) {
  Json list = Json::array();
  for_each_param(schema, [&](const SectionTable& table, const Param& param) {
    list.push_back(entry(table, param));
  });
  return list;
}

}  // namespace flitcast
