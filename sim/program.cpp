// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>
#include <systemc>

#include "clos/catalog.h"
#include "config/schema.h"
#include "config/wording.h"
#include "router/invariant.h"
#include "sim/clos/command.h"
#include "sim/commands/commands.h"
#include "sim/commands/manual.h"
#include "sim/host/output_file.h"
#include "stats/verdict.h"

namespace flitcast {
namespace {

void add_experiment(CLI::App& command, ExperimentOptions& options) {
  command.add_option("FILE", options.file, "Experiment in YAML or JSON")
      ->required()
      ->check(fault_of_file_name);
  command.add_option("--set", options.overrides, "Override a key of the file")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false);
}

CLI::Option* add_file(CLI::App& command, const std::string& option, std::string& file,
                      const char* help) {
  return command.add_option(option, file, help)->option_text("FILE")->check(fault_of_file_name);
}

// Of logs: no standard output by the name that --json has for it.
std::string fault_of_log_name(const std::string& name) {
  return name == "-" ? "- is no file here; name one, or /dev/stdout" : "";
}

void add_memory_limit(CLI::App& command, std::optional<std::uint64_t>& limit) {
  command
      .add_option("--memory-limit", limit,
                  "Refuse what takes more memory; without it what this process may have")
      ->option_text("SIZE")
      ->transform(CLI::AsSizeValue(false));
}

void add_point(CLI::App& command, std::optional<std::size_t>& point, const char* help) {
  command.add_option("--point", point, help)->option_text("K")->check(CLI::Range(0, 999999));
}

void add_rerun(CLI::App& command, RunOptions& options) {
  command.add_option("--rerun", options.rerun, "Points that have failed, again")
      ->option_text("failed")
      ->check(CLI::IsMember({"failed"}));
}

WordsOf completed_words() {
  std::vector<std::string> keys = experiment_schema().full_names();
  for (std::string& key : keys) key += '=';
  std::vector<std::string> strategies;
  for (const auto& entry : clos::strategies()) strategies.push_back(entry.name);
  return {{"--set", keys},
          {"--strategy", strategies},
          {"--rerun", {"failed"}},
          {"LIST", listing_names()}};
}

constexpr const char* kSweepHelp =
    "\n\nA sweep ends with exit code 0 when every point has a result, whatever its status: those "
    "of saturated points are in the table. It ends with 5 when points have failed (a deadlock is a "
    "failure) or are missing.";

/// The command line: one subcommand, whose exit code it keeps.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "flitcast " FLITCAST_VERSION);
    app_.footer(
        "Exit codes: 0 done, 1 internal error, 2 bad input, 3 saturated or not steady, 4 deadlock, "
        "5 points of a sweep failed or missing, 130/143 stopped by a signal.");
    add_run();
    add_points();
    add_collect();
    add_report();
    add_check();
    add_schedule();
    add_clos_commands(app_, [this](int exit_code) { exit_code_ = exit_code; });
    add_lists();
  }

  int parse_and_run(int argc, char* argv[]) {
    if (argc > 1 && argv[1][0] != '-' && !has_command(argv[1])) {
      std::cerr << "no command " << quoted(argv[1]) << "; flitcast --help lists them\n";
      return kBadInput;
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return refuse(error);
    }
    return exit_code_;
  }

 private:
  // A call for help is no error; an error repeats the user's words.
  int refuse(const CLI::ParseError& error) {
    std::ostringstream words;
    const int exit_code = app_.exit(error, std::cout, words);
    std::istringstream lines(words.str());
    for (std::string line; std::getline(lines, line);) std::cerr << visible(line) << '\n';
    return exit_code == 0 ? kDone : kBadInput;
  }

  bool has_command(const std::string& name) {
    const auto commands = app_.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == name; });
  }

  void add_run() {
    CLI::App& command = *app_.add_subcommand(
        "run", "Run an experiment on the network, or all points of a sweep that have no result");
    add_experiment(command, run_);
    add_point(command, run_.point, "Run this point of the file's sweep alone, from 0");
    command
        .add_option("--points", run_.points, "Run these points into the folder of the sweep: 0-3,7")
        ->option_text("LIST")
        ->excludes("--point")
        ->check(fault_of_file_name);
    add_rerun(command, run_);
    add_file(command, "--out", run_.out,
             "Folder for the result (default: out), or of the sweep (default: out/NAME)")
        ->option_text("DIR");
    add_file(command, "--json", run_.json, "File for the result; - for standard output");
    add_file(command, "--packet-log", run_.packet_log, "CSV file with a row for every packet")
        ->check(fault_of_log_name);
    add_file(command, "--flit-log", run_.flit_log,
             "CSV file with a row for every flit in every buffer, from trace.from until trace.to, "
             "of the routers of trace.signals or of all")
        ->check(fault_of_log_name);
    add_file(command, "--timeline", run_.timeline,
             "The same as trace events of packets, for Perfetto")
        ->check(fault_of_log_name);
    add_memory_limit(command, run_.memory_limit);
    command.add_flag("--fst", run_.fst,
                     "Pack the waveform of trace.signals as FST, by vcd2fst of GTKWave");
    command.add_flag("--unsafe", run_.unsafe, "Run even if the network can deadlock");
    command.add_flag("--quiet", run_.quiet, "No progress and no summary");
    command.footer(std::string(kVerdictHelp) + kSweepHelp);
    command.callback([this] { exit_code_ = run_command(run_); });
  }

  void add_points() {
    CLI::App& command = *app_.add_subcommand("points", "List the points of a sweep");
    add_experiment(command, points_);
    add_file(command, "--out", points_.out,
             "Make this the folder of the sweep, and list the points that are to be run there")
        ->option_text("DIR");
    add_rerun(command, points_);
    command.add_flag("--folder", folder_only_, "Print nothing but the folder of the sweep");
    command.add_flag("--json", as_json_, "As JSON");
    command.callback([this] { exit_code_ = points_command(points_, as_json_, folder_only_); });
  }

  void add_collect() {
    CLI::App& command =
        *app_.add_subcommand("collect", "Merge the results in the folder of a sweep into CSV");
    command.add_option("DIR", folder_, "Folder of the sweep")
        ->required()
        ->check(fault_of_file_name);
    command.add_flag("--quiet", run_.quiet, "Do not say where the tables are");
    command.callback([this] { exit_code_ = collect_command(folder_, run_.quiet); });
  }

  void add_report() {
    CLI::App& command = *app_.add_subcommand(
        "report", "Make one HTML page of results: curves, channels, latencies, tables");
    command.add_option("PATH", folder_, "Folder of a sweep, or of results, or a result")
        ->required()
        ->check(fault_of_file_name);
    add_file(command, "--out", run_.out,
             "File for the page (default: report.html in the folder, NAME.html beside a result)");
    command.add_flag("--quiet", run_.quiet, "Do not say where the page is");
    command.callback([this] { exit_code_ = report_command(folder_, run_.out, run_.quiet); });
  }

  void add_check() {
    CLI::App& command =
        *app_.add_subcommand("check", "Validate a file, its network and its routing; run nothing");
    add_experiment(command, check_);
    add_memory_limit(command, check_.memory_limit);
    command.add_flag("--unsafe", check_.unsafe, "Accept a network that can deadlock");
    command.callback([this] { exit_code_ = check_command(check_); });
  }

  void add_schedule() {
    CLI::App& command =
        *app_.add_subcommand("schedule", "Show and verify the schedule of a collective operation");
    add_experiment(command, schedule_);
    add_point(command, schedule_.point, "Take this point of the file's sweep, from 0");
    add_file(command, "--dump", schedule_.dump,
             "File for all sends, a line each; - for standard output");
    command.add_flag("--json", schedule_.json, "The verification as JSON");
    command
        .add_flag("--compare", schedule_.compare,
                  "Rank all algorithms for the operation by analytic time instead, at every length "
                  "of the file's sweep, with the lengths where the order changes")
        ->excludes("--dump");
    command.callback([this] { exit_code_ = schedule_command(schedule_); });
  }

  void add_lists() {
    CLI::App& list = *app_.add_subcommand("list", "What there is to choose from");
    list.add_option("LIST", listing_, CLI::detail::join(listing_names(), ", "));
    list.add_flag("--json", as_json_, "As JSON");
    list.callback([this] { exit_code_ = list_command(listing_, as_json_); });
    app_.add_subcommand("schema", "Print the JSON Schema of experiment files")->callback([this] {
      exit_code_ = schema_command();
    });
    app_.add_subcommand("manual", "Print the manual page, in roff")->callback([this] {
      std::cout << manual_page(app_, FLITCAST_VERSION);
    });
    app_.add_subcommand("completion", "Print a script by which bash completes commands and words")
        ->callback([this] { std::cout << bash_completion(app_, completed_words()); });
  }

  CLI::App app_{"Hardware-level model of interconnection networks.", "flitcast"};
  RunOptions run_;
  RunOptions points_;
  ExperimentOptions check_;
  ScheduleOptions schedule_;
  std::string folder_;
  std::string listing_;
  bool as_json_ = false;
  bool folder_only_ = false;
  int exit_code_ = kDone;
};

/// Set when the reader of standard output has gone.
volatile std::sig_atomic_t nobody_reads = 0;

/// The code of the command, unless it is done and nobody can know what it wrote.
int with_output_flushed(int exit_code) {
  const bool written = static_cast<bool>(std::cout.flush());
  if (!written && nobody_reads == 0) std::cerr << "standard output cannot be written\n";
  if (written || exit_code != kDone) return exit_code;
  return nobody_reads != 0 ? kStoppedBySignal + SIGPIPE : kBadInput;
}

// What a signal would end at once, and with files half-written, becomes an error of the write.
void take_signals_as_errors() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, [](int) { nobody_reads = 1; });
}

}  // namespace

// libsystemc's own main would write a copyright banner first.
int run_program(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  take_signals_as_errors();
  return sc_core::sc_elab_and_sim(argc, argv);
}

}  // namespace flitcast

// SystemC's kernel calls it.
int sc_main(int argc, char* argv[]) {
  return flitcast::exit_code_of([&] {
    return flitcast::with_output_flushed(flitcast::CommandLine().parse_and_run(argc, argv));
  });
}
