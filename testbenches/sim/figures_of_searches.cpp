// SPDX-License-Identifier: Apache-2.0
// Figures of searches: every run of a search is repeated alone and checked by its packets.
#include <algorithm>
#include <cmath>
#include <string>

#include "figure_paths.h"

namespace flitcast::program {
namespace {

constexpr double kFrom = 0.1;
constexpr double kTo = 0.9;
constexpr double kPrecision = 0.2;
constexpr std::uint64_t kCalm = 200;
constexpr std::uint64_t kSpan = 1000;

Experiment searched_experiment() {
  return {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}", "{kind: traffic, load: 0.1}",
          "{warmup: 200, window: 1000, drain_limit: 1000}", ""};
}

Observed run_alone(double load) {
  return observe(
      configuration_of(searched_experiment().text(), {"workload.load=" + std::to_string(load)}));
}

double mean_latency(const Observed& seen) {
  return mean(each(where(seen.log,
                         [](const LoggedPacket& packet) {
                           return packet.created >= kCalm && packet.created < kCalm + kSpan;
                         }),
                   latency));
}

Json row(double load, double idle_latency) {
  const Observed seen = run_alone(load);
  const double cycles = mean_latency(seen);
  const bool over = seen.result["status"] == "saturated" || cycles >= 3 * idle_latency;
  return {{"value", load},
          {"id",
           configuration_of(searched_experiment().text(), {"workload.load=" + std::to_string(load)})
               .id()},
          {"over", over},
          {"status", seen.result["status"]},
          {"latency_cycles", cycles},
          {"offered_flits_per_node_cycle", seen.result["offered_flits_per_node_cycle"]},
          {"accepted_flits_per_node_cycle", seen.result["accepted_flits_per_node_cycle"]["mean"]}};
}

/// Bisects [0.1, 0.9]: 0.5, then 0.3 or 0.7, until the bounds are within a fifth of each other.
Json halvings(const Observed&) {
  static const Json rows = [] {
    const double idle = mean_latency(run_alone(kFrom));
    Json made = Json::array({row(kFrom, idle)});
    double below = kFrom;
    double above = kTo;
    while (above - below > kPrecision * above) {
      made.push_back(row((below + above) / 2, idle));
      (made.back()["over"] ? above : below) = made.back()["value"];
    }
    return made;
  }();
  return rows;
}

/// Returns the row at the largest load that is not over the limit, or at the smallest that is.
Json edge(const Observed& seen, bool over) {
  Json found;
  for (const Json& trial : halvings(seen)) {
    if (trial["over"] != over) continue;
    const bool nearer = found.is_null() || (trial["value"] < found["value"]) == over;
    if (nearer) found = trial;
  }
  return found;
}

double value(const Json& trial) { return trial["value"].get<double>(); }

}  // namespace

FigureGroup searched_load() {
  Experiment experiment = searched_experiment();
  experiment.more = "search: {find: saturation, from: 0.1, to: 0.9, precision: 0.2}";
  return {
      experiment,
      rows_of_list(
          "trials", halvings,
          {"value", "id", "over", "status", "latency_cycles", "offered_flits_per_node_cycle",
           "accepted_flits_per_node_cycle"},
          {{"saturation.below", [](const Observed& seen) { return edge(seen, false)["value"]; }},
           {"saturation.above", [](const Observed& seen) { return edge(seen, true)["value"]; }},
           {"saturation.value",
            [](const Observed& seen) {
              return Json((value(edge(seen, false)) + value(edge(seen, true))) / 2);
            }},
           {"saturation.accepted_flits_per_node_cycle",
            [](const Observed& seen) {
              return edge(seen, false)["accepted_flits_per_node_cycle"];
            }},
           {"saturation.lowest_latency_cycles",
            [](const Observed& seen) { return halvings(seen)[0]["latency_cycles"]; }},
           {"saturation.runs", [](const Observed& seen) { return Json(halvings(seen).size()); }}})};
}

}  // namespace flitcast::program
