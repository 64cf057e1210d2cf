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
  nlohmann::ordered_json values;  ///< Values of the swept keys.
  nlohmann::ordered_json result;
};

/// Rows of cells under names; null cells are empty.
struct MergedTable {
  std::vector<std::string> columns;
  std::vector<std::vector<nlohmann::ordered_json>> rows;

  /// Comma-separated, a line of names first. Numbers as in the results, lists as JSON, texts in
  /// quotes where they need them (RFC 4180, with the line ends of Unix).
  std::string csv() const;
};

/// The keys and what the results say, a row for each: `keys`, `point`, then every figure that is a
/// number, a word or a truth value in at least one of them, by its name and in the order of
/// `flitcast list figures`. Without wall_seconds and host, so that equal sweeps have equal tables.
MergedTable results_table(const std::vector<std::string>& keys,
                          const std::vector<PointResult>& points);

/// Means over repetitions, which follow each other, `repeat` points each: the keys but `seed`,
/// `runs` and `runs_ok`, the results that there are and those of them with status ok, then for
/// every figure that is a number its mean over the runs that have it and, as NAME.half_width_95,
/// half of the 95 % confidence interval of the mean (Student's t; empty for one run); words where
/// all runs agree.
MergedTable means_table(const std::vector<std::string>& keys, std::size_t repeat,
                        const std::vector<PointResult>& points);

/// The points in the folder of a sweep: those with a result, and messages about the others.
struct CollectedPoints {
  std::size_t points = 0;
  std::vector<PointResult> results{};
  std::vector<std::string> failed{};
  std::vector<std::string> missing{};

  bool complete() const { return results.size() == points; }
};

/// @param description  The description of the folder.
CollectedPoints collect_points(const SweepFolder& folder,
                               const nlohmann::ordered_json& description);

/// Reports on standard error which points have no result, and why.
void tell_missing(const CollectedPoints& collected);

}  // namespace flitcast
