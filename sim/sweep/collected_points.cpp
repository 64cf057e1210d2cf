// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "config/wording.h"
#include "sim/sweep/merged_table.h"

namespace flitcast {
namespace {

void tell_some(const char* what, const std::vector<std::string>& lines) {
  for (std::size_t line = 0; line < std::min(lines.size(), ConfigError::kMostShown); ++line) {
    std::cerr << what << ' ' << lines[line] << '\n';
  }
  if (lines.size() <= ConfigError::kMostShown) return;
  std::cerr << fmt::format("{} more points are {}\n", lines.size() - ConfigError::kMostShown, what);
}

}  // namespace

CollectedPoints collect_points(const SweepFolder& folder,
                               const nlohmann::ordered_json& description) {
  const PointStore store = folder.store(description);
  const std::vector<DescribedPoint> points = points_of(description);
  CollectedPoints collected{points.size()};
  for (const DescribedPoint& point : points) {
    StoredPoint stored = store.find(point.id);
    if (stored.done()) {
      collected.results.push_back({point.point, point.values, std::move(stored.result)});
      continue;
    }
    const bool failed = stored.state == StoredPoint::State::kFailed;
    (failed ? collected.failed : collected.missing)
        .push_back(fmt::format("point {} {}: {}", point.point, visible(point.values.dump()),
                               stored.reason));
  }
  return collected;
}

void tell_missing(const CollectedPoints& collected) {
  tell_some("failed", collected.failed);
  tell_some("missing", collected.missing);
  if (!collected.failed.empty()) {
    std::cerr << "points that have failed run again with --rerun failed\n";
  }
}

}  // namespace flitcast
