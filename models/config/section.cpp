// SPDX-License-Identifier: Apache-2.0
#include "config/section.h"

#include <filesystem>
#include <stdexcept>
#include <utility>

namespace flitcast {
namespace {

/// A single value stands for a list of one.
template <class T>
std::vector<T> list_of(const nlohmann::json& value) {
  if (value.is_array()) return value.get<std::vector<T>>();
  return {value.get<T>()};
}

bool all_of(const nlohmann::json& value, bool (nlohmann::json::*is)() const noexcept) {
  if (!value.is_array()) return (value.*is)();
  for (const nlohmann::json& item : value) {
    if (!(item.*is)()) return false;
  }
  return true;
}

void demand(bool right_type, const std::string& section, const std::string& key, const char* type) {
  if (!right_type) throw std::logic_error(section + "." + key + " was asked for as " + type);
}

}  // namespace

Section::Section(std::string name, Place place, std::map<std::string, nlohmann::json> values,
                 std::map<std::string, Place> places)
    : name_(std::move(name)),
      place_(std::move(place)),
      values_(std::move(values)),
      places_(std::move(places)) {}

bool Section::boolean(const std::string& key) const {
  demand(value(key).is_boolean(), name_, key, "a boolean");
  return value(key).get<bool>();
}

std::int64_t Section::integer(const std::string& key) const {
  demand(value(key).is_number_integer(), name_, key, "an integer");
  return value(key).get<std::int64_t>();
}

std::size_t Section::count(const std::string& key) const {
  return static_cast<std::size_t>(integer(key));
}

bool Section::is_integer(const std::string& key) const { return value(key).is_number_integer(); }

double Section::number(const std::string& key) const {
  demand(value(key).is_number(), name_, key, "a number");
  return value(key).get<double>();
}

const std::string& Section::text(const std::string& key) const {
  demand(value(key).is_string(), name_, key, "text");
  return value(key).get_ref<const std::string&>();
}

std::vector<std::int64_t> Section::integers(const std::string& key) const {
  demand(all_of(value(key), &nlohmann::json::is_number_integer), name_, key, "integers");
  return list_of<std::int64_t>(value(key));
}

std::vector<double> Section::numbers(const std::string& key) const {
  demand(all_of(value(key), &nlohmann::json::is_number), name_, key, "numbers");
  return list_of<double>(value(key));
}

Place Section::place(const std::string& key) const {
  const auto found = places_.find(key);
  return found == places_.end() ? place_ : found->second;
}

std::string Section::path(const std::string& key) const {
  const Place where = place(key);
  const std::filesystem::path folder =
      where.line > 0 ? std::filesystem::path(where.file).parent_path() : std::filesystem::path();
  return (folder / text(key)).string();
}

Problem Section::problem(const std::string& key, std::string what, std::string remedy) const {
  return {place(key), full_name(name_, key), std::move(what), std::move(remedy)};
}

void Section::fail(const std::string& key, std::string what, std::string remedy) const {
  throw ConfigError(problem(key, std::move(what), std::move(remedy)));
}

Section Section::of(std::string name, std::map<std::string, nlohmann::json> values) {
  return Section(std::move(name), {}, std::move(values));
}

const nlohmann::json& Section::value(const std::string& key) const {
  const auto found = values_.find(key);
  if (found == values_.end()) {
    throw std::logic_error(full_name(name_, key) + " is not in the table of parameters");
  }
  return found->second;
}

}  // namespace flitcast
