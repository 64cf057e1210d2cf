// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/sequences.h"
#include "clos/bounds/designs.h"
#include "clos/catalog.h"
#include "sim/clos/command.h"

namespace flitcast {

namespace {

struct DesignOptions : PrintOptions {
  std::uint64_t ports = 0;
  std::uint64_t fan_out = 0;  ///< Most outputs of a connection; 0: all.
  std::string rate;
  std::size_t most = 20;  ///< Most lines of the table.
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

void print_designs(const std::vector<clos::Design>& designs, const DesignOptions& options) {
  std::cout << fmt::format(
      "nonblocking {0} x {0} switches, cheapest first; worst-case clocks of the controllers\n",
      options.ports);
  std::cout << fmt::format("  {:>14}  {:>6}  {:<28}  {:<14}  {:<30}", "crosspoints", "stages",
                           "levels (n,r,m)", "nonblocking", "basis");
  for (const auto& controller : clos::controllers()) {
    std::cout << fmt::format("  {:>11}", controller.name);
  }
  std::cout << '\n';
  for (std::size_t d = 0; d < std::min(options.most, designs.size()); ++d) {
    const clos::Design& design = designs[d];
    std::cout << fmt::format("  {:>14}  {:>6}  {:<28}  {:<14}  {:<30}", design.plan.crosspoints,
                             design.stages(), to_text(design.plan), to_text(design.claim),
                             design.basis);
    for (const std::uint64_t clocks : design.clocks) std::cout << fmt::format("  {:>11}", clocks);
    std::cout << '\n';
  }
  if (designs.size() > options.most) {
    std::cout << fmt::format("  ... and {} dearer ones\n", designs.size() - options.most);
  }
}

int designs_command(const DesignOptions& options) {
  const auto designs = clos::designs(request_of(options));
  const ordered_json result{{"ports", options.ports}, {"designs", mapped(designs, to_json)}};
  return print(options.json, result, [&] { print_designs(designs, options); });
}

void add_designs_flags(CLI::App& command, DesignOptions& designs) {
  add_number(command, "--ports,-N", designs.ports, "N inputs and N outputs")->required();
  add_number(command, "--fan-out", designs.fan_out, "Most outputs of a connection; 0: all");
  command.add_option("--rate", designs.rate, "Least rate of connections that share links: 1/2");
  add_number(command, "--most", designs.most, "Lines of the table", 1);
}

}  // namespace

Command clos_designs() {
  return {"designs", "Nonblocking switches of N ports, those with fewest crosspoints first",
          declare<DesignOptions, add_designs_flags, designs_command>};
}

namespace {

struct CrosspointOptions : PrintOptions {
  std::uint64_t ports = 0;
  std::size_t k = 3;  ///< The largest number of levels.
  std::string rule = "thm3";
};

ordered_json plan_json(std::size_t k, const std::optional<clos::CrosspointPlan>& plan) {
  ordered_json json{{"k", k}, {"stages", k == 0 ? 1 : 2 * k + 1}};
  if (!plan) {
    json["none"] = "too few prime factors for this number of levels";
    return json;
  }
  json["crosspoints"] = plan->crosspoints;
  json["levels"] = levels_json(*plan);
  return json;
}

ordered_json growth_json() {
  return ordered_json(mapped(clos::crosspoint_growths(), [&](const clos::CrosspointGrowth& growth) {
    const auto [numerator, denominator] = growth.power;
    return ordered_json{{"design", growth.design},
                        {"stages", growth.stages},
                        {"power", fmt::format("{}/{}", numerator, denominator)},
                        {"factor", growth.factor},
                        {"constructive", growth.constructive},
                        {"remark", growth.remark}};
  }));
}

void print_crosspoints(const ordered_json& result) {
  std::cout << fmt::format(
      "{0} x {0} multicast switch, m by rule {1}; levels (n,r,m), outermost first\n",
      cell(result, "ports"), cell(result, "rule"));
  for (const ordered_json& plan : result.at("plans")) {
    const std::string stages = cell(plan, "stages");
    const std::string name = stages == "1" ? "crossbar" : stages + " stages";
    if (plan.contains("none")) {
      std::cout << fmt::format("  {:<10} none: {}\n", name, cell(plan, "none"));
      continue;
    }
    std::string levels;
    for (const ordered_json& level : plan.at("levels")) {
      levels += fmt::format(" ({},{},{})", cell(level, "n"), cell(level, "r"), cell(level, "m"));
    }
    std::cout << fmt::format("  {:<10} {:>20} crosspoints {}\n", name, cell(plan, "crosspoints"),
                             levels);
  }
  std::cout << "growth of the designs of the literature, N to the power of\n";
  for (const ordered_json& growth : result.at("growth")) {
    std::cout << fmt::format("  {:<34} {} stages {:>6}  {}\n", cell(growth, "design"),
                             cell(growth, "stages"), cell(growth, "power"), cell(growth, "factor"));
  }
}

int crosspoints_command(const CrosspointOptions& options) {
  clos::CrosspointPlans plans(entry_named(clos::middle_rules(), "rule", options.rule).make);
  const auto plan = [&](std::size_t k) { return plan_json(k, plans.find(options.ports, k)); };
  const ordered_json result{{"ports", options.ports},
                            {"rule", options.rule},
                            {"plans", tabulated(options.k + 1, plan)},
                            {"growth", growth_json()}};
  return print(options.json, result, [&] { print_crosspoints(result); });
}

void add_crosspoints_flags(CLI::App& command, CrosspointOptions& crosspoints) {
  add_number(command, "--ports,-N", crosspoints.ports, "N inputs and N outputs")->required();
  command.add_option("--k", crosspoints.k, "Levels")->option_text("K")->check(CLI::Range(0, 16));
  command.add_option("--rule", crosspoints.rule, "Middle switches by thm3, refined, permutation");
}

}  // namespace

Command clos_crosspoints() {
  return {"crosspoints", "Cheapest networks of 1, 3, 5, ... 2k + 1 stages",
          declare<CrosspointOptions, add_crosspoints_flags, crosspoints_command>};
}

}  // namespace flitcast
