// SPDX-License-Identifier: Apache-2.0
// Figures that results contain on request only.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <sstream>

#include "figure_paths.h"
#include "sim/measure/flow_error.h"

namespace flitcast::program {
namespace {

constexpr std::uint64_t kExtraSpan = 32;
constexpr std::uint64_t kExtraSampling = 5;
constexpr std::size_t kExtraNodes = 16;

std::uint64_t spans(const Observed& seen) { return seen.simulated_cycles() / kExtraSpan; }

/// Returns value(begin, end) of every span.
template <class Value>
Json of_spans(const Observed& seen, Value value) {
  Json list = Json::array();
  for (std::uint64_t span = 0; span < spans(seen); ++span) {
    list.push_back(value(span * kExtraSpan, (span + 1) * kExtraSpan));
  }
  return list;
}

/// Makes a function that returns, for every span, the packets of one flit with this event in it,
/// per node and cycle.
template <class Moment>
std::function<Json(const Observed&)> rate_in_spans(Moment moment) {
  return [moment](const Observed& seen) {
    return of_spans(seen, [&](std::uint64_t begin, std::uint64_t end) {
      const auto flits = std::count_if(seen.log.begin(), seen.log.end(), [&](const auto& packet) {
        return moment(packet) >= begin && moment(packet) < end;
      });
      return static_cast<double>(flits) / static_cast<double>(kExtraNodes * kExtraSpan);
    });
  };
}

Json latencies_in_spans(const Observed& seen) {
  return of_spans(seen, [&](std::uint64_t begin, std::uint64_t end) {
    const Packets arrived =
        where(seen.log, [&](const auto& p) { return p.arrived >= begin && p.arrived < end; });
    return arrived.empty() ? Json() : Json(mean(each(arrived, latency)));
  });
}

Json waiting_after_spans(const Observed& seen) {
  return of_spans(seen, [&](std::uint64_t, std::uint64_t end) {
    return where(seen.log, [&](const auto& p) { return p.created < end && p.injected >= end; })
        .size();
  });
}

/// Returns the residency of every flit in all buffers, from a monitored run of the same experiment.
const std::vector<FlitResidency>& residencies(const Observed& seen) {
  static std::map<std::string, std::vector<FlitResidency>> known;
  const auto id = seen.result.at("id").get<std::string>();
  const auto [place, is_new] = known.try_emplace(id);
  if (is_new)
    place->second = monitored(configuration_of(seen.result.at("config").dump())).residencies;
  return place->second;
}

/// True if a flit is in its buffer when a cycle begins.
bool is_there(const FlitResidency& residency, std::uint64_t cycle) {
  return index(residency.arrived) < cycle && index(residency.left) >= cycle;
}

Json buffered(const Observed& seen) {
  return of_spans(seen, [&](std::uint64_t, std::uint64_t end) {
    return std::count_if(residencies(seen).begin(), residencies(seen).end(),
                         [&](const FlitResidency& residency) { return is_there(residency, end); });
  });
}

Json buffered_by_router(const Observed& seen) {
  Json list = Json::array();
  for (std::uint32_t r = 0; r < kExtraNodes; ++r) {
    list.push_back(of_spans(seen, [&](std::uint64_t, std::uint64_t end) {
      return std::count_if(residencies(seen).begin(), residencies(seen).end(),
                           [&](const FlitResidency& residency) {
                             return residency.router == RouterId{r} && is_there(residency, end);
                           });
    }));
  }
  return list;
}

/// A packet of one flit is sent to the next router when it leaves a router's buffer.
Json series_of_links(const Observed& seen) {
  using Way = std::array<std::uint64_t, 3>;  // Kind and endpoints of a channel.
  std::map<Way, std::vector<std::uint64_t>> sent;
  const auto count = [&](const Way& path, std::uint64_t cycle) {
    std::vector<std::uint64_t>& list = sent[path];
    list.resize(spans(seen), 0);
    if (cycle / kExtraSpan < list.size()) ++list[cycle / kExtraSpan];
  };
  std::map<PacketId, std::vector<const FlitResidency*>> paths;
  for (const FlitResidency& residency : residencies(seen))
    paths[residency.packet].push_back(&residency);
  for (const auto& [packet, path] : paths) {
    for (std::size_t hop = 0; hop + 1 < path.size(); ++hop) {
      count({0, index(path[hop]->router), index(path[hop + 1]->router)}, index(path[hop]->left));
    }
    count({2, index(path.back()->destination), 0}, index(path.back()->left));
  }
  for (const LoggedPacket& packet : seen.log) count({1, packet.source, 0}, packet.injected);
  Json list = Json::array();
  for (const Json& link : seen.result.at("links")) {
    const auto number = [&](const char* key) { return link.at(key).get<std::uint64_t>(); };
    const auto kind = link.at("kind").get<std::string>();
    std::vector<std::uint64_t>& flits = kind == "router" ? sent[{0, number("from"), number("to")}]
                                        : kind == "injection" ? sent[{1, number("node"), 0}]
                                                              : sent[{2, number("node"), 0}];
    flits.resize(spans(seen), 0);
    list.push_back(flits);
  }
  return list;
}

Json fairness(const Packets& packets) {
  std::array<double, kExtraNodes> got{};
  for (const LoggedPacket& packet : packets) ++got[packet.destination];
  double sum = 0;
  double squares = 0;
  for (const double flits : got) {
    sum += flits;
    squares += flits * flits;
  }
  return sum * sum / (kExtraNodes * squares);
}

Json distances(const Observed& seen) {
  Json list = Json::array();
  for (std::uint64_t hops = 1; hops <= 7; ++hops) {
    std::vector<std::uint64_t> taken;
    for (const LoggedPacket& packet : seen.log) {
      const bool so_far = way_through_mesh(packet.source, packet.destination).size() == hops;
      if (so_far) taken.push_back(latency(packet));
    }
    if (taken.empty()) continue;
    list.push_back({{"hops", hops},
                    {"packets", taken.size()},
                    {"mean", mean(taken)},
                    {"max", *std::max_element(taken.begin(), taken.end())}});
  }
  return list;
}

std::uint64_t samples(const Observed& seen) {
  return (seen.simulated_cycles() + kExtraSampling - 1) / kExtraSampling;
}

/// Lists every used buffer with its content in the samples.
Json buffers(const Observed& seen) {
  using Place = std::array<std::uint64_t, 3>;
  struct Counts {
    std::uint64_t held = 0;
    std::uint64_t most = 0;
    std::uint64_t stalled = 0;
  };
  std::map<Place, Counts> counts;
  for (std::uint64_t cycle = 0; cycle < seen.simulated_cycles(); cycle += kExtraSampling) {
    std::map<Place, std::vector<const FlitResidency*>> there;
    for (const FlitResidency& residency : residencies(seen)) {
      if (!is_there(residency, cycle)) continue;
      there[{index(residency.router), index(residency.port), index(residency.vc)}].push_back(
          &residency);
    }
    for (const auto& [place, flits] : there) {
      counts[place].held += flits.size();
      counts[place].most = std::max<std::uint64_t>(counts[place].most, flits.size());
      counts[place].stalled += index(flits.front()->left) > cycle ? 1 : 0;
    }
  }
  std::vector<std::pair<Place, Counts>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second.held > b.second.held; });
  Json list = Json::array();
  const auto share = [&](std::uint64_t of) {
    return static_cast<double>(of) / static_cast<double>(samples(seen));
  };
  for (const auto& [place, count] : order) {
    list.push_back({{"router", place[0]},
                    {"port", place[1]},
                    {"vc", place[2]},
                    {"mean", share(count.held)},
                    {"most", count.most},
                    {"stalled", share(count.stalled)}});
  }
  return list;
}

}  // namespace

