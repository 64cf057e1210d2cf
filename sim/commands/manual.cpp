// SPDX-License-Identifier: Apache-2.0
// Generates manual page and completion from the declared commands and options, so that they are
// always up to date.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "base/sequences.h"
#include "clos/catalog.h"
#include "config/wording.h"
#include "sim/commands/command.h"

namespace flitcast {

namespace {

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The words that can follow an option or stand for a positional argument, by its name.
using WordsOf = std::map<std::string, std::vector<std::string>>;

/// A command and all commands below it, each before its subcommands.
std::vector<const CLI::App*> commands_from(const CLI::App& command) {
  std::vector<const CLI::App*> commands{&command};
  for (const CLI::App* sub : below(command)) append(commands, commands_from(*sub));
  return commands;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app, bool positional) {
  return app.get_options([=](const CLI::Option* option) {
    return positional ? option->get_positional() : option->nonpositional();
  });
}

// Escapes backslashes, hyphens and requests at the beginning of a line, which have a meaning in
// roff.
std::string roff(const std::string& text) {
  std::string lines = "\n" + all_replaced(all_replaced(text, "\\", "\\e"), "-", "\\-");
  for (const std::string request : {".", "'"}) {
    lines = all_replaced(lines, "\n" + request, "\n\\&" + request);
  }
  return lines.substr(1);
}

std::string synopsis(const CLI::App& command) {
  std::string line = fmt::format(".B {}\n", full_name(command));
  if (!below(command).empty()) return line + ".I COMMAND\n.RI [ \"options\" ]\n";
  for (const CLI::Option* argument : options_of(command, true)) {
    const std::string name = roff(argument->get_name(true));
    line +=
        argument->get_required() ? fmt::format(".I {}\n", name) : fmt::format(".RI [ {} ]\n", name);
  }
  return line + ".RI [ \"options\" ]\n";
}

std::string option_text(const CLI::Option& option) {
  const std::string name =
      option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  const std::string value = option.get_positional() ? "" : value_of(option);
  std::string text = fmt::format(".TP\n.B {}\n", roff(name));
  if (!value.empty()) text = fmt::format(".TP\n.BI \"{} \" {}\n", roff(name), roff(value));
  return text + roff(option.get_description()) + ".\n";
}

std::string command_text(const CLI::App& command) {
  std::string text = fmt::format(".SS {}\n{}.\n.PP\n{}", full_name(command),
                                 roff(command.get_description()), synopsis(command));
  for (const bool positional : {true, false}) {
    for (const CLI::Option* option : options_of(command, positional)) text += option_text(*option);
  }
  const std::string footer = command.get_footer();
  return footer.empty() ? text : text + ".PP\n" + roff(footer) + "\n";
}

/// An entry of an associative array of bash.
std::string table_entry(const std::string& key, const std::vector<std::string>& words) {
  return fmt::format("    ['{}']='{}'\n", key, fmt::join(words, " "));
}

std::string options_entry(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(command, false)) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return table_entry(full_name(command), names);
}

/// The words that complete an option or an argument; none for a number.
std::vector<std::string> words_for(const CLI::Option& option, const WordsOf& words) {
  const bool positional = option.get_positional();
  const auto known = words.find(option.get_name(positional));
  if (known != words.end()) return known->second;
  const std::string value = positional ? option.get_name(true) : value_of(option);
  const bool file = value == "FILE" || value == "DIR" || value == "OUT";
  return file ? std::vector<std::string>{"FILE"} : choices_of(option);
}

/// The words that follow a command, and those of each option that takes a value.
std::string following_entries(const CLI::App& command, const WordsOf& words) {
  const std::string name = full_name(command);
  std::string entries;
  for (const CLI::Option* option : options_of(command, false)) {
    if (!takes_value(*option)) continue;
    entries += table_entry(name + " " + option->get_name(), words_for(*option, words));
  }
  const auto commands = mapped(below(command), [](const CLI::App* sub) { return sub->get_name(); });
  const auto arguments = options_of(command, true);
  if (commands.empty() && arguments.empty()) return entries;
  return entries +
         table_entry(name, commands.empty() ? words_for(*arguments.front(), words) : commands);
}

WordsOf completed_words() {
  std::vector<std::string> keys = experiment_schema().full_names();
  for (std::string& key : keys) key += '=';
  return {{"--set", keys},
          {"--strategy", mapped(clos::strategies(), &clos::StrategyEntry::name)},
          {"--rerun", {"failed"}},
          {"LIST", listing_names()}};
}

/// The manual page of section 1, in the man macros of roff.
std::string manual_page(const CLI::App& program) {
  std::string text = fmt::format(
      ".TH FLITCAST 1 \"\" \"flitcast {}\"\n.SH NAME\nflitcast \\- {}\n.SH SYNOPSIS\n{}.SH "
      "DESCRIPTION\n"
      "Experiments are files in YAML; each is a network, its traffic and what is measured.\n"
      ".SH COMMANDS\n",
      FLITCAST_VERSION, roff(program.get_description()), synopsis(program));
  for (const CLI::App* command : commands_from(program)) {
    if (command != &program) text += command_text(*command);
  }
  text += ".SH OPTIONS\n";
  for (const CLI::Option* option : options_of(program, false)) text += option_text(*option);
  return text + ".SH EXIT STATUS\n" + roff(program.get_footer()) + "\n";
}

/// A bash script that completes commands, options, words and file names. A word that ends with "="
/// is continued without a space.
std::string bash_completion(const CLI::App& program) {
  const WordsOf words = completed_words();
  std::string options;
  std::string following;
  for (const CLI::App* command : commands_from(program)) {
    options += options_entry(*command);
    following += following_entries(*command, words);
  }
  return all_replaced(all_replaced(kCompletion, "@OPTIONS@", options), "@FOLLOWING@", following);
}

}  // namespace

std::vector<const CLI::App*> below(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string full_name(const CLI::App& app) {
  const CLI::App* const parent = app.get_parent();
  return parent == nullptr ? app.get_name() : full_name(*parent) + " " + app.get_name();
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

std::string value_of(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  if (!option.get_option_text().empty()) return option.get_option_text();
  const std::vector<std::string> choices = choices_of(option);
  return choices.empty() ? option.get_type_name() : joined(choices, "|");
}

std::vector<Command> manual_commands() {
  return {{"manual", "Print the manual page, in roff", declare_text<manual_page>},
          {"completion", "Print a script that completes commands and words in bash",
           declare_text<bash_completion>}};
}

}  // namespace flitcast
