// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/figures.h"
#include "base/sequences.h"
#include "config/schema.h"
#include "config/wording.h"

namespace flitcast {
namespace {

using Json = nlohmann::ordered_json;

/// A bound as an integer if it is one: 1 rather than 1.0.
Json bound(double value) {
  const bool whole = std::abs(value) < 0x1p53 && std::floor(value) == value;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json number(const Param& param, const char* type) {
  Json schema{{"type", type}};
  if (std::isfinite(param.least)) schema["minimum"] = bound(param.least);
  if (std::isfinite(param.most)) schema["maximum"] = bound(param.most);
  const std::vector<std::string> units = units_of(param.unit);
  if (units.empty()) return schema;
  const std::string pattern =
      fmt::format("^-?[0-9.]+(e[+-]?[0-9]+)? *({}|{})$", fmt::join(units, "|"), param.unit);
  return {{"anyOf", Json::array({schema, Json{{"type", "string"}, {"pattern", pattern}}})}};
}

Json one_or_list(const Json& item) {
  return {{"anyOf", Json::array({item, Json{{"type", "array"}, {"items", item}}})}};
}

// This program reads `name: 7` as text, but readers of YAML as JSON see a number.
Json text_type() { return {{"type", Json::array({"string", "number", "boolean"})}}; }

Json only_member(const std::string& name, Json value) {
  return {{"type", "object"},
          {"properties", {{name, std::move(value)}}},
          {"required", Json::array({name})},
          {"additionalProperties", false}};
}

Json variant(const Param& param) {
  Param count = param;
  count.least = 0;
  const Json list{{"type", "array"}, {"items", number(param, "integer")}};
  Json forms = Json::array({Json{{"enum", param.choices}}});
  for (const std::string& name : param.counted) {
    forms.push_back(only_member(name, number(count, "integer")));
  }
  for (const std::string& name : param.enumerated) forms.push_back(only_member(name, list));
  if (!param.enumerated.empty()) forms.push_back(list);
  return {{"anyOf", forms}};
}

Json item_of(const Param& param);

Json type_of(const Param& param) {
  switch (param.type) {
    case Param::Type::kBoolean:
      return {{"type", "boolean"}};
    case Param::Type::kInteger:
      return number(param, "integer");
    case Param::Type::kNumber:
      return number(param, "number");
    case Param::Type::kText:
      return text_type();
    case Param::Type::kChoice:
      return {{"enum", param.choices}};
    case Param::Type::kChoiceOrInteger:
      return {{"anyOf", Json::array({Json{{"enum", param.choices}}, number(param, "integer")})}};
    case Param::Type::kIntegers:
      return one_or_list(number(param, "integer"));
    case Param::Type::kNumbers:
      return one_or_list(number(param, "number"));
    case Param::Type::kTexts:
      return one_or_list(text_type());
    case Param::Type::kVariant:
      return variant(param);
    case Param::Type::kSections:
      return {{"type", "array"}, {"items", item_of(param)}};
    case Param::Type::kSection:
      return item_of(param);
    case Param::Type::kNamedSections:
      return {{"type", "object"}, {"additionalProperties", item_of(param)}};
  }
  return {};
}

Json described(const Param& param) {
  Json schema = type_of(param);
  schema["description"] = param.unit.empty() ? param.help : param.help + " [" + param.unit + "]";
  if (!param.fallback.is_null()) schema["default"] = Json(param.fallback);
  return schema;
}

Json alternatives_of(const std::vector<const Param*>& variants) {
  if (variants.size() == 1) return described(*variants.front());
  return {{"anyOf", mapped(variants, [](const Param* one) { return described(*one); })}};
}

/// Adds the schema of a key; "a.b" is a path of nested maps.
void add_property(Json& object, const std::string& key, const Json& schema) {
  place_of("properties." + all_replaced(key, ".", ".properties."), object) = schema;
}

Json at(const std::string& key, const Json& schema) {
  Json root;
  add_property(root, key, schema);
  return root;
}

/// Requires the nested maps and the key itself.
Json present(const std::string& key) {
  const std::size_t dot = key.find('.');
  const std::string step = key.substr(0, dot);
  Json root{{"required", Json::array({step})}};
  if (dot != std::string::npos) root["properties"][step] = present(key.substr(dot + 1));
  return root;
}

Json all_of(Json schemas) { return {{"allOf", std::move(schemas)}}; }

/// The values of a condition in every way that YAML may be read: "8" and 8.
Json values_of(const Param::Condition& condition) {
  Json values = Json::array();
  for (const std::string& value : condition.values) {
    values.push_back(value);
    const Json parsed = Json::parse(value, nullptr, false);
    if (!parsed.is_discarded() && !parsed.is_string()) values.push_back(parsed);
  }
  return values;
}

/// True while the condition holds; an absent key has its default.
Json holds(const SectionTable& table, const Param::Condition& condition) {
  const bool by_default = any_of(table.variants(condition.key), [&](const Param* param) {
    return contains(condition.values, spelled(param->fallback));
  });
  const Json written = at(condition.key, {{"enum", values_of(condition)}});
  return by_default ? written : all_of(Json::array({written, present(condition.key)}));
}

Json applies(const SectionTable& table, const Param& param) {
  return all_of(
      mapped(param.when.all, [&](const auto& condition) { return holds(table, condition); }));
}

/// The rules that decide which keys apply and which are required.
Json rules(const SectionTable& table) {
  Json rules = Json::array();
  for (const std::string& key : table.keys()) {
    Json somehow = Json::array();
    bool always = false;
    for (const Param* param : table.variants(key)) {
      const bool required = param->is_required();
      if (param->when.all.empty()) {
        always = true;
        if (required) rules.push_back(present(key));
        continue;
      }
      somehow.push_back(applies(table, *param));
      const Json typed = at(key, type_of(*param));
      const Json then = required ? all_of(Json::array({typed, present(key)})) : typed;
      rules.push_back({{"if", somehow.back()}, {"then", then}});
    }
    if (always) continue;
    rules.push_back({{"if", {{"not", {{"anyOf", somehow}}}}}, {"then", at(key, Json(false))}});
  }
  return rules;
}

void add_keys(Json& object, const SectionTable& table) {
  object["type"] = "object";
  object["properties"] = Json::object();
  for (const std::string& key : table.keys()) {
    add_property(object, key, alternatives_of(table.variants(key)));
  }
}

void close_objects(Json& object) {
  object["type"] = "object";
  object["additionalProperties"] = false;
  for (Json& property : object["properties"]) {
    if (property.is_object() && property.contains("properties")) close_objects(property);
  }
}

/// The schema of a section, alone or in a list or map.
Json item_of(const Param& param) {
  const SectionTable table{"", "", param.members};
  Json item;
  add_keys(item, table);
  close_objects(item);
  const Json which = rules(table);
  if (!which.empty()) item["allOf"] = which;
  return item;
}

bool demands_itself(const SectionTable& table) {
  return any_of(table.params,
                [](const Param& param) { return param.is_required() && param.when.all.empty(); });
}

/// Rules of all sections, as a schema of the top level.
Json all_rules(const Schema& schema) {
  Json result{{"required", Json::array()}};
  const Json top = rules(schema.top());
  if (!top.empty()) result["allOf"] = top;
  for (const SectionTable& table : schema.sections()) {
    if (demands_itself(table)) result["required"].push_back(table.name);
    const Json section = rules(table);
    if (!section.empty()) result["properties"][table.name] = all_of(section);
  }
  return result;
}

}  // namespace

Json json_schema(const Schema& schema, const Json& extra, const std::string& exempting) {
  Json result{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  result["title"] = "flitcast experiment";
  add_keys(result, schema.top());
  for (const SectionTable& table : schema.sections()) {
    Json& section = result["properties"][table.name];
    section["description"] = table.help;
    add_keys(section, table);
  }
  close_objects(result);
  for (const auto& [name, property] : extra.items()) result["properties"][name] = property;
  if (exempting.empty()) {
    result["allOf"] = Json::array({all_rules(schema)});
  } else {
    result["if"] = {{"not", {{"required", Json::array({exempting})}}}};
    result["then"] = all_rules(schema);
  }
  return result;
}

}  // namespace flitcast
