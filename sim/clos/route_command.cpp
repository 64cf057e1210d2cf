// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "clos/experiments/replay.h"
#include "clos/experiments/trace.h"
#include "sim/clos/input.h"
#include "sim/commands.h"

namespace flitcast {
namespace {

constexpr const char* kCommand = "clos route";

std::string read_events(const ClosRouteOptions& options) {
  if (options.file.empty()) return options.events;
  if (options.file == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream file(options.file);
  if (!file) fail(kCommand, "cannot read \"" + options.file + "\"", "give the path of a trace");
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

nlohmann::ordered_json final_state(const clos::NetworkState& state) {
  nlohmann::ordered_json sets = nlohmann::ordered_json::array();
  for (std::size_t j = 0; j < state.destination_sets().rows(); ++j) {
    sets.push_back(to_hex(state.destination_sets().set_of(j)));
  }
  return sets;
}

}  // namespace

int clos_route_command(const ClosRouteOptions& options) {
  const clos::Structure structure = structure_of(options.sizes, kCommand);
  clos::Control control = make_control(structure, options.control, options.seed, kCommand);
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  std::size_t blocked = 0;
  as_user_error(kCommand, [&] {
    for (const clos::Event& event :
         clos::parse_trace(with_outcomes(read_events(options)), structure.r2)) {
      const std::string line = to_line(clos::replay(event, control));
      const std::string end = line.substr(line.rfind(' ') + 1);
      if (end == "B" || end == "blocked") ++blocked;
      if (!options.json) std::cout << line << '\n';
      lines.push_back(line);
    }
  });
  control.state().verify();
  const nlohmann::ordered_json sets = final_state(control.state());
  if (options.json) {
    std::cout << nlohmann::ordered_json{{"network", to_text(structure)},
                                        {"strategy", options.control.strategy},
                                        {"events", lines},
                                        {"blocked", blocked},
                                        {"M", sets}}
                     .dump(2)
              << '\n';
    return kDone;
  }
  std::cout << fmt::format("{} events on {} under {}, {} blocked; M =", lines.size(),
                           to_text(structure), options.control.strategy, blocked);
  for (const auto& set : sets) std::cout << ' ' << set.get<std::string>();
  std::cout << '\n';
  return kDone;
}

}  // namespace flitcast
