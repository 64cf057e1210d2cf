// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "config/wording.h"
#include "sim/clos/command.h"
#include "sim/commands/command.h"
#include "sim/host/output_file.h"

namespace flitcast {

Command run_command();
Command points_command();
std::vector<Command> collect_commands();
Command optimise_command();
Command check_command();
Command schedule_command();
Command export_command();
Command tlm_command();
Command claims_command();
std::vector<Command> list_commands();
std::vector<Command> manual_commands();

Catalog<Command>& commands() {
  static Catalog<Command> catalog = catalog_of<Command>(
      {{run_command(), points_command()},
       collect_commands(),
       {optimise_command(), check_command(), schedule_command(), export_command()},
       {{"clos", "Multicast Clos networks v(m, n, r): bounds, routing, traffic, searches",
         declare_clos}},
       {tlm_command(), claims_command()},
       list_commands(),
       manual_commands()});
  return catalog;
}

Action declare_subcommands(CLI::App& app, const std::vector<Command>& parts,
                           int (*run)(const std::string& name, const Action& action)) {
  app.require_subcommand(1);
  const auto exit_code = std::make_shared<int>(kDone);
  for (const Command& part : parts) {
    CLI::App& below = *app.add_subcommand(part.name, part.summary);
    below.callback([exit_code, run, name = app.get_name() + " " + part.name,
                    action = part.declare(below)] { *exit_code = run(name, action); });
  }
  return [exit_code] { return *exit_code; };
}

std::string cell(const ordered_json& line, const char* key) {
  const auto found = line.find(key);
  if (found == line.end()) return "-";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

int print(bool as_json, const ordered_json& result, const std::function<void()>& print_text) {
  if (as_json) {
    std::cout << result.dump(2) << '\n';
  } else {
    print_text();
  }
  return kDone;
}

void add_experiment(CLI::App& app, ExperimentOptions& options) {
  app.add_option("FILE", options.file, "Experiment in YAML or JSON")
      ->required()
      ->check(fault_of_file_name);
  add_overrides(app, options.overrides);
}

void add_overrides(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option("--set", overrides, "Override a key of the file")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false);
}

CLI::Option* add_file(CLI::App& app, const std::string& option, std::string& file,
                      const char* help) {
  return app.add_option(option, file, help)->option_text("FILE")->check(fault_of_file_name);
}

void add_memory_limit(CLI::App& app, std::optional<std::uint64_t>& limit) {
  app.add_option("--memory-limit", limit,
                 "Refuse experiments that need more memory (default: the process limit)")
      ->option_text("SIZE")
      ->transform(CLI::Validator(
          [](std::string& size) -> std::string {
            const std::string given = size;
            try {  // AsSizeValue wraps negative numbers around.
              const bool negative = size.find('-') != std::string::npos;
              if (!negative && CLI::AsSizeValue(false)(size).empty()) return "";
            } catch (const CLI::ValidationError&) {  // The unit is unknown.
            }
            return quoted(given) + " is no size; write 512M or 2G";
          },
          ""));
}

void add_point(CLI::App& app, std::optional<std::size_t>& point, const char* help) {
  app.add_option("--point", point, help)->option_text("K")->check(CLI::Range(0, 999999));
}

void add_rerun(CLI::App& app, RunOptions& options) {
  app.add_option("--rerun", options.rerun, "Rerun failed points")
      ->option_text("failed")
      ->check(CLI::IsMember({"failed"}));
}

}  // namespace flitcast
