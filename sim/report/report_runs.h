// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/sweep/merged_table.h"

namespace flitcast {

/// Results that are looked at together.
struct ReportRuns {
  std::string title;
  std::vector<std::string> keys;  ///< In which they differ, slowest first.
  std::vector<PointResult> results;
  std::size_t points = 0;  ///< With those that have no result.
};

/// What there is at a path, whose remains are told on standard error:
///  - the folder of a sweep: the points that have a result;
///  - another folder: every result in it, by the names of the files; they differ in all keys of
///    their configurations that are not the same;
///  - the file of a result.
/// Throws ConfigError where there is no result.
ReportRuns read_runs(const std::string& path);

}  // namespace flitcast
