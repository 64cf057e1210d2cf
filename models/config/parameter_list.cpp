// SPDX-License-Identifier: Apache-2.0
#include "config/parameter_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "config/section.h"

namespace flitcast {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::array<std::string, 6>;

const char* type_name(Param::Type type) {
  switch (type) {
    case Param::Type::kBoolean:
      return "boolean";
    case Param::Type::kInteger:
      return "integer";
    case Param::Type::kNumber:
      return "number";
    case Param::Type::kText:
      return "text";
    case Param::Type::kChoice:
      return "choice";
    case Param::Type::kChoiceOrInteger:
      return "choice or integer";
    case Param::Type::kIntegers:
      return "integers";
    case Param::Type::kNumbers:
      return "numbers";
  }
  return "";
}

std::string default_text(const Param& param) {
  if (param.fallback.is_null()) return "required";
  if (!param.fallback.is_string()) return param.fallback.dump();
  const auto& text = param.fallback.get_ref<const std::string&>();
  return text.empty() ? "-" : text;
}

std::string condition_text(const SectionTable& table, const Param& param) {
  std::vector<std::string> parts;
  for (const Param::Condition& condition : param.when.all) {
    parts.push_back(fmt::format("{}: {}", full_name(table.name, condition.key),
                                fmt::join(condition.values, " or ")));
  }
  return parts.empty() ? "always" : fmt::format("{}", fmt::join(parts, ", "));
}

Row row(const SectionTable& table, const Param& param) {
  return {full_name(table.name, param.key),      expectation(param),
          param.unit.empty() ? "-" : param.unit, default_text(param),
          condition_text(table, param),          param.help};
}

/// Columns as wide as their longest cell, long cells apart: those move only their own line.
std::string aligned(const std::vector<Row>& rows) {
  constexpr std::size_t kWidest = 44;
  std::array<std::size_t, std::tuple_size<Row>::value> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].size() <= kWidest) widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    text += row.back() + "\n";
  }
  return text;
}

std::vector<const SectionTable*> tables(const Schema& schema) {
  std::vector<const SectionTable*> tables{&schema.top()};
  for (const SectionTable& section : schema.sections()) tables.push_back(&section);
  return tables;
}

Json entry(const SectionTable& table, const Param& param) {
  Json entry{{"name", full_name(table.name, param.key)}, {"type", type_name(param.type)}};
  if (!param.unit.empty()) entry["unit"] = param.unit;
  if (!param.fallback.is_null()) entry["default"] = Json(param.fallback);
  if (std::isfinite(param.least)) entry["minimum"] = param.least;
  if (std::isfinite(param.most)) entry["maximum"] = param.most;
  if (!param.choices.empty()) entry["choices"] = param.choices;
  for (const Param::Condition& condition : param.when.all) {
    entry["when"].push_back(
        {{"key", full_name(table.name, condition.key)}, {"values", condition.values}});
  }
  entry["help"] = param.help;
  return entry;
}

}  // namespace

std::string parameter_text(const Schema& schema) {
  std::vector<Row> rows{{"NAME", "VALUE", "UNIT", "DEFAULT", "APPLIES WHILE", "MEANING"}};
  for (const SectionTable* table : tables(schema)) {
    for (const Param& param : table->params) rows.push_back(row(*table, param));
  }
  return aligned(rows);
}

Json parameter_json(const Schema& schema) {
  Json list = Json::array();
  for (const SectionTable* table : tables(schema)) {
    for (const Param& param : table->params) list.push_back(entry(*table, param));
  }
  return list;
}

}  // namespace flitcast
