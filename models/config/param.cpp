// SPDX-License-Identifier: Apache-2.0
#include "config/param.h"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace

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
