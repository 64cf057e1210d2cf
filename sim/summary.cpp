// SPDX-License-Identifier: Apache-2.0
#include "sim/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace flitcast {

namespace {

using nlohmann::ordered_json;

std::string text_of(const ordered_json& map, const char* key) {
  return map.at(key).get<std::string>();
}

/// "1 flit", "2 flits".
std::string counted(long count, const char* thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// "5 flits", "1 or 5 flits" or "1, 3 or 5 flits".
std::string lengths_text(const ordered_json& lengths) {
  std::string text;
  for (std::size_t l = 0; l + 1 < lengths.size(); ++l) {
    text += fmt::format("{}{}", lengths[l].get<long>(), l + 2 < lengths.size() ? ", " : " or ");
  }
  return text + counted(lengths.back().get<long>(), "flit");
}

/// "broadcast by ho_kao from node 0, chunks of 64 flits".
std::string collective_text(const ordered_json& workload) {
  const std::string source = workload.contains("source")
                                 ? fmt::format(" from node {}", workload.at("source").get<int>())
                                 : "";
  const bool barrier = workload.at("operation") == "barrier";
  const bool routers = workload.contains("forwarding") && workload.at("forwarding") == "routers";
  return fmt::format("{} by {}{}{}, {} of {}", text_of(workload, "operation"),
                     text_of(workload, "algorithm"), source, routers ? ", copied by routers" : "",
                     barrier ? "messages" : "chunks",
                     counted(barrier ? 1 : workload.at("length").get<long>(), "flit"));
}

std::string fan_out_text(long fan_out) {
  return fan_out == 0 ? "random multicasts"
                      : fmt::format("random multicasts to up to {} output switches", fan_out);
}

std::string workload_text(const ordered_json& workload) {
  if (workload.at("kind") == "collective") return collective_text(workload);
  if (workload.at("kind") == "trace") {
    return fmt::format("{} trace {}", text_of(workload, "format"), text_of(workload, "file"));
  }
  const std::string what = workload.at("kind") == "clos_requests"
                               ? fan_out_text(workload.at("fan_out").get<long>())
                               : text_of(workload, "pattern") + " traffic";
  return fmt::format("{} at {:g} flits per node and cycle, packets of {}", what,
                     workload.at("load").get<double>(), lengths_text(workload.at("packet_length")));
}

/// "wormhole routers with 4 VCs of 8 flits".
std::string router_text(const ordered_json& router) {
  const std::string kind = text_of(router, "kind");
  if (kind == "circuit") return "circuits set up by " + text_of(router, "controller");
  const char* const unit = kind == "store_and_forward" ? "packet" : "flit";
  return fmt::format("{} routers with {} of {}", kind,
                     counted(router.at("virtual_channels").get<long>(), "VC"),
                     counted(router.at("buffer_depth").get<long>(), unit));
}

std::string configuration_line(const ordered_json& result) {
  const ordered_json& config = result.at("config");
  return fmt::format("{}: {}, {} routing, {}, {}", text_of(result, "name"),
                     text_of(result.at("topology"), "name"), text_of(config.at("routing"), "kind"),
                     router_text(config.at("router")), workload_text(config.at("workload")));
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

/// "3 (lower bound 3: met), 127 transmissions, 0 duplicates".
std::string rounds_line(const ordered_json& collective) {
  const auto rounds = collective.at("rounds").get<long>();
  std::string verdict;
  if (collective.contains("lower_bound_rounds")) {
    const auto bound = collective.at("lower_bound_rounds").get<long>();
    verdict = fmt::format(" (lower bound {}: {})", bound,
                          rounds == bound ? "met" : fmt::format("missed by {}", rounds - bound));
  }
  return fmt::format("{}{}, {} transmissions, {} duplicates", rounds, verdict,
                     collective.at("transmissions").get<long>(),
                     collective.at("duplicates").get<long>());
}

// The analytic time is that of rounds which wait for each other.
std::string collective_line(const ordered_json& result) {
  const ordered_json& collective = result.at("collective");
  const std::string analytic =
      collective.contains("analytic_cycles")
          ? fmt::format("{} analytic", collective.at("analytic_cycles").get<long>())
          : "no analytic time";
  if (!collective.contains("cycles")) return "unfinished, " + analytic;
  const bool self_timed =
      result.at("config").at("workload").value("timing", "rounds") == "self_timed";
  return fmt::format("{} cycles measured{}, {}{}", collective.at("cycles").get<long>(),
                     self_timed ? ", self-timed" : "", analytic, self_timed ? " in rounds" : "");
}

std::string buffers_line(const ordered_json& buffers) {
  return fmt::format(
      "longest queue {} (Q), most packets waiting behind another in one router {} (H)",
      buffers.at("max_queue").get<long>(), buffers.at("max_held").get<long>());
}

std::string control_line(const ordered_json& control) {
  return fmt::format(
      "{} packets admitted, {} waited for outputs, {} for a path; {} passes at most",
      control.at("admitted").get<long>(), control.at("waited_for_outputs").get<long>(),
      control.at("waited_for_path").get<long>(), control.at("most_passes").get<long>());
}

std::string circuit_line(const ordered_json& circuit) {
  const ordered_json& waits = circuit.at("wait_cycles");
  return fmt::format(
      "{} set up, {} blocked, {} dropped; waited {} cycles for outputs, {} for the controller, {} "
      "for a path",
      circuit.at("granted").get<long>(), circuit.at("blocked").get<long>(),
      circuit.at("dropped").get<long>(), waits.at("outputs").get<long>(),
      waits.at("controller").get<long>(), waits.at("path").get<long>());
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
  if (result.contains("collective")) {
    line("rounds", rounds_line(result.at("collective")));
    line("collective", collective_line(result));
  } else {
    if (result.contains("latency_cycles")) line("latency", latency_line(result));
    if (result.contains("offered_flits_per_node_cycle")) line("load", load_line(result));
  }
  if (result.contains("hops_mean")) {
    line("hops", fmt::format("{:.3f} routers per packet", result.at("hops_mean").get<double>()));
  }
  if (result.contains("links") && !result.at("links").empty()) {
    line("links", links_line(result.at("links")));
  }
  if (result.contains("buffers")) line("buffers", buffers_line(result.at("buffers")));
  if (result.contains("control")) line("control", control_line(result.at("control")));
  if (result.contains("circuit")) line("circuits", circuit_line(result.at("circuit")));
  line("checksum", result.at("checksum").get<std::string>());
  line("speed", speed_line(result));
  return text;
}

}  // namespace flitcast
