// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/yaml.h"

namespace flitcast {

/// A decimal fraction, digits / 10^places, exact where binary fractions are not: 0.05 + 2 * 0.05 is
/// 0.15 and not 0.15000000000000002.
struct Decimal {
  std::int64_t digits = 0;
  int places = 0;  ///< At least 0.

  /// Reads "-12", "0.05", "1e-3". Nothing for other texts and for more than 17 digits.
  static std::optional<Decimal> parse(const std::string& text);

  /// The same value with `more` places, or nothing where that takes more than 17 digits.
  std::optional<Decimal> with_places(int more) const;

  /// Without superfluous zeros: "0.15", "8".
  std::string text() const;
};

/// More points than anyone runs; a larger count is a mistyped step.
inline constexpr std::size_t kMostPoints = 1'000'000;

/// The values of {from: A, to: B, step: S}: A + i S up to B, exactly, as a user would write them.
/// For other maps it adds problems and returns nothing.
///
/// @param name  For problems: "sweep.workload.load".
std::vector<YamlValue> steps(const YamlValue& map, const std::string& name,
                             std::vector<Problem>& problems);

}  // namespace flitcast