std::string crowded_trace() {
  std::string csv = "cycle,src,dst,flits\n";
  for (std::uint64_t p = 0; p < 400; ++p) {
    const std::uint64_t drawn = p * 2654435761U % 4096;
    csv += std::to_string(p / 4) + "," + std::to_string(drawn % 16) + "," +
           std::to_string(p % 3 == 0 ? 5 : drawn / 16 % 16) + ",1\n";
  }
  return csv;
}

/// Loads of a mesh of 16 nodes at 2.5 GHz with flits of 16 bytes, 40 GB/s in all, from the log.
FigureGroup physical_load() {
  const auto latencies = [](const Observed& seen) {
    auto list =
        each(where(seen.log, [](const auto& p) { return p.created >= 100 && p.created < 600; }),
             latency);
    std::sort(list.begin(), list.end());
    return list;
  };
  const auto in_ns = [](const char* figure) {
    return [figure](const Observed& seen) {
      return Json(seen.result["latency_cycles"][figure].get<double>() * 0.4);
    };
  };
  const auto in_window = [](auto moment) {
    return [moment](const Observed& seen) {
      const Packets packets =
          where(seen.log, [&](const auto& p) { return moment(p) >= 100 && moment(p) < 600; });
      return Json(static_cast<double>(sum(packets, length)) * 16 / (500 * 0.4) / 16);
    };
  };
  return {
      {"{kind: mesh, sizes: [4, 4]}", "{kind: dimension_order}",
       "{kind: traffic, load: 4 GB/s, packet_length: 1}", "{warmup: 100, window: 500}",
       "clock: 2.5 GHz\nflit_width: 16 B"},
      {{"physical.clock_ghz", always(2.5)},
       {"physical.time_ns",
        [](const Observed& seen) {
          return Json(static_cast<double>(seen.simulated_cycles()) * 0.4);
        }},
       {"physical.latency_ns.mean",
        [latencies](const Observed& seen) { return Json(mean(latencies(seen)) * 0.4); }},
       {"physical.latency_ns.p50", in_ns("p50")},
       {"physical.latency_ns.p99", in_ns("p99")},
       {"physical.latency_ns.max",
        [latencies](const Observed& seen) {
          return Json(static_cast<double>(latencies(seen).back()) * 0.4);
        }},
       {"physical.offered_gb_per_s", in_window([](const LoggedPacket& p) { return p.created; })},
       {"physical.accepted_gb_per_s", in_window([](const LoggedPacket& p) { return p.arrived; })}}};
}

