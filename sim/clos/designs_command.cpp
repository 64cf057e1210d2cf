// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "clos/bounds/designs.h"
#include "clos/controllers/catalog.h"
#include "sim/clos/input.h"
#include "sim/commands.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

constexpr const char* kDesignsCommand = "clos designs";

clos::DesignRequest request_of(const ClosDesignOptions& options) {
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
  json["levels"] = ordered_json::array();
  for (const clos::PlanLevel& level : design.plan.levels) {
    json["levels"].push_back(
        {{"n", level.n}, {"r", level.r}, {"m", level.middles.m}, {"x", level.middles.x}});
  }
  for (std::size_t d = 0; d < design.clocks.size(); ++d) {
    json["worst_clocks"][clos::controllers()[d].name] = design.clocks[d];
  }
  return json;
}

void print(const std::vector<clos::Design>& designs, std::size_t most) {
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

}  // namespace

int clos_designs_command(const ClosDesignOptions& options) {
  const auto designs =
      as_user_error(kDesignsCommand, [&] { return clos::designs(request_of(options)); });
  if (!options.json) {
    std::cout << fmt::format(
        "nonblocking {} x {} switches, cheapest first; worst-case clocks of the controllers\n",
        options.ports, options.ports);
    print(designs, options.most);
    return kDone;
  }
  ordered_json result{{"ports", options.ports}};
  result["designs"] = ordered_json::array();
  for (const clos::Design& design : designs) result["designs"].push_back(to_json(design));
  std::cout << result.dump(2) << '\n';
  return kDone;
}

}  // namespace flitcast
