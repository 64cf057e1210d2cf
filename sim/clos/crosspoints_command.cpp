// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "clos/bounds/crosspoint_plans.h"
#include "clos/bounds/growth.h"
#include "sim/clos/input.h"
#include "sim/commands.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

constexpr const char* kCrosspointsCommand = "clos crosspoints";

clos::MiddleRule rule_named(const std::string& name) {
  std::string names;
  for (const auto& entry : clos::middle_rules()) {
    if (entry.name == name) return entry.make;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  fail(kCrosspointsCommand, "no rule \"" + name + "\"", "choose one of " + names);
}

ordered_json plan_json(std::size_t k, const std::optional<clos::CrosspointPlan>& plan) {
  ordered_json json{{"k", k}, {"stages", k == 0 ? 1 : 2 * k + 1}};
  if (!plan) {
    json["none"] = "too few prime factors for so many levels";
    return json;
  }
  json["crosspoints"] = plan->crosspoints;
  json["levels"] = ordered_json::array();
  for (const clos::PlanLevel& level : plan->levels) {
    json["levels"].push_back(
        {{"n", level.n}, {"r", level.r}, {"m", level.middles.m}, {"x", level.middles.x}});
  }
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
      "{} x {} multicast switch, m by rule {}; levels (n,r,m), outermost first\n",
      result.at("ports").get<std::uint64_t>(), result.at("ports").get<std::uint64_t>(),
      result.at("rule").get<std::string>());
  for (const ordered_json& plan : result.at("plans")) {
    const auto stages = plan.at("stages").get<std::size_t>();
    const std::string name = stages == 1 ? "crossbar" : fmt::format("{} stages", stages);
    if (plan.contains("none")) {
      std::cout << fmt::format("  {:<10} none: {}\n", name, plan.at("none").get<std::string>());
      continue;
    }
    std::string levels;
    for (const ordered_json& level : plan.at("levels")) {
      levels += fmt::format(" ({},{},{})", level.at("n").get<std::uint64_t>(),
                            level.at("r").get<std::uint64_t>(), level.at("m").get<std::uint64_t>());
    }
    std::cout << fmt::format("  {:<10} {:>20} crosspoints {}\n", name,
                             plan.at("crosspoints").get<std::uint64_t>(), levels);
  }
  std::cout << "growth of the designs of the literature, N to the power of\n";
  for (const ordered_json& growth : result.at("growth")) {
    std::cout << fmt::format(
        "  {:<34} {} stages {:>6}  {}\n", growth.at("design").get<std::string>(),
        growth.at("stages").get<unsigned>(), growth.at("power").get<std::string>(),
        growth.at("factor").get<std::string>());
  }
}

}  // namespace

int clos_crosspoints_command(const ClosCrosspointOptions& options) {
  clos::CrosspointPlans plans(rule_named(options.rule));
  ordered_json result{{"ports", options.ports}, {"rule", options.rule}};
  result["plans"] = ordered_json::array();
  as_user_error(kCrosspointsCommand, [&] {
    for (std::size_t k = 0; k <= options.k; ++k) {
      result["plans"].push_back(plan_json(k, plans.find(options.ports, k)));
    }
  });
  result["growth"] = growth_json();
  if (options.json) {
    std::cout << result.dump(2) << '\n';
  } else {
    print_crosspoints(result);
  }
  return kDone;
}

}  // namespace flitcast
