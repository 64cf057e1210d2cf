// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/sweep/sweep_folder.h"

namespace flitcast {

/// A point with its result.
struct PointResult {
  std::size_t point = 0;
  ordered_json values;  ///< Values of the swept keys.
  ordered_json result;
};

/// Rows of cells under names; null cells are empty.
struct MergedTable {
  std::vector<std::string> columns;
  std::vector<std::vector<ordered_json>> rows;

  /// Comma-separated text that begins with a line of names. Numbers are written as in the results,
  /// lists as JSON, and texts by csv_cell(), with Unix line ends (RFC 4180).
  std::string csv() const;
};

/// The keys and the results, one row per point: `keys`, `point`, then every figure that is a
/// number, a word or a truth value in at least one result, by its name and in the order of
/// `flitcast list figures`. The table omits wall_seconds and host, so that equal sweeps have equal
/// tables.
MergedTable results_table(const std::vector<std::string>& keys,
                          const std::vector<PointResult>& points);

/// Means over repetitions, which are consecutive groups of `repeat` points. The columns are the
/// keys except `seed`; `runs` and `runs_ok`, the number of results and of those with status ok;
/// then, for every numeric figure, its mean over the runs that have it and, as NAME.half_width_95,
/// the half-width of the 95 % confidence interval of the mean (Student's t; empty for one run); and
/// words on which all runs agree.
MergedTable means_table(const std::vector<std::string>& keys, std::size_t repeat,
                        const std::vector<PointResult>& points);

/// The points in the folder of a sweep: the results, and messages about the points without one.
struct CollectedPoints {
  std::size_t points = 0;
  std::vector<PointResult> results{};
  std::vector<std::string> failed{};
  std::vector<std::string> missing{};

  bool complete() const { return results.size() == points; }
};

/// @param description  The contents of the folder's description.
CollectedPoints collect_points(const SweepFolder& folder, const ordered_json& description);

/// Reports on standard error the points without a result, and the reasons.
void tell_missing(const CollectedPoints& collected);

}  // namespace flitcast
