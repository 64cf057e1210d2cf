// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <system_error>
#include <systemc>

#include "config/problem.h"
#include "router/invariant.h"
#include "sim/clos/command.h"
#include "sim/commands.h"

namespace flitcast {
namespace {

void add_experiment(CLI::App& command, ExperimentOptions& options) {
  command.add_option("FILE", options.file, "Experiment in YAML or JSON")->required();
  command.add_option("--set", options.overrides, "Override a key of the file")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_point(CLI::App& command, std::optional<std::size_t>& point, const char* help) {
  command.add_option("--point", point, help)->option_text("K")->check(CLI::Range(0, 999999));
}

constexpr const char* kSaturated =
    "saturated: the network falls behind what it is offered. Of the deliveries that became due in\n"
    "the measured window, more than 5 % (and more than two a node) were outstanding in addition "
    "at\n"
    "its end, or packets of the window had not arrived measure.drain_limit cycles after it. Such "
    "a\n"
    "run ends with exit code 3; its latencies grow with the window.";

/// The command line: one subcommand, whose exit code it keeps.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "flitcast " FLITCAST_VERSION);
    app_.footer(
        "Exit codes: 0 done, 1 internal error, 2 bad input, 3 saturated, 4 deadlock, "
        "130/143 stopped by a signal.");
    add_run();
    add_points();
    add_check();
    add_schedule();
    add_clos_commands(app_, [this](int exit_code) { exit_code_ = exit_code; });
    add_menus();
  }

  int parse_and_run(int argc, char* argv[]) {
    if (argc > 1 && argv[1][0] != '-' && !has_command(argv[1])) {
      std::cerr << "no command \"" << argv[1] << "\"; flitcast --help lists them\n";
      return kBadInput;
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app_.exit(error) == 0 ? kDone : kBadInput;
    }
    return exit_code_;
  }

 private:
  bool has_command(const std::string& name) {
    const auto commands = app_.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == name; });
  }

  void add_run() {
    CLI::App& command = *app_.add_subcommand("run", "Run one experiment on the network");
    add_experiment(command, run_);
    add_point(command, run_.point, "Run this point of the file's sweep, from 0");
    command.add_option("--out", run_.out, "Folder for the result (default: out)")
        ->option_text("DIR");
    command.add_option("--json", run_.json, "File for the result; - for standard output")
        ->option_text("FILE");
    command.add_option("--packet-log", run_.packet_log, "CSV file with a row for every packet")
        ->option_text("FILE");
    command.add_flag("--unsafe", run_.unsafe, "Run even if the routing can deadlock");
    command.add_flag("--quiet", run_.quiet, "No progress and no summary");
    command.footer(kSaturated);
    command.callback([this] { exit_code_ = run_command(run_); });
  }

  void add_points() {
    CLI::App& command = *app_.add_subcommand("points", "List the points of a sweep");
    add_experiment(command, points_);
    command.add_flag("--json", as_json_, "As JSON");
    command.callback([this] { exit_code_ = points_command(points_, as_json_); });
  }

  void add_check() {
    CLI::App& command =
        *app_.add_subcommand("check", "Validate a file, its network and its routing; run nothing");
    add_experiment(command, check_);
    command.add_flag("--unsafe", check_.unsafe, "Accept a routing that can deadlock");
    command.callback([this] { exit_code_ = check_command(check_); });
  }

  void add_schedule() {
    CLI::App& command =
        *app_.add_subcommand("schedule", "Show and judge the schedule of a collective operation");
    add_experiment(command, schedule_);
    add_point(command, schedule_.point, "Take this point of the file's sweep, from 0");
    command
        .add_option("--dump", schedule_.dump,
                    "File for all sends, a line each; - for standard output")
        ->option_text("FILE");
    command.add_flag("--json", schedule_.json, "The judgement as JSON");
    command.callback([this] { exit_code_ = schedule_command(schedule_); });
  }

  void add_menus() {
    CLI::App& list = *app_.add_subcommand("list", "What there is to choose from");
    list.add_option("MENU", menu_, menu_names());
    list.add_flag("--json", as_json_, "As JSON");
    list.callback([this] { exit_code_ = list_command(menu_, as_json_); });
    app_.add_subcommand("schema", "Print the JSON Schema of experiment files")->callback([this] {
      exit_code_ = schema_command();
    });
  }

  CLI::App app_{"Hardware-level model of interconnection networks.", "flitcast"};
  RunOptions run_;
  ExperimentOptions points_;
  ExperimentOptions check_;
  ScheduleOptions schedule_;
  std::string menu_;
  bool as_json_ = false;
  int exit_code_ = kDone;
};

/// The only place that turns what went wrong into words and an exit code.
int exit_code_of(int argc, char* argv[]) {
  try {
    const int exit_code = CommandLine().parse_and_run(argc, argv);
    if (std::cout.flush()) return exit_code;
    std::cerr << "standard output cannot be written\n";
    return kBadInput;
  } catch (const ConfigError& error) {
    std::cerr << error.what() << '\n';
    return kBadInput;
  } catch (const std::system_error& error) {
    std::cerr << error.what() << '\n';
    return kBadInput;
  } catch (const std::bad_alloc&) {
    std::cerr << "out of memory; `flitcast check` estimates what an experiment needs\n";
    return kBrokenInvariant;
  } catch (const sc_core::sc_report& report) {
    std::cerr << "internal error: " << report.get_msg() << '\n';
    return kBrokenInvariant;
  } catch (const std::exception& error) {
    std::cerr << "internal error: " << error.what() << '\n';
    return kBrokenInvariant;
  }
}

}  // namespace

// libsystemc's own main would write a copyright banner first.
int run_program(int argc, char* argv[]) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

}  // namespace flitcast

// SystemC's kernel calls it.
int sc_main(int argc, char* argv[]) { return flitcast::exit_code_of(argc, argv); }
