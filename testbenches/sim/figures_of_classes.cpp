// SPDX-License-Identifier: Apache-2.0
// Figures of traffic classes. Questions are computed from plain traffic with the same keys, answers
// from the arrivals of questions, and both from the packet log.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "direct.h"
#include "figure_paths.h"
#include "naive_interval.h"
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
constexpr double kHop = 5;  // Four cycles of a router and one of a channel.

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
std::vector<std::uint64_t> asked(const Observed& seen, std::uint32_t length, double load) {
  Parts parts;
  parts.topology = topology_of(mesh({4, 4}));
  parts.seed = 5;
  parts.traffic.lengths = {length};
  parts.traffic.injection_keys = {{"load", load}};
  std::vector<std::uint64_t> cycles;
  for (const Wish& wish : wishes_of(parts, seen.simulated_cycles())) {
    cycles.push_back(index(wish.cycle));
  }
  return cycles;
}

std::vector<std::uint64_t> answered(const Observed& seen, std::uint64_t work) {
  std::vector<std::uint64_t> cycles;
  for (const LoggedPacket& packet : of_class(seen.log, "ask")) {
    const std::uint64_t cycle = packet.arrived + 1 + work;
    if (cycle < seen.simulated_cycles()) cycles.push_back(cycle);
  }
  return cycles;
}

Json latencies(const Packets& packets, double service, double slowest) {
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
  const NaiveInterval interval = naive_interval(packets, kMonitoredFrom, kWatched, kHop, service,
                                                slowest, std::max(kQuestion, kAnswer));
  return {{"mean", mean(sorted)},
          {"p50", quantile(0.5)},
          {"p95", quantile(0.95)},
          {"p99", quantile(0.99)},
          {"max", sorted.back()},
          {"count", sorted.size()},
          {"mean_half_width_95", interval.half_width},
          {"half_width_unknown", interval.unknown},
          {"sufficient_window", interval.sufficient},
          {"relaxation_cycles", interval.relaxation},
          {"histogram", histogram}};
}

Json expected(const Observed& seen, const std::string& name,
              const std::vector<std::uint64_t>& created, std::uint64_t length, double service) {
  // Questions of 0.2 flits have answers of 0.3; a node can send 1.
  const double queue = 0.5 * service / (0.5 * 0.5);
  // A class does not settle before all packets do.
  const Packets every = where(seen.log, [](const auto& packet) { return inside(packet.created); });
  const double slowest =
      naive_interval(every, kMonitoredFrom, kWatched, kHop, service, queue, 1).relaxation;
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
          {"latency_cycles", latencies(monitored, service, slowest)},
          {"network_latency_cycles", {{"mean", mean(each(monitored, [](const auto& packet) {
                                         return packet.arrived - packet.injected;
                                       }))}}}};
}

Json both(const Observed& seen) {
  const std::vector<std::uint64_t> questions = asked(seen, kQuestion, 0.2);
  const std::vector<std::uint64_t> answers = answered(seen, kWork);
  // The mean length of the packet that a flit belongs to; there are as many questions as answers.
  const double service =
      (kQuestion * kQuestion + kAnswer * kAnswer) / static_cast<double>(kQuestion + kAnswer);
  return Json::array({expected(seen, "ask", questions, kQuestion, service),
                      expected(seen, "answer", answers, kAnswer, service)});
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
        "latency_cycles.mean_half_width_95", "latency_cycles.half_width_unknown",
        "latency_cycles.sufficient_window", "latency_cycles.relaxation_cycles",
        "latency_cycles.histogram", "network_latency_cycles.mean"}) {
    group.rows.push_back(of_each(name));
  }
  return group;
}

namespace {

constexpr std::uint64_t kLateWork = 1000;
constexpr std::uint64_t kLateWindow = 3200;  // From cycle 0, in 64 spans of 50 cycles.

/// Packets of one flit that are created and that arrive by span.
struct SpanCounts {
  std::vector<double> created = std::vector<double>(64);
  std::vector<double> accepted = std::vector<double>(64);

  explicit SpanCounts(const Observed& seen) {
    const auto count = [](std::vector<double>& spans, std::uint64_t cycle) {
      if (cycle < kLateWindow) ++spans[cycle / 50];
    };
    for (const std::uint64_t cycle : asked(seen, 1, 0.6)) count(created, cycle);
    for (const std::uint64_t cycle : answered(seen, kLateWork)) count(created, cycle);
    for (const LoggedPacket& packet : seen.log) count(accepted, packet.arrived);
  }
  double kept(std::size_t from) const { return sum(created, from) - sum(accepted, from); }
  static double sum(const std::vector<double>& spans, std::size_t from) {
    double sum = 0;
    for (std::size_t span = from; span < spans.size(); ++span) sum += spans[span];
    return sum;
  }
};

/// The span from which on the backlog has grown at more than half of its last rate.
std::size_t fallen_behind(const SpanCounts& counts) {
  const double half = counts.kept(56) / 8 / 2;
  std::size_t best = 0;
  const auto sum = [&](std::size_t from) {
    return counts.kept(from) - half * static_cast<double>(64 - from);
  };
  for (std::size_t from = 1; from < 64; ++from) best = sum(from) > sum(best) ? from : best;
  return best;
}

FigureRow rate_since(const char* figure, std::vector<double> SpanCounts::*flits) {
  return {figure, [flits](const Observed& seen) {
            const SpanCounts counts(seen);
            const std::size_t from = fallen_behind(counts);
            return Json(SpanCounts::sum(counts.*flits, from) /
                        static_cast<double>(kPlaces * 50 * (64 - from)));
          }};
}

}  // namespace

// Answers begin after 1000 cycles, and are more than the network carries besides questions.
FigureGroup late_answers() {
  FigureGroup group{{}, {}};
  group.experiment.workload =
      "{kind: traffic, classes: [{name: ask, load: 0.6, packet_length: 1, reply: answer, "
      "service: 1000}, {name: answer, packet_length: 1}]}";
  group.experiment.measure = "{warmup: 0, window: 3200, drain_limit: 0}";
  group.experiment.more = "seed: 5";
  group.rows = {
      {"backlog.collapse.cycle",
       [](const Observed& seen) {
         const std::size_t from = fallen_behind(SpanCounts(seen));
         CHECK(from > 19);
         CHECK(from < 24);
         return Json(50 * from);
       }},
      rate_since("backlog.collapse.offered_flits_per_node_cycle", &SpanCounts::created),
      rate_since("backlog.collapse.accepted_flits_per_node_cycle", &SpanCounts::accepted)};
  return group;
}

}  // namespace flitcast::program