/// A sum of 512 bytes for each of 4 ranks at 2 GHz: a bus bandwidth of 2 * 3/4 of the bytes.
FigureGroup physical_sum() {
  const auto gb_per_s = [](double bytes) {
    return [bytes](const Observed& seen) {
      return Json(bytes / (static_cast<double>(seen.log.back().arrived + 1) * 0.5));
    };
  };
  return {{"{kind: ring, nodes: 4}", "{kind: dimension_order}",
           "{kind: collective, operation: all_reduce, algorithm: ring, length: 0.5 KiB}",
           "{watchdog: 2000}", "clock: 2 GHz\nflit_width: 8 B"},
          {{"physical.bytes", always(512.0)},
           {"physical.algorithm_gb_per_s", gb_per_s(512)},
           {"physical.bus_gb_per_s", gb_per_s(768)}}};
}

/// An all-reduce of flows, whose error is that of the 20 all-reduces among the cases.
FigureGroup flow_figures() {
  std::vector<double> errors;
  std::istringstream cases(kFlowCases);
  for (std::string line; std::getline(cases, line);) {
    if (line.rfind("all_reduce,", 0) != 0) continue;
    const std::size_t last = line.rfind(',');
    const double flows = std::stod(line.substr(last + 1));
    const double flits = std::stod(line.substr(line.rfind(',', last - 1) + 1));
    errors.push_back(std::abs(flows - flits) / flits * 100);
  }
  const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
  return {{"{kind: ring, nodes: 4}", "{kind: dimension_order}",
           "{kind: collective, operation: all_reduce, algorithm: ring}", "{watchdog: 2000}",
           "run: {level: flow}"},
          {{"flow.cases", always(20)},
           {"flow.mean_error_percent", always(sum / static_cast<double>(errors.size()))},
           {"flow.largest_error_percent", always(*std::max_element(errors.begin(), errors.end()))},
           // These are results of --both alone; see flow_level_test.cpp.
           {"flow.cycles", always(nullptr)},
           {"flow.error_percent", always(nullptr)}}};
}

FigureGroup extra_figures() {
  Experiment experiment;
  experiment.workload = "{kind: trace, format: csv, file: FOLDER/crowded.csv}";
  experiment.measure = "{series: 32, buffers: 5, fairness: true, distances: true}";
  experiment.more = "router: {virtual_channels: 1, buffer_depth: 2}";
  std::vector<FigureRow> rows{
      {"series.cycles", always(kExtraSpan)},
      {"series.last_cycles", always(kExtraSpan)},
      {"series.offered_flits_per_node_cycle",
       rate_in_spans([](const LoggedPacket& packet) { return packet.created; })},
      {"series.accepted_flits_per_node_cycle",
       rate_in_spans([](const LoggedPacket& packet) { return packet.arrived; })},
      {"series.latency_cycles", latencies_in_spans},
      {"series.flits_waiting", waiting_after_spans},
      {"series.flits_in_buffers", buffered},
      {"series.routers", buffered_by_router},
      {"links.series", series_of_links},
      {"accepted_flits_per_node_cycle.fairness", of_packets(fairness)},
      {"buffers.samples", [](const Observed& seen) { return Json(samples(seen)); }}};
  rows = rows_of_list("distances", distances, {"hops", "packets", "mean", "max"}, std::move(rows));
  rows = rows_of_list("buffers.vcs", buffers, {"router", "port", "vc", "mean", "most", "stalled"},
                      std::move(rows));
  return {experiment, std::move(rows)};
}

}  // namespace flitcast::program
