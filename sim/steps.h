// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "config/yaml.h"

namespace flitcast {

/// More points than anyone runs; a larger count is a mistyped step.
inline constexpr std::size_t kMostPoints = 1'000'000;

/// The values of {from: A, to: B, step: S}: A + i S up to B, exactly, as a user would write them.
/// For other maps it adds problems and returns nothing.
///
/// @param name  For problems: "sweep.workload.load".
std::vector<YamlValue> steps(const YamlValue& map, const std::string& name,
                             std::vector<Problem>& problems);

}  // namespace flitcast
