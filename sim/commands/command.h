// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/catalog.h"
#include "sim/host/process.h"
#include "sim/host/run_options.h"
#include "sim/sweep/sweep.h"

namespace flitcast {

/// Runs a command whose options have been read, and returns its exit code.
/// Throws ConfigError for bad input and InvariantError for internal errors.
using Action = std::function<int()>;

/// A command of the program. Help, manual page and completion are generated from it.
struct Command {
  std::string name;                  ///< "run" of `flitcast run`.
  std::string summary;               ///< One line for the help, without a full stop.
  Action (*declare)(CLI::App& app);  ///< Declares the options; called once.
};

/// The commands in the order of `flitcast --help`. A program may add its own.
Catalog<Command>& commands();

// Options that commands share.

/// Declares the argument FILE and --set.
void add_experiment(CLI::App& app, ExperimentOptions& options);
CLI::Option* add_file(CLI::App& app, const std::string& option, std::string& file,
                      const char* help);
void add_memory_limit(CLI::App& app, std::optional<std::uint64_t>& limit);
void add_point(CLI::App& app, std::optional<std::size_t>& point, const char* help);
void add_rerun(CLI::App& app, RunOptions& options);

// Functions that several commands share.

/// The sweep of the options' file. Reports former names in it on standard error, unless --quiet.
Sweep sweep_of(const ExperimentOptions& options);
/// Runs all points of a sweep, or some of them, into a folder: see sweep_folder.h.
int run_sweep(const RunOptions& options, const Sweep& sweep);
/// Merges the results in the folder of a sweep into tables there, and prints the names of the
/// tables unless `quiet`.
int collect(const std::string& folder, bool quiet);
/// The names of the lists of `flitcast list`.
std::vector<std::string> listing_names();

}  // namespace flitcast
