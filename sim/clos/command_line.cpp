// SPDX-License-Identifier: Apache-2.0
#include "sim/clos/command_line.h"

#include <limits>
#include <utility>

namespace flitcast {
namespace {

constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

CLI::Option* number(CLI::App& command, const std::string& name, std::uint64_t& value,
                    const std::string& help, std::int64_t least = 0, std::int64_t most = kMost) {
  return command.add_option(name, value, help)->option_text("N")->check(CLI::Range(least, most));
}

void add_sizes(CLI::App& command, ClosSizes& sizes) {
  number(command, "--n", sizes.n, "Ports of an input switch and of an output switch");
  number(command, "--r", sizes.r, "Input switches and output switches");
  number(command, "--n1", sizes.n1, "Ports of an input switch, if not n");
  number(command, "--r1", sizes.r1, "Input switches, if not r");
  number(command, "--n2", sizes.n2, "Ports of an output switch, if not n");
  number(command, "--r2", sizes.r2, "Output switches, if not r");
}

void add_control(CLI::App& command, ClosControlOptions& control) {
  command.add_option("--strategy", control.strategy,
                     "Who chooses the middle switches; flitcast list strategies");
  number(command, "--pass-limit", control.pass_limit, "Most middle switches of a route; 0: any", 0,
         1 << 20);
  command.add_option("--candidates", control.candidates, "all, or the first that Theorem 3 needs")
      ->check(CLI::IsMember({"all", "first"}));
}

void add_json(CLI::App& command, bool& json) { command.add_flag("--json", json, "As JSON"); }

}  // namespace

void ClosCommandLine::add_to(CLI::App& app, std::function<void(int)> finish) {
  finish_ = std::move(finish);
  CLI::App& clos = *app.add_subcommand(
      "clos", "Multicast Clos networks v(m, n, r): bounds, routing, traffic, searches");
  clos.require_subcommand(1);
  add_bound(clos);
  add_designs(clos);
  add_crosspoints(clos);
  add_route(clos);
  add_traffic(clos);
  add_minimum(clos);
}

void ClosCommandLine::add_bound(CLI::App& clos) {
  CLI::App& command = *clos.add_subcommand("bound", "Middle switches that make it nonblocking");
  add_sizes(command, bound_.sizes);
  number(command, "--fan-out", bound_.fan_out, "Most output switches of a connection; 0: all");
  command.add_option("--rate", bound_.rate, "Least rate of connections that share links: 1/2, 0.3");
  add_json(command, bound_.json);
  command.callback([this] { finish_(clos_bound_command(bound_)); });
}

void ClosCommandLine::add_designs(CLI::App& clos) {
  CLI::App& command = *clos.add_subcommand(
      "designs", "Nonblocking switches of N ports, those with fewest crosspoints first");
  number(command, "--ports,-N", designs_.ports, "N inputs and N outputs")->required();
  number(command, "--fan-out", designs_.fan_out, "Most outputs of a connection; 0: all");
  command.add_option("--rate", designs_.rate, "Least rate of connections that share links: 1/2");
  number(command, "--most", designs_.most, "Lines of the table", 1);
  add_json(command, designs_.json);
  command.callback([this] { finish_(clos_designs_command(designs_)); });
}

void ClosCommandLine::add_crosspoints(CLI::App& clos) {
  CLI::App& command =
      *clos.add_subcommand("crosspoints", "Cheapest networks of 1, 3, 5, ... 2k + 1 stages");
  number(command, "--ports,-N", crosspoints_.ports, "N inputs and N outputs")->required();
  command.add_option("--k", crosspoints_.k, "Levels")->option_text("K")->check(CLI::Range(0, 16));
  command.add_option("--rule", crosspoints_.rule, "Middle switches by thm3, refined, permutation");
  add_json(command, crosspoints_.json);
  command.callback([this] { finish_(clos_crosspoints_command(crosspoints_)); });
}

void ClosCommandLine::add_route(CLI::App& clos) {
  CLI::App& command = *clos.add_subcommand(
      "route",
      "Serve requests: \"C 0 1,5; D 0\" connects input 0 to outputs 1 and 5, then ends it");
  add_sizes(command, route_.sizes);
  number(command, "--m", route_.sizes.m, "Middle switches");
  add_control(command, route_.control);
  command.add_option("--join", route_.control.join, "How ports join live connections")
      ->check(CLI::IsMember({"incremental", "bounded", "reroute"}));
  number(command, "--seed", route_.seed, "Of random strategies");
  CLI::Option* events = command.add_option(
      "--events", route_.events, "C input outputs; D input; J input output; L input output");
  CLI::Option* file =
      command.add_option("FILE", route_.file, "The same in a file; - for standard input");
  file->excludes(events);
  add_json(command, route_.json);
  command.callback([this] { finish_(clos_route_command(route_)); });
}

void ClosCommandLine::add_traffic(CLI::App& clos) {
  CLI::App& command = *clos.add_subcommand("traffic", "Random requests, and how many are blocked");
  add_sizes(command, traffic_.sizes);
  number(command, "--m", traffic_.sizes.m, "Middle switches");
  number(command, "--to", traffic_.last_m, "Last m of a curve that begins at --m");
  add_control(command, traffic_.control);
  number(command, "--seed", traffic_.seed, "Start of the random numbers");
  number(command, "--events", traffic_.events, "Connects and disconnects", 1);
  number(command, "--fmax", traffic_.fan_out, "Most output switches of a request; 0: all");
  number(command, "--pconn", traffic_.connect_percent, "Per cent of events that connect", 0, 100);
  number(command, "--capacity", traffic_.capacity,
         "Multirate: the capacity of a link in units of weight", 1, 1 << 30);
  number(command, "--bmin", traffic_.least_weight, "Least weight of a connection", 1, 1 << 30);
  number(command, "--wmax", traffic_.most_weight, "Largest weight; 0: the capacity", 0, 1 << 30);
  command.add_option("--trace", traffic_.trace, "File for the events; - for standard output")
      ->option_text("OUT");
  add_json(command, traffic_.json);
  command.callback([this] { finish_(clos_traffic_command(traffic_)); });
}

void ClosCommandLine::add_minimum(CLI::App& clos) {
  CLI::App& command = *clos.add_subcommand(
      "minimum", "Smallest m whose reachable states never block, by exhaustive search");
  add_sizes(command, minimum_.sizes);
  number(command, "--m", minimum_.sizes.m, "Where to begin; 0: at n");
  command.add_option("--strategy", minimum_.strategy,
                     "A strategy, any (some strategy at all), strict (whatever routes), or "
                     "rearrangeable (connections may be moved)");
  number(command, "--max-states", minimum_.most_states, "Of one search; 0: any number");
  number(command, "--memory", minimum_.memory_mib, "MiB of one search", 1, 1 << 24);
  number(command, "--seconds", minimum_.seconds, "For one m; 0: as long as it takes");
  add_json(command, minimum_.json);
  command.callback([this] { finish_(clos_minimum_command(minimum_)); });
}

}  // namespace flitcast
