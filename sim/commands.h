// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace flitcast {

/// What the program returns to the shell.
enum ExitCode : int {
  kDone = 0,
  kBrokenInvariant = 1,
  kBadInput = 2,
  kNotConverged = 3,  ///< Finished, but saturated, unsteady or without a measurement.
  kDeadlocked = 4,
  kStoppedBySignal = 128,  ///< Plus the number of the signal.
};

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
  std::string out;                   ///< Folder for the result; empty: not asked for.
  std::string json;                  ///< File for the result, "-" for standard output, or empty.
  std::string packet_log;            ///< CSV file with a row per packet, or empty.
};

struct ScheduleOptions : ExperimentOptions {
  std::optional<std::size_t> point;  ///< Of the sweep, from 0.
  std::string dump;                  ///< File for every send, a line each; "-" for standard output.
  bool json = false;
};

// Each command throws ConfigError for bad input and InvariantError for our own mistakes, and
// otherwise returns the exit code.

int run_command(const RunOptions& options);
int points_command(const ExperimentOptions& options, bool as_json);
int schedule_command(const ScheduleOptions& options);
int check_command(const ExperimentOptions& options);
/// @param menu  "topologies", "routings", ...; empty: all of them as JSON, or their names.
int list_command(const std::string& menu, bool as_json);
/// "topologies, routings, ...".
std::string menu_names();
int schema_command();

}  // namespace flitcast
