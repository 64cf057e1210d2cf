// SPDX-License-Identifier: Apache-2.0
#include "sim/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitcast {

namespace {

using nlohmann::ordered_json;

/// "5" or "1, 5".
std::string list(const ordered_json& numbers) {
  const std::string text = numbers.dump();
  return text.substr(1, text.size() - 2);
}

std::string workload_line(const ordered_json& workload) {
  if (workload.at("kind") == "trace") {
    return fmt::format("{} trace {}", workload.at("format").get<std::string>(),
                       workload.at("file").get<std::string>());
  }
  return fmt::format("{} traffic at {:g} flits per node and cycle, packets of {} flits",
                     workload.at("pattern").get<std::string>(), workload.at("load").get<double>(),
                     list(workload.at("packet_length")));
}

std::string configuration_line(const ordered_json& result) {
  const ordered_json& config = result.at("config");
  const ordered_json& router = config.at("router");
  return fmt::format("{}: {}, {} routing, {} routers with {} VCs of {} flits, {}",
                     result.at("name").get<std::string>(),
                     result.at("topology").at("name").get<std::string>(),
                     config.at("routing").at("kind").get<std::string>(),
                     router.at("kind").get<std::string>(), router.at("virtual_channels").get<int>(),
                     router.at("buffer_depth").get<int>(), workload_line(config.at("workload")));
}

std::string links_line(const ordered_json& links) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t l = 0; l < std::min(links.size(), kShown); ++l) {
    text += fmt::format("{}{} -> {} {:.1f} %", l == 0 ? "" : ", ", links[l].at("from").get<int>(),
                        links[l].at("to").get<int>(), 100 * links[l].at("load").get<double>());
  }
  return text;
}

std::string latency_line(const ordered_json& result) {
  const ordered_json& latency = result.at("latency_cycles");
  return fmt::format("mean {:.2f}  p50 {}  p95 {}  p99 {}  max {} cycles; in the network {:.2f}",
                     latency.at("mean").get<double>(), latency.at("p50").get<long>(),
                     latency.at("p95").get<long>(), latency.at("p99").get<long>(),
                     latency.at("max").get<long>(),
                     result.at("network_latency_cycles").at("mean").get<double>());
}

std::string load_line(const ordered_json& result) {
  const ordered_json& accepted = result.at("accepted_flits_per_node_cycle");
  return fmt::format("offered {:.4f}, accepted {:.4f} (worst node {:.4f}) flits per node and cycle",
                     result.at("offered_flits_per_node_cycle").get<double>(),
                     accepted.at("mean").get<double>(), accepted.at("worst_node").get<double>());
}

std::string speed_line(const ordered_json& result) {
  const auto seconds = std::max(result.at("wall_seconds").get<double>(), 1e-9);
  const auto hops = result.at("flits").at("hops").get<double>();
  return fmt::format("{:.0f} cycles per second, {:.2f} million flit-hops per second",
                     result.at("cycles").get<double>() / seconds, hops / seconds / 1e6);
}

}  // namespace

std::string summary(const ordered_json& result) {
  const ordered_json& packets = result.at("packets");
  std::string text = configuration_line(result) + "\n";
  const auto line = [&text](const char* label, const std::string& value) {
    text += fmt::format("  {:<10} {}\n", label, value);
  };
  const bool complete = result.at("complete").get<bool>();
  line("status", fmt::format("{}{} after {} cycles", result.at("status").get<std::string>(),
                             complete ? "" : ", partial result", result.at("cycles").get<long>()));
  line("packets", fmt::format("{} created, {} delivered", packets.at("created").get<long>(),
                              packets.at("delivered").get<long>()));
  if (result.contains("latency_cycles")) line("latency", latency_line(result));
  if (result.contains("offered_flits_per_node_cycle")) line("load", load_line(result));
  if (result.contains("hops_mean")) {
    line("hops", fmt::format("{:.3f} routers per packet", result.at("hops_mean").get<double>()));
  }
  if (result.contains("links") && !result.at("links").empty()) {
    line("links", links_line(result.at("links")));
  }
  line("checksum", result.at("checksum").get<std::string>());
  line("speed", speed_line(result));
  return text;
}

}  // namespace flitcast
