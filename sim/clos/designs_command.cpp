// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "clos/bounds/designs.h"
#include "clos/catalog.h"
#include "sim/clos/command.h"
#include "sim/host/process.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

struct DesignOptions {
  std::uint64_t ports = 0;
  std::uint64_t fan_out = 0;  ///< Most outputs of a connection; 0: all.
  std::string rate;
  std::uint64_t most = 20;  ///< Most lines of the table.
  bool json = false;
};

clos::DesignRequest request_of(const DesignOptions& options) {
  clos::DesignRequest request;
  request.ports = options.ports;
  if (options.fan_out != 0) request.fan_out = options.fan_out;
  if (!options.rate.empty()) request.least_rate = clos::parse_rate(options.rate);
  return request;
}

ordered_json to_json(const clos::Design& design) {
  ordered_json json{{"crosspoints", design.plan.crosspoints},
                    {"stages", design.stages()},
                    {"nonblocking", to_text(design.claim)},
                    {"basis", design.basis}};
  json["levels"] = levels_json(design.plan);
  for (std::size_t d = 0; d < design.clocks.size(); ++d) {
    json["worst_clocks"][clos::controllers()[d].name] = design.clocks[d];
  }
  return json;
}

void print_designs(const std::vector<clos::Design>& designs, std::size_t most) {
  std::cout << fmt::format("  {:>14}  {:>6}  {:<28}  {:<14}  {:<30}", "crosspoints", "stages",
                           "levels (n,r,m)", "nonblocking", "basis");
  for (const auto& controller : clos::controllers()) {
    std::cout << fmt::format("  {:>11}", controller.name);
  }
  std::cout << '\n';
  for (std::size_t d = 0; d < std::min(most, designs.size()); ++d) {
    const clos::Design& design = designs[d];
    std::cout << fmt::format("  {:>14}  {:>6}  {:<28}  {:<14}  {:<30}", design.plan.crosspoints,
                             design.stages(), to_text(design.plan), to_text(design.claim),
                             design.basis);
    for (const std::uint64_t clocks : design.clocks) std::cout << fmt::format("  {:>11}", clocks);
    std::cout << '\n';
  }
  if (designs.size() > most) {
    std::cout << fmt::format("  ... and {} dearer ones\n", designs.size() - most);
  }
}

int designs_command(const DesignOptions& options) {
  const auto designs = clos::designs(request_of(options));
  if (!options.json) {
    std::cout << fmt::format(
        "nonblocking {} x {} switches, cheapest first; worst-case clocks of the controllers\n",
        options.ports, options.ports);
    print_designs(designs, options.most);
    return kDone;
  }
  ordered_json result{{"ports", options.ports}};
  result["designs"] = ordered_json::array();
  for (const clos::Design& design : designs) result["designs"].push_back(to_json(design));
  print_json(result);
  return kDone;
}

void add_designs_flags(CLI::App& command, DesignOptions& designs) {
  add_number(command, "--ports,-N", designs.ports, "N inputs and N outputs")->required();
  add_number(command, "--fan-out", designs.fan_out, "Most outputs of a connection; 0: all");
  command.add_option("--rate", designs.rate, "Least rate of connections that share links: 1/2");
  add_number(command, "--most", designs.most, "Lines of the table", 1);
}

}  // namespace

void add_clos_designs(CLI::App& clos, const Finish& finish) {
  add_clos_command(clos, finish, "designs",
                   "Nonblocking switches of N ports, those with fewest crosspoints first",
                   add_designs_flags, designs_command);
}

}  // namespace flitcast
