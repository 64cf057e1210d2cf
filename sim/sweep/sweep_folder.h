// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/sweep/point_store.h"
#include "sim/sweep/sweep.h"

namespace flitcast {

/// A point as the description of a sweep has it.
struct DescribedPoint {
  std::size_t point = 0;
  std::string id;
  nlohmann::ordered_json values;  ///< Of the keys that differ from point to point.
};

/// The folder of a sweep:
///
///   sweep.json           which points there are: name, version, keys, repeat, points
///   points/ID.json       the result of a point, or of a run of a search, by the id of its
///                        configuration
///   points/ID.fail.json  why a point has none: exit code or signal, the last lines it wrote
///   results.csv          a row for every point with a result (`collect`)
///   means.csv            of a sweep that repeats: a row for every combination
///   .lock                held while a whole sweep runs
class SweepFolder {
 public:
  explicit SweepFolder(std::string folder) : folder_(std::move(folder)) {}

  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  /// Describes the sweep in the folder. A longer or shorter list of points of a sweep of the same
  /// name takes the place of the old one, whose results residency; another name throws ConfigError.
  void describe(const Sweep& sweep) const;

  /// Describes the sweep in a folder that has no description.
  /// Throws ConfigError if there is one in which some of these points are others. Takes the time of
  /// these points, not of all.
  void require_points(const Sweep& sweep, const std::vector<std::size_t>& points) const;

  /// What describe() has written: throws ConfigError if there is nothing of the kind.
  nlohmann::ordered_json description() const;

  /// The results of the sweep that is described so.
  PointStore store(const nlohmann::ordered_json& description) const;

 private:
  std::string folder_;
};

/// The points of a description.
std::vector<DescribedPoint> points_of(const nlohmann::ordered_json& description);

/// The points that have no result yet, and have not failed before.
/// @param rerun_failed  Those that have failed, too.
std::vector<DescribedPoint> points_to_run(const std::vector<DescribedPoint>& points,
                                          const PointStore& store, bool rerun_failed);

/// Describes every point of a sweep whose points are valid.
/// Throws ConfigError for a search that cannot be made.
nlohmann::ordered_json describe(const Sweep& sweep);

/// While it lives nobody else runs the sweep of that folder.
/// Throws ConfigError if somebody does; a file system without locks has none.
class FolderLock {
 public:
  explicit FolderLock(const std::string& file);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace flitcast
