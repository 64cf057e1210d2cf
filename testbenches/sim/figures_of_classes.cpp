// SPDX-License-Identifier: Apache-2.0
// Figures of traffic classes. Questions are computed from plain traffic with the same keys, answers
// from the arrivals of questions, and both from the packet log.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "direct.h"
#include "figure_paths.h"
#include "support/test_catch.h"
#include "topology/grid.h"

namespace flitcast::program {
namespace {

constexpr std::uint64_t kMonitoredFrom = 100;  // Start of the window.
constexpr std::uint64_t kWatched = 500;        // Length of the window.
constexpr std::size_t kPlaces = 16;
constexpr std::uint64_t kWork = 4;  // Cycles of service.
constexpr std::uint64_t kQuestion = 2;
constexpr std::uint64_t kAnswer = 3;

bool inside(std::uint64_t cycle) {
  return cycle >= kMonitoredFrom && cycle < kMonitoredFrom + kWatched;
}

double rate(std::uint64_t flits) {
  return static_cast<double>(flits) / static_cast<double>(kPlaces * kWatched);
}

Packets of_class(const Packets& packets, const std::string& name) {
  return where(packets, [&](const LoggedPacket& packet) { return packet.message_class == name; });
}

/// Returns the cycles in which packets are created, whether they have arrived or not.
std::vector<std::uint64_t> asked(const Observed& seen) {
  Parts parts;
  parts.topology = topology_of(mesh({4, 4}));
  parts.seed = 5;
  parts.traffic.lengths = {kQuestion};
  parts.traffic.injection_keys = {{"load", 0.2}};
  std::vector<std::uint64_t> cycles;
  for (const Wish& wish : wishes_of(parts, seen.simulated_cycles())) {
    cycles.push_back(index(wish.cycle));
  }
  return cycles;
}

std::vector<std::uint64_t> answered(const Observed& seen) {
  std::vector<std::uint64_t> cycles;
  for (const LoggedPacket& packet : of_class(seen.log, "ask")) {
    const std::uint64_t cycle = packet.arrived + 1 + kWork;
    if (cycle < seen.simulated_cycles()) cycles.push_back(cycle);
  }
  return cycles;
}

double batch_half_width(const Packets& packets) {
  std::vector<double> means;
  for (std::uint64_t begin = kMonitoredFrom; begin < kMonitoredFrom + kWatched;
       begin += kWatched / 10) {
    const auto span = where(packets, [begin](const LoggedPacket& packet) {
      return packet.created >= begin && packet.created < begin + kWatched / 10;
    });
    means.push_back(mean(each(span, latency)));
  }
  double sum = 0;
  double squares = 0;
  for (const double value : means) sum += value / 10;
  for (const double value : means) squares += (value - sum) * (value - sum);
  return 2.262157 * std::sqrt(squares / 9 / 10);  // Student's t, 9 degrees of freedom.
}

Json latencies(const Packets& packets) {
  std::vector<std::uint64_t> sorted = each(packets, latency);
  std::sort(sorted.begin(), sorted.end());
  const auto quantile = [&](double share) {
    return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()))) -
                  1];
  };
  std::map<std::uint64_t, std::uint64_t> bins;  // Bins are exact below 256.
  for (const std::uint64_t cycles : sorted) ++bins[cycles];
  Json histogram = Json::array();
  for (const auto& [cycles, count] : bins) histogram.push_back({cycles, count});
  return {{"mean", mean(sorted)},
          {"p50", quantile(0.5)},
          {"p95", quantile(0.95)},
          {"p99", quantile(0.99)},
          {"max", sorted.back()},
          {"count", sorted.size()},
          {"mean_half_width_95", batch_half_width(packets)},
          {"histogram", histogram}};
}

Json expected(const Observed& seen, const std::string& name,
              const std::vector<std::uint64_t>& created, std::uint64_t length) {
  const Packets all = of_class(seen.log, name);
  const Packets monitored = where(all, [](const auto& packet) { return inside(packet.created); });
  const auto arrived = where(all, [](const auto& packet) { return inside(packet.arrived); }).size();
  const auto offered =
      static_cast<std::uint64_t>(std::count_if(created.begin(), created.end(), inside));
  return {{"name", name},
          {"packets", {{"created", created.size()}, {"delivered", all.size()}}},
          {"offered_flits_per_node_cycle", rate(offered * length)},
          {"accepted_flits_per_node_cycle", rate(arrived * length)},
          {"hops_mean", mean(each(monitored, [](const auto& packet) { return packet.hops; }))},
          {"latency_cycles", latencies(monitored)},
          {"network_latency_cycles", {{"mean", mean(each(monitored, [](const auto& packet) {
                                         return packet.arrived - packet.injected;
                                       }))}}}};
}

Json both(const Observed& seen) {
  return Json::array({expected(seen, "ask", asked(seen), kQuestion),
                      expected(seen, "answer", answered(seen), kAnswer)});
}

/// Makes the row of a figure of every class.
FigureRow of_each(const std::string& name) {
  return {"classes." + name, [name](const Observed& seen) {
            std::string path = "/" + name;
            std::replace(path.begin(), path.end(), '.', '/');
            Json column = Json::array();
            for (const Json& one : both(seen)) column.push_back(one[Json::json_pointer(path)]);
            return column;
          }};
}

}  // namespace

FigureGroup questions_and_answers() {
  FigureGroup group{{}, {}};
  group.experiment.workload =
      "{kind: traffic, classes: [{name: ask, load: 0.2, packet_length: 2, reply: answer, "
      "service: 4}, {name: answer, packet_length: 3}]}";
  group.experiment.more = "seed: 5";
  group.rows = {{"classes", [](const Observed& seen) {
                   Json names = Json::array();
                   for (const Json& one : seen.result.at("classes")) names.push_back(one["name"]);
                   CHECK(names == Json::array({"ask", "answer"}));
                   return seen.result.at("classes");
                 }}};
  for (const char* name :
       {"name", "packets.created", "packets.delivered", "offered_flits_per_node_cycle",
        "accepted_flits_per_node_cycle", "hops_mean", "latency_cycles.mean", "latency_cycles.p50",
        "latency_cycles.p95", "latency_cycles.p99", "latency_cycles.max", "latency_cycles.count",
        "latency_cycles.mean_half_width_95", "latency_cycles.histogram",
        "network_latency_cycles.mean"}) {
    group.rows.push_back(of_each(name));
  }
  return group;
}

}  // namespace flitcast::program
