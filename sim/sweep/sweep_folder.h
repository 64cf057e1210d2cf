// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "config/configuration.h"
#include "sim/host/output_file.h"
#include "sim/host/process.h"
#include "sim/host/run_options.h"
#include "sim/sweep/shared_models.h"
#include "sim/sweep/sweep.h"

namespace flitcast {

/// The state of a point in a folder.
struct StoredPoint {
  enum class State {
    kMissing,  ///< The point never ran, or was interrupted.
    kDone,     ///< The complete result is stored.
    kFailed,   ///< The run failed without a result.
    kDamaged,  ///< The file is not a valid result.
    kStale,    ///< The result is from another version of the program.
  };

  State state = State::kMissing;
  ordered_json result{};  ///< Present if the state is kDone.
  std::string reason{};   ///< The reason why there is no result, without a full stop.

  bool done() const { return state == State::kDone; }
};

/// Stores the results of points in files named by the id of the configuration, so that equal
/// experiments share results: ID.json is the result as `run` writes it, ID.fail.json describes a
/// failure. A result takes precedence over a failure.
struct PointStore {
  std::string folder;   ///< Need not exist.
  std::string version;  ///< The program version whose results are valid.

  std::string result_file(const std::string& id) const { return folder + "/" + id + ".json"; }
  std::string failure_file(const std::string& id) const { return folder + "/" + id + ".fail.json"; }

  StoredPoint find(const std::string& id) const;

  /// Throws std::system_error if the file cannot be written, as forget_failure() does if it cannot
  /// be removed.
  void write_failure(const std::string& id, const ordered_json& failure) const;
  void forget_failure(const std::string& id) const;
};

/// A point in the description of a sweep.
struct DescribedPoint {
  std::size_t point = 0;
  std::string id;
  ordered_json values;  ///< Values of the keys that differ from point to point.
};

/// The folder of a sweep:
///
///   sweep.json           the description: name, version, keys, repeat, points
///   points/ID.json       the result of a point, or of a run of a search, by the id of its
///                        configuration
///   points/ID.fail.json  the failure of a point: exit code or signal, last lines of output
///   results.csv          one row for every point with a result (`collect`)
///   means.csv            for a sweep that repeats: one row for every combination
///   .lock                held while a whole sweep runs
struct SweepFolder {
  std::string folder;

  std::string file(const std::string& name) const { return folder + "/" + name; }

  /// Writes the description of the sweep to the folder, and returns it. A new list of points of a
  /// sweep of the same name replaces the old one and keeps the results. Throws ConfigError for
  /// another name, and for other points because of overrides, which may be a mistake.
  ordered_json describe(const Sweep& sweep) const;

  /// Returns the description, which it writes if the folder has none. Only these points are
  /// checked. Throws ConfigError if the existing description has other points at these numbers.
  ordered_json description_with(const Sweep& sweep, const std::vector<std::size_t>& points) const;

  /// Reads the description that describe() wrote.
  /// Throws ConfigError if there is none.
  ordered_json description() const;

  /// The store for the results of the described sweep.
  PointStore store(const ordered_json& description) const {
    return {file("points"), description.at("version").get<std::string>()};
  }
};

/// The points of a description.
std::vector<DescribedPoint> points_of(const ordered_json& description);

/// The points that have no result yet and have not failed.
/// @param rerun_failed  True to include the points that have failed.
std::vector<DescribedPoint> points_to_run(const std::vector<DescribedPoint>& points,
                                          const PointStore& store, bool rerun_failed);

/// Describes every point of a sweep whose points are valid.
/// Throws ConfigError for a search that cannot be carried out.
ordered_json describe(const Sweep& sweep);

/// Prevents other processes from running the sweep of a folder while the returned object exists.
/// Throws ConfigError if another process holds the lock; it has no effect on a file system without
/// locks.
[[nodiscard]] std::shared_ptr<std::FILE> lock_folder(const SweepFolder& folder);

/// Called ten times a second during runs.
using Meanwhile = std::function<void()>;

/// Runs a point of the sweep, or its search, in a separate process and stores the result, including
/// those of the runs of a search. Only the options for a single run apply. The process takes parts
/// of the model that points like it have left in `models`.
ChildEnd run_point(const RunOptions& options, const Sweep& sweep, std::size_t point,
                   const PointStore& store, SharedModels& models, const Meanwhile& meanwhile);

/// The outcome of a run that keeps no file.
struct PassingRun {
  int exit_code = kDone;
  ordered_json result{};  ///< Present if the run is `ok`.
  std::string reason{};   ///< The reason why there is no result, on one line.
};

/// Runs an experiment in a separate process and keeps no file of it.
PassingRun run_aside(const Configuration& configuration, const Meanwhile& meanwhile);

/// The reason why a run has failed, on one line: "exit code 2: x.yaml:1:1: ...".
std::string failure_of(const ChildEnd& end);
/// The last lines that a run has printed, without control characters.
std::vector<std::string> last_lines(const std::string& output);

/// Carries out the search of the point with stored runs, adds missing runs to the store, and writes
/// the result. Returns the exit code, which is that of the failed run, if there is one.
int run_search(const RunOptions& options, const Sweep& sweep, std::size_t point,
               const PointStore& store, const std::vector<Output>& outputs);

/// Carries out the search of a single point without storing its runs.
int search_command(const RunOptions& options, const Sweep& sweep,
                   const std::vector<Output>& outputs);

}  // namespace flitcast
