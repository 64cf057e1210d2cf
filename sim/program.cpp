// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <systemc>

#include "config/wording.h"
#include "sim/commands/command.h"

namespace flitcast {
namespace {

/// @param extra  The first argument that the command did not expect.
std::string extra_fault(const CLI::App& app, const std::string& extra, const std::string& help) {
  std::vector<std::string> names;
  for (const CLI::App* one : below(app)) names.push_back(one->get_name());
  for (const CLI::Option* one : app.get_options()) names.push_back(one->get_name());
  const std::string meant = closest(extra, names);
  return quoted(extra) + " is not expected here; " +
         (meant.empty() ? "see " + help : "did you mean " + meant + "?");
}

/// @param what  The words of the parser, which begin with the name of the option.
std::string option_fault(const CLI::Option& option, const std::string& what,
                         const std::string& help) {
  const std::string name = option.get_name();
  const std::vector<std::string> choices = choices_of(option);
  if (option.count() > 1) return name + " is given more than once; see " + help;
  if (option.count() == 0 && option.get_positional()) return name + " is missing; see " + help;
  if (option.count() == 0) return name + " needs a value; write " + name + " " + value_of(option);
  if (choices.empty()) return what;
  return name + ": " + quoted(option.results().front()) + " is unknown; choose " + either(choices);
}

/// The fault of a command line, and what is possible.
std::string fault_of(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App* command = &program;
  std::string help = program.get_name();
  for (; !command->get_subcommands().empty(); help += " " + command->get_name()) {
    command = command->get_subcommands().front();
  }
  help += " --help";
  const std::vector<std::string> extra = command->remaining();
  if (!extra.empty()) return extra_fault(*command, extra.front(), help);
  if (!below(*command).empty()) return "a command is missing; see " + help;
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) return what + "; give one of them";
  const CLI::Option* option =
      command->get_option_no_throw(what.substr(0, what.find_first_of(": ")));
  return option == nullptr ? what + "; see " + help : option_fault(*option, what, help);
}

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
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);  // No fault: the help.
      std::cerr << visible(fault_of(app_, error)) << '\n';
      return kBadInput;
    }
    return exit_code_;
  }

 private:
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
