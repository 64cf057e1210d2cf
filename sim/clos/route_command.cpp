// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clos/experiments/replay.h"
#include "clos/experiments/trace.h"
#include "sim/clos/input.h"
#include "sim/commands.h"

namespace flitcast {
namespace {

constexpr const char* kRouteCommand = "clos route";

std::string read_events(const ClosRouteOptions& options) {
  if (options.file.empty() && options.events.empty()) {
    fail(kRouteCommand, "there is nothing to route",
         "give --events or a file, or - for standard input");
  }
  if (options.file.empty()) return options.events;
  if (options.file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(options.file);
  if (!file || std::filesystem::is_directory(options.file)) {
    fail(kRouteCommand, "cannot read \"" + options.file + "\"", "give the path of a trace");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

// Outcomes are found out here, so the user may leave them out.
std::string with_outcomes(const std::string& text) {
  std::string result;
  std::string event;
  const auto close = [&] {
    const std::size_t first = event.find_first_not_of(" \t\r");
    if (first != std::string::npos && event.find('=') == std::string::npos) {
      if (event[first] == 'C') event += " = B";
      if (event[first] == 'J') event += " = blocked";
      if (event[first] == 'L') event += " = closed";
    }
    result += event + "\n";
    event.clear();
  };
  for (const char letter : text) {
    if (letter == ';' || letter == '\n') {
      close();
    } else {
      event += letter;
    }
  }
  close();
  return result;
}

/// What became of the events, a line each.
struct Outcome {
  std::vector<std::string> lines;
  std::size_t blocked = 0;
};

// All of them before the first is printed, so that a wrong one leaves nothing behind.
Outcome play(const std::vector<clos::Event>& events, clos::Control& control) {
  Outcome outcome;
  for (const clos::Event& event : events) {
    const std::string asked = to_line(event);
    try {
      outcome.lines.push_back(to_line(clos::replay(event, control)));
    } catch (const clos::InvalidRequest& error) {
      fail(kRouteCommand,
           fmt::format("event {} \"{}\": {}", outcome.lines.size() + 1,
                       asked.substr(0, asked.find(" =")), error.what()),
           "see flitcast clos route --help");
    }
    const std::string& line = outcome.lines.back();
    const std::string end = line.substr(line.rfind(' ') + 1);
    if (end == "B" || end == "blocked") ++outcome.blocked;
  }
  return outcome;
}

std::vector<std::string> final_state(const clos::NetworkState& state) {
  std::vector<std::string> sets;
  for (std::size_t j = 0; j < state.destination_sets().rows(); ++j) {
    sets.push_back(to_hex(state.destination_sets().set_of(j)));
  }
  return sets;
}

}  // namespace

int clos_route_command(const ClosRouteOptions& options) {
  const clos::Structure structure = structure_of(options.sizes, kRouteCommand);
  clos::Control control = make_control(structure, options.control, options.seed, kRouteCommand);
  const Outcome outcome = as_user_error(kRouteCommand, [&] {
    return play(clos::parse_trace(with_outcomes(read_events(options)), structure.r2), control);
  });
  control.state().verify();
  const std::vector<std::string> sets = final_state(control.state());
  if (options.json) {
    std::cout << nlohmann::ordered_json{{"network", to_text(structure)},
                                        {"strategy", options.control.strategy},
                                        {"events", outcome.lines},
                                        {"blocked", outcome.blocked},
                                        {"M", sets}}
                     .dump(2)
              << '\n';
    return kDone;
  }
  for (const std::string& line : outcome.lines) std::cout << line << '\n';
  std::cout << fmt::format("{} events on {} under {}, {} blocked; M = {}\n", outcome.lines.size(),
                           to_text(structure), options.control.strategy, outcome.blocked,
                           fmt::join(sets, " "));
  return kDone;
}

}  // namespace flitcast
