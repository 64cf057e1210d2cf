// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/host/output_file.h"
#include "sim/sweep/sweep.h"

namespace flitcast {

/// What the program returns to the shell.
enum ExitCode : int {
  kDone = 0,
  kBrokenInvariant = 1,
  kBadInput = 2,
  kNotConverged = 3,  ///< Finished, but saturated, not steady or without a measurement.
  kDeadlocked = 4,
  kPointsMissing = 5,      ///< Points of a sweep have failed or are missing.
  kStoppedBySignal = 128,  ///< Plus the number of the signal.
};

/// What the command returns. The only place that turns what goes wrong into words, on standard
/// error, and an exit code.
int exit_code_of(const std::function<int()>& command);

/// What a user says about one experiment on the command line.
struct ExperimentOptions {
  std::string file;
  std::vector<std::string> overrides;         ///< "a.b=value".
  std::optional<std::uint64_t> memory_limit;  ///< Bytes that the run may take.
  bool unsafe = false;                        ///< Run although the routing can deadlock.
  bool quiet = false;                         ///< Neither progress nor summary.
};

struct RunOptions : ExperimentOptions {
  std::optional<std::size_t> point;  ///< Of the sweep, from 0.
  std::string points;                ///< Some of the sweep, "0-3,7"; empty: all.
  std::string rerun;                 ///< "failed": points that have failed run again.
  std::string out;                   ///< Folder for the result; empty: not asked for.
  std::string json;                  ///< File for the result, "-" for standard output, or empty.
  std::string packet_log;            ///< CSV file with a row per packet, or empty.
  std::string flit_log;              ///< CSV file with a row per flit and buffer, or empty.
  std::string timeline;              ///< File with trace events, or empty.
  bool fst = false;                  ///< The waveform is packed as FST.
};

struct ScheduleOptions : ExperimentOptions {
  std::optional<std::size_t> point;  ///< Of the sweep, from 0.
  std::string dump;                  ///< File for every send, a line each; "-" for standard output.
  bool json = false;
  bool compare = false;  ///< Rank all algorithms for the operation instead.
};

/// The sweep of the options' file; former names in it are noted on standard error unless --quiet.
Sweep sweep_of(const ExperimentOptions& options);

// Each command throws ConfigError for bad input and InvariantError for our own mistakes, and
// otherwise returns the exit code.

int run_command(const RunOptions& options);
/// All points of the sweep of a file, or some, into a folder: see sweep_folder.h.
int sweep_command(const RunOptions& options, const Sweep& sweep);
/// One experiment, whose outputs have been tried: runs it, writes and tells its result.
int run_experiment(const RunOptions& options, const Configuration& configuration,
                   const std::vector<Output>& outputs);
/// With options.out only the points that are to be run there, after describing the sweep there.
/// @param folder_only  Print the name of that folder, or of the one that `run` takes.
int points_command(const RunOptions& options, bool as_json, bool folder_only);
/// Merges the results in the folder of a sweep into tables there.
/// @param quiet  Do not say where they are.
int collect_command(const std::string& folder, bool quiet);
/// Makes a page of the results at a path, a folder or a file (report/report_runs.h).
/// @param out  File for the page; empty: report.html in the folder, NAME.html beside the file.
int report_command(const std::string& path, const std::string& out, bool quiet);
int schedule_command(const ScheduleOptions& options);
int check_command(const ExperimentOptions& options);
/// @param listing  "topologies", "routings", ...; empty: all of them as JSON, or their names.
int list_command(const std::string& listing, bool as_json);
/// topologies, routings, ...
std::vector<std::string> listing_names();
int schema_command();

}  // namespace flitcast
