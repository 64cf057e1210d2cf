// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace flitcast {

/// One key of one section of the configuration. The table of all of them is the only place that
/// knows the keys: validation, JSON Schema and the parameter list are read from it.
struct Param {
  enum class Type {
    kBoolean,
    kInteger,
    kNumber,
    kText,
    kChoice,    ///< One of `choices`.
    kIntegers,  ///< A list of integers; a single one stands for a list of one.
    kNumbers,   ///< The same for numbers.
  };

  /// The key is meaningful only while `key` of the same section is one of `values`.
  struct Condition {
    std::string key;
    std::vector<std::string> values;  ///< Empty: always meaningful.
  };

  std::string key;              ///< Within its section; a dot opens a nested map: "pipeline.route".
  Type type = Type::kInteger;
  nlohmann::json fallback{};    ///< Value when the key is absent; null: the key is required.
  std::string unit{};           ///< "flits", "cycles"; empty for none.
  std::string help{};           ///< One sentence.
  double least = -std::numeric_limits<double>::infinity();  ///< Smallest number, of each element too.
  double most = std::numeric_limits<double>::infinity();    ///< Largest number.
  std::vector<std::string> choices{};
  Condition when{};
};

}  // namespace flitcast
