// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "clos/trace.h"
#include "sim/clos/command.h"

namespace flitcast {
namespace {

struct RouteOptions : PrintOptions {
  ClosSizes sizes;
  ClosAdmissionOptions control;
  std::uint64_t seed = 1;
  std::string events;    ///< Text of a trace; outcomes may be left out.
  std::string file;      ///< A file with a trace; "-": standard input.
  std::string state;     ///< Statements of the given state.
  std::string requests;  ///< Statements of the requests on the given state.
};

std::string read_events(const RouteOptions& options) {
  if (options.file.empty() && options.events.empty()) {
    fail({}, "there is nothing to route",
         "give --events or a file, - for standard input, or --state and --request");
  }
  if (options.file.empty()) return options.events;
  if (options.file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(options.file);
  if (!file || std::filesystem::is_directory(options.file)) {
    fail({}, "cannot read \"" + options.file + "\"", "give the path of a trace");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Events with outcomes, as in a trace.
struct Requests {
  std::string text;
  std::vector<bool> given;  ///< True for events whose outcome the user gives.
};

// Adds placeholders for outcomes that the user omits, since the replay computes them.
Requests requests_in(std::string text) {
  std::replace(text.begin(), text.end(), ';', '\n');
  std::istringstream events(text);
  Requests requests;
  for (std::string event; std::getline(events, event);) {
    const std::size_t first = event.find_first_not_of(" \t\r");
    if (first != std::string::npos) {
      const bool given = event.find('=') != std::string::npos;
      requests.given.push_back(given);
      if (!given && event[first] == 'C') event += " = B";
      if (!given && event[first] == 'J') event += " = blocked";
      if (!given && event[first] == 'L') event += " = closed";
    }
    requests.text += event + "\n";
  }
  return requests;
}

/// The outcomes of the events, one per line.
struct Outcome {
  std::vector<std::string> lines;
  std::size_t blocked = 0;
};

// Plays all events before anything is printed, so that an invalid one leaves no partial output.
Outcome play(const std::vector<clos::Event>& events, const std::vector<bool>& given,
             clos::ConnectionAdmission& control) {
  Outcome outcome;
  for (const clos::Event& event : events) {
    const std::string asked = to_line(event);
    try {
      outcome.lines.push_back(to_line(clos::replay(event, control)));
    } catch (const clos::InvalidRequest& error) {
      fail({},
           fmt::format("event {} \"{}\": {}", outcome.lines.size() + 1,
                       asked.substr(0, asked.find(" =")), error.what()),
           "see flitcast clos route --help");
    }
    const std::string& line = outcome.lines.back();
    if (given[outcome.lines.size() - 1] && line != asked) {
      fail({}, fmt::format("event {} \"{}\" becomes \"{}\"", outcome.lines.size(), asked, line),
           "leave out what follows the outputs, or use the strategy and the seed of the trace");
    }
    const std::string end = line.substr(line.rfind(' ') + 1);
    if (end == "B" || end == "blocked") ++outcome.blocked;
  }
  return outcome;
}

int route_command(const RouteOptions& options) {
  const clos::Structure structure = structure_of(options.sizes);
  if (!options.state.empty() || !options.requests.empty()) {
    if (options.control.candidates != "all" || options.control.join != "incremental") {
      fail({}, "requests on a state use all candidates and join nothing",
           "leave out --candidates and --join");
    }
    return route_on_state({structure, options.control.pass_limit, options.seed},
                          options.control.strategy, options.state, options.requests, options.json);
  }
  clos::ConnectionAdmission control = make_control(structure, options.control, options.seed);
  const Requests requests = requests_in(read_events(options));
  const Outcome outcome =
      play(clos::parse_trace(requests.text, structure.r2), requests.given, control);
  control.state().verify();
  const std::vector<std::string> sets = destination_sets_of(control.state());
  const ordered_json result{{"network", to_text(structure)},
                            {"strategy", options.control.strategy},
                            {"events", outcome.lines},
                            {"blocked", outcome.blocked},
                            {"M", sets}};
  return print(options.json, result, [&] {
    for (const std::string& line : outcome.lines) std::cout << line << '\n';
    std::cout << fmt::format("{} events on {} under {}, {} blocked; M = {}\n", outcome.lines.size(),
                             to_text(structure), options.control.strategy, outcome.blocked,
                             fmt::join(sets, " "));
  });
}

void add_route_flags(CLI::App& command, RouteOptions& route) {
  add_sizes(command, route.sizes);
  add_number(command, "--m", route.sizes.m, "Middle switches");
  add_control(command, route.control);
  command.add_option("--join", route.control.join, "How ports join live connections")
      ->check(CLI::IsMember({"incremental", "bounded", "reroute"}));
  add_number(command, "--seed", route.seed, "Seed of random strategies");
  CLI::Option* events = command.add_option(
      "--events", route.events, "C input outputs; D input; J input output; L input output");
  CLI::Option* file =
      command.add_option("FILE", route.file, "File with events; - for standard input");
  file->excludes(events);
  for (CLI::Option* given :
       {command.add_option("--state", route.state,
                           "A state, as the lecture writes it: I_3={1,2} over 1; "
                           "(I_2,0.8)={3} over 1:{3}; M_1={1,2}; or events with their routes"),
        command.add_option("--request", route.requests,
                           "Requests to explain: I_4={1,2}; I={1,2}; I_4={1,2} over 1,3 to test "
                           "these middle switches; end I_3")}) {
    given->join(';')->excludes(events)->excludes(file);
  }
}

}  // namespace

Command clos_route() {
  return {"route",
          "Serve requests: \"C 0 1,5; D 0\" connects input 0 to outputs 1 and 5, then ends it; or "
          "explain --request on --state",
          declare<RouteOptions, add_route_flags, route_command>};
}

}  // namespace flitcast
