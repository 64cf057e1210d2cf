// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <systemc>

#include "config/wording.h"
#include "sim/commands/command.h"

namespace flitcast {
namespace {

/// The command line: one subcommand, whose exit code it keeps.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", "flitcast " FLITCAST_VERSION);
    app_.footer(
        "Exit codes: 0 done, 1 internal error, 2 bad input, 3 saturated, not_steady, unmeasured or "
        "imprecise (clos minimum: no verdict), 4 deadlock, 5 points of a sweep failed or missing, "
        "130/143 stopped by a signal.");
    for (const Command& command : commands()) {
      CLI::App& app = *app_.add_subcommand(command.name, command.summary);
      app.callback([this, action = command.declare(app)] { exit_code_ = action(); });
    }
  }

  int parse_and_run(int argc, char* argv[]) {
    if (argc > 1 && argv[1][0] != '-' && commands().find(argv[1]) == nullptr) {
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
  /// Prints the help, which is no error, or an error with the user's words.
  int refuse(const CLI::ParseError& error) {
    std::ostringstream words;
    const int exit_code = app_.exit(error, std::cout, words);
    std::istringstream lines(words.str());
    for (std::string line; std::getline(lines, line);) std::cerr << visible(line) << '\n';
    return exit_code == 0 ? kDone : kBadInput;
  }

  CLI::App app_{"Hardware-level model of interconnection networks.", "flitcast"};
  int exit_code_ = kDone;
};

/// Set when the reader of standard output has gone.
volatile std::sig_atomic_t reader_has_gone = 0;

/// The exit code of the command, unless it succeeded and its output was lost.
int with_output_flushed(int exit_code) {
  const bool written = static_cast<bool>(std::cout.flush());
  if (!written && reader_has_gone == 0) std::cerr << "standard output cannot be written\n";
  if (written || exit_code != kDone) return exit_code;
  return reader_has_gone != 0 ? kStoppedBySignal + SIGPIPE : kBadInput;
}

// Lets writes fail where signals would end the program at once and leave files half-written.
void take_signals_as_errors() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, [](int) { reader_has_gone = 1; });
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
