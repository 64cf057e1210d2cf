// SPDX-License-Identifier: Apache-2.0
#include "config/param.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace flitcast {
namespace {

std::string range(const Param& param) {
  const bool bounded_below = std::isfinite(param.least);
  const bool bounded_above = std::isfinite(param.most);
  if (bounded_below && bounded_above) return fmt::format(" from {} to {}", param.least, param.most);
  if (bounded_below) return fmt::format(", at least {}", param.least);
  if (bounded_above) return fmt::format(", at most {}", param.most);
  return {};
}

Param bounded(Param::Type type, std::string key, std::string unit, std::string help, double least,
              double most) {
  return {std::move(key), type, nullptr, std::move(unit), std::move(help), least, most};
}

}  // namespace

Param Param::boolean(std::string key, bool fallback, std::string help) {
  return {std::move(key), Type::kBoolean, fallback, "", std::move(help)};
}

Param Param::integer(std::string key, std::string unit, std::string help, double least,
                     double most) {
  return bounded(Type::kInteger, std::move(key), std::move(unit), std::move(help), least, most);
}

Param Param::number(std::string key, std::string unit, std::string help, double least,
                    double most) {
  return bounded(Type::kNumber, std::move(key), std::move(unit), std::move(help), least, most);
}

Param Param::integers(std::string key, std::string unit, std::string help, double least,
                      double most) {
  return bounded(Type::kIntegers, std::move(key), std::move(unit), std::move(help), least, most);
}

Param Param::numbers(std::string key, std::string unit, std::string help, double least,
                     double most) {
  return bounded(Type::kNumbers, std::move(key), std::move(unit), std::move(help), least, most);
}

Param Param::text(std::string key, std::string help) {
  return {std::move(key), Type::kText, nullptr, "", std::move(help)};
}

Param Param::choice(std::string key, std::string help, std::vector<std::string> choices) {
  Param param{std::move(key), Type::kChoice, nullptr, "", std::move(help)};
  if (!choices.empty()) param.fallback = choices.front();
  param.choices = std::move(choices);
  return param;
}

Param Param::choice_or_integer(std::string key, std::string unit, std::string help,
                               std::vector<std::string> choices, double least, double most) {
  Param param = bounded(Type::kChoiceOrInteger, std::move(key), std::move(unit), std::move(help),
                        least, most);
  param.fallback = choices.front();
  param.choices = std::move(choices);
  return param;
}

Param Param::defaults_to(nlohmann::json value) && {
  fallback = std::move(value);
  return std::move(*this);
}

std::string expectation(const Param& param) {
  switch (param.type) {
    case Param::Type::kBoolean:
      return "true or false";
    case Param::Type::kInteger:
      return "an integer" + range(param);
    case Param::Type::kNumber:
      return "a number" + range(param);
    case Param::Type::kText:
      return "text";
    case Param::Type::kChoice:
      if (param.choices.size() == 1) return param.choices.front();
      return fmt::format("one of {}", fmt::join(param.choices, ", "));
    case Param::Type::kChoiceOrInteger:
      return fmt::format("{}, or an integer{}", fmt::join(param.choices, ", "), range(param));
    case Param::Type::kIntegers:
      return "an integer" + range(param) + ", or a list of them";
    case Param::Type::kNumbers:
      return "a number" + range(param) + ", or a list of them";
  }
  return {};
}

}  // namespace flitcast
