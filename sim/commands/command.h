// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/figures.h"
#include "config/catalog.h"
#include "sim/host/process.h"
#include "sim/host/run_options.h"
#include "sim/sweep/sweep_folder.h"

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

/// The base of the options of commands that print text or JSON: their last flag is --json.
struct PrintOptions {
  bool json = false;
};

/// Declares a command whose options `kAdd` declares and `kRun` takes; they live as long as the
/// action.
template <class Options, void (*kAdd)(CLI::App& app, Options& options),
          int (*kRun)(const Options& options)>
Action declare(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  kAdd(app, *options);
  if constexpr (std::is_base_of_v<PrintOptions, Options>) {
    app.add_flag("--json", options->json, "As JSON");
  }
  return [options] { return kRun(*options); };
}

/// Declares a command without options that prints the text of `kText` to standard output.
template <std::string (*kText)(const CLI::App& program)>
Action declare_text(CLI::App& app) {
  return [&program = *app.get_parent()] {
    std::cout << kText(program);
    return kDone;
  };
}

/// Declares the subcommands of a command, of which the user gives one; the action returns the exit
/// code of the one that ran. `run` runs its action and takes its name, "clos bound", for messages.
Action declare_subcommands(
    CLI::App& app, const std::vector<Command>& parts,
    int (*run)(const std::string& name, const Action& action) =
        [](const std::string&, const Action& action) { return action(); });

/// The commands in the order of `flitcast --help`. A program may add its own.
Catalog<Command>& commands();

// Options that commands share.

/// Declares the argument FILE and --set.
void add_experiment(CLI::App& app, ExperimentOptions& options);
/// Declares --set.
void add_overrides(CLI::App& app, std::vector<std::string>& overrides);
CLI::Option* add_file(CLI::App& app, const std::string& option, std::string& file,
                      const char* help);
void add_memory_limit(CLI::App& app, std::optional<std::uint64_t>& limit);
void add_point(CLI::App& app, std::optional<std::size_t>& point, const char* help);
void add_rerun(CLI::App& app, RunOptions& options);

// Functions that several commands share.

/// The sweep of the options' file.
Sweep sweep_of(const ExperimentOptions& options);
/// Throws ConfigError as Sweep::check() does, also for points that `require_sound` refuses; shows
/// the progress on a terminal, unless `quiet`.
void check_points(const Sweep& sweep, bool quiet,
                  const std::function<void(const Configuration&)>& require_sound);
/// Prints the ranking of all algorithms for the collective operation of an experiment, on its
/// network: one ranking for all points of the sweep that differ only in algorithm, length and the
/// keys `segments`, `group` and `row`, or for the point `only`. The values of these keys that are
/// best are chosen for every length.
///
/// The times come from formulas, without runs; messages of a round that share a channel pass it one
/// after another, which is within 6 % of the measured time. The order may depend on the message
/// length: the lengths at which it changes are found between 1 flit and the longest packet by
/// bisection between powers of two, so two changes within one such interval are missed. With
/// `measures` every algorithm runs on the network, and the ranking is by measured cycles.
///
/// Returns the exit code of the first run that failed, whose row then has the reason; else
/// kDone, or kNotConverged if some algorithm has no formula and nothing is measured; then
/// standard error names `command`, which measures.
/// Throws ConfigError for a point that has no collective operation.
int show_comparison(const Sweep& sweep, std::optional<std::size_t> only, bool as_json,
                    bool measures, const std::string& command);
/// Runs all points of a sweep, or some of them, into a folder: see sweep_folder.h.
int run_sweep(const RunOptions& options, const Sweep& sweep);
/// The folder of a sweep: --out, or out/NAME.
std::string folder_of(const RunOptions& options, const Sweep& sweep);
/// Runs points one after the other, each in a separate process, and keeps their results or
/// failures. Returns the exit code.
int run_points(const RunOptions& options, const Sweep& sweep, const PointStore& store,
               const std::vector<DescribedPoint>& points);
struct CollectOptions {
  std::string folder;  ///< The folder of a sweep.
  bool quiet = false;  ///< Do not print the names of the tables.
};
/// Merges the results in the folder into tables there.
int collect(const CollectOptions& options);
/// A value of a table; "-" where the line has none.
std::string cell(const ordered_json& line, const char* key);
/// Prints JSON, or else the text that `print_text` prints, to standard output; called last by a
/// command. Returns kDone.
int print(bool as_json, const ordered_json& result, const std::function<void()>& print_text);
/// The subcommands of a command.
std::vector<const CLI::App*> below(const CLI::App& app);
/// The words that call a command: "flitcast clos bound".
std::string full_name(const CLI::App& app);
/// The placeholder for the value of an option; empty for a flag.
std::string value_of(const CLI::Option& option);
/// The words that an option accepts, if its check lists them in braces.
std::vector<std::string> choices_of(const CLI::Option& option);
/// The names of the lists of `flitcast list`.
std::vector<std::string> listing_names();

/// completion.bash.in, which the build makes part of the program.
extern const char* const kCompletion;

}  // namespace flitcast
