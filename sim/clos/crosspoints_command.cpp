// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "clos/bounds/designs.h"
#include "sim/clos/command.h"
#include "sim/host/process.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

struct CrosspointOptions {
  std::uint64_t ports = 0;
  std::size_t k = 3;  ///< The largest number of levels.
  std::string rule = "thm3";
  bool json = false;
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

std::string power_text(const clos::Exponent& power) {
  return fmt::format("{}/{}", power.numerator, power.denominator);
}

ordered_json growth_json() {
  ordered_json growths = ordered_json::array();
  for (const clos::CrosspointGrowth& growth : clos::crosspoint_growths()) {
    growths.push_back({{"design", growth.design},
                       {"stages", growth.stages},
                       {"power", power_text(growth.power)},
                       {"factor", growth.factor},
                       {"constructive", growth.constructive},
                       {"remark", growth.remark}});
  }
  return growths;
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
  ordered_json result{{"ports", options.ports}, {"rule", options.rule}};
  result["plans"] = ordered_json::array();
  for (std::size_t k = 0; k <= options.k; ++k) {
    result["plans"].push_back(plan_json(k, plans.find(options.ports, k)));
  }
  result["growth"] = growth_json();
  if (options.json) {
    print_json(result);
  } else {
    print_crosspoints(result);
  }
  return kDone;
}

void add_crosspoints_flags(CLI::App& command, CrosspointOptions& crosspoints) {
  add_number(command, "--ports,-N", crosspoints.ports, "N inputs and N outputs")->required();
  command.add_option("--k", crosspoints.k, "Levels")->option_text("K")->check(CLI::Range(0, 16));
  command.add_option("--rule", crosspoints.rule, "Middle switches by thm3, refined, permutation");
}

}  // namespace

void add_clos_crosspoints(CLI::App& clos, const Finish& finish) {
  add_clos_command(clos, finish, "crosspoints", "Cheapest networks of 1, 3, 5, ... 2k + 1 stages",
                   add_crosspoints_flags, crosspoints_command);
}

}  // namespace flitcast
