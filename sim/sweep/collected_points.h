// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/sweep/merged_table.h"
#include "sim/sweep/sweep_folder.h"

namespace flitcast {

/// The points in the folder of a sweep: those with a result, and words about the others.
struct CollectedPoints {
  std::size_t points = 0;
  std::vector<PointResult> results{};
  std::vector<std::string> failed{};
  std::vector<std::string> missing{};

  bool complete() const { return results.size() == points; }
};

/// @param description  Of the folder.
CollectedPoints collect_points(const SweepFolder& folder,
                               const nlohmann::ordered_json& description);

/// Says on standard error which points have no result, and why.
void tell_missing(const CollectedPoints& collected);

}  // namespace flitcast
