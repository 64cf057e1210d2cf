// SPDX-License-Identifier: Apache-2.0
#include "sim/program.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <systemc>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/commands/command.h"

namespace flitcast {
namespace {

/// The beginning of the parser's message for a value that is no number, or for a value of a flag.
const std::string kNotConverted = "Could not convert: ";

/// @param extra  The first argument that the command did not expect.
std::string extra_fault(const CLI::App& app, const std::string& extra, const std::string& help) {
  const bool is_command = !below(app).empty() && extra.rfind('-', 0) != 0;
  std::vector<std::string> names =
      mapped(below(app), [](const CLI::App* one) { return one->get_name(); });
  if (!is_command) {
    for (const CLI::Option* one : app.get_options()) names.push_back(one->get_name());
  }
  const std::string meant = closest(extra, names);
  return (is_command ? "there is no command " + quoted(extra)
                     : quoted(extra) + " is not expected here") +
         "; " + (meant.empty() ? "see " + help : "did you mean " + meant + "?");
}

/// The message for a value that an option does not accept, with the values that it accepts.
/// @param what  The words of the parser.
std::string value_fault(const CLI::Option& option, const std::string& what) {
  const std::string name = option.get_name();
  const std::string& value = option.results().front();
  if (const std::vector<std::string> choices = choices_of(option); !choices.empty()) {
    return name + ": " + quoted(value) + " is unknown; choose " + either(choices);
  }
  const std::string range = " not in range ";
  const std::size_t at = what.rfind(range);
  const bool is_conversion = what.rfind(kNotConverted, 0) == 0;
  if (at == std::string::npos && !is_conversion) return what;
  return name + " is " + (number_in<double>(value) ? value : quoted(value)) +
         "; give a whole number" + (is_conversion ? "" : " from " + what.substr(at + range.size()));
}

/// @param what  The words of the parser.
std::string option_fault(const CLI::Option& option, const std::string& what,
                         const std::string& help) {
  const std::string name = option.get_name();
  if (value_of(option).empty() && !option.get_positional()) {
    return name + " takes no value; write " + name;
  }
  if (option.count() > 1) return name + " is given more than once; see " + help;
  if (option.count() == 0 && option.get_positional()) return name + " is missing; see " + help;
  if (option.count() == 0) return name + " needs a value; write " + name + " " + value_of(option);
  return value_fault(option, what);
}

/// The option that the parser names in "--point: ..." or "Could not convert: --point = ..."; null
/// if it names none.
const CLI::Option* named_option(const CLI::App& command, const std::string& what) {
  const std::size_t begin = what.rfind(kNotConverted, 0) == 0 ? kNotConverted.size() : 0;
  return command.get_option_no_throw(what.substr(begin, what.find_first_of(": ", begin) - begin));
}

/// The innermost command on the command line.
const CLI::App& last_command(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

/// True if the word in the place of a command names no command, so that no help can be printed.
bool lacks_command(const CLI::App& program) {
  const CLI::App& command = last_command(program);
  const std::vector<std::string> extra = command.remaining();
  return !below(command).empty() && !extra.empty() && extra.front().rfind('-', 0) != 0;
}

/// The message for a faulty command line, with what is possible.
std::string fault_of(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& command = last_command(program);
  const std::string help = full_name(command) + " --help";
  const std::vector<std::string> extra = command.remaining();
  if (!extra.empty()) return extra_fault(command, extra.front(), help);
  if (!below(command).empty()) return "a command is missing; see " + help;
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
    return all_replaced(what, " excludes ", " and ") + " exclude each other; give one of them";
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error)) {
    return all_replaced(what, " requires ", " needs ") + "; give both";
  }
  const CLI::Option* option = named_option(command, what);
  return option == nullptr ? what + "; see " + help : option_fault(*option, what, help);
}

/// Runs the command that the command line names, and returns its exit code.
int parse_and_run(int argc, char* argv[]) {
  CLI::App app{"Hardware-level model of interconnection networks.", "flitcast"};
  app.set_version_flag("--version", "flitcast " FLITCAST_VERSION);
  app.footer(
      "Exit codes: 0 done, 1 internal error, 2 bad input, 3 saturated, not_steady, unmeasured or "
      "imprecise (clos minimum: no verdict), 4 deadlock, 5 points of a sweep failed or missing, "
      "130/143 stopped by a signal.");
  const Action exit_code = declare_subcommands(app, {commands().begin(), commands().end()});
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asks_for_help = error.get_exit_code() == 0;
    if (asks_for_help && !lacks_command(app)) return app.exit(error);
    std::cerr << visible(fault_of(app, error)) << '\n';
    return kBadInput;
  }
  return exit_code();
}

/// Set when the reader of standard output has closed it.
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

// The SystemC library requires this function.
int sc_main(int argc, char* argv[]) {
  return flitcast::exit_code_of(
      [&] { return flitcast::with_output_flushed(flitcast::parse_and_run(argc, argv)); });
}
