// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "sim/measurement.h"

namespace flitcast {

namespace {

using nlohmann::ordered_json;

std::uint64_t number(const ordered_json& group, const char* figure) {
  return group.at(figure).get<std::uint64_t>();
}

/// "wormhole routers with 4 VCs of 8 flits".
std::string router_text(const Section& router, const RouterEntry& kind) {
  if (!kind.unit) return "circuits set up by " + router.text("controller");
  const char* const unit = kind.unit == BufferUnit::kPacket ? "packet" : "flit";
  return fmt::format("{} routers with {} of {}", kind.name,
                     counted(router.integer("virtual_channels"), "VC"),
                     counted(router.integer("buffer_depth"), unit));
}

std::string configuration_line(const Configuration& configuration, const Model& model) {
  return fmt::format("{}: {}, {} routing, {}, {}", configuration.name(), model.topology().name(),
                     configuration.section("routing").text("kind"),
                     router_text(configuration.section("router"), *model.network.router),
                     model.workload->text());
}

std::string status_line(const Measurement& measurement) {
  return fmt::format("{}{} after {} cycles", to_text(measurement.status),
                     measurement.complete() ? "" : ", partial result", measurement.cycles);
}

std::string links_line(const Measurement& measurement, const Model& model) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t l = 0; l < std::min(measurement.links.size(), kShown); ++l) {
    const LinkLoad& link = measurement.links[l];
    const Channel& channel = model.topology().channels()[link.channel];
    text += fmt::format("{}{} -> {} {:.1f} %", l == 0 ? "" : ", ", index(channel.from.router),
                        index(channel.to.router), 100 * link.load);
  }
  return text;
}

std::string latency_line(const LatencyProbe& latency) {
  const Histogram& cycles = latency.packet_latency();
  return fmt::format("mean {:.2f}  p50 {}  p95 {}  p99 {}  max {} cycles; in the network {:.2f}",
                     cycles.mean(), cycles.quantile(0.5), cycles.quantile(0.95),
                     cycles.quantile(0.99), cycles.max(), latency.network_latency().mean());
}

std::string load_line(const Loads& loads) {
  return fmt::format("offered {:.4f}, accepted {:.4f} (worst node {:.4f}) flits per node and cycle",
                     loads.offered, loads.accepted, loads.worst_node);
}

std::string buffers_line(const ordered_json& buffers) {
  return fmt::format(
      "longest queue {} (Q), most packets waiting behind another in one router {} (H)",
      number(buffers, "max_queue"), number(buffers, "max_held"));
}

std::string control_line(const PacketAdmission::Totals& control) {
  return fmt::format("{} packets admitted, {} waited for outputs, {} for a path; {} passes at most",
                     control.admitted, control.waited_for_outputs, control.waited_for_path,
                     control.most_passes);
}

std::string circuit_line(const ordered_json& circuit) {
  const ordered_json& waits = circuit.at("wait_cycles");
  return fmt::format(
      "{} set up, {} blocked, {} dropped; waited {} cycles for outputs, {} for the controller, {} "
      "for a path",
      number(circuit, "granted"), number(circuit, "blocked"), number(circuit, "dropped"),
      number(waits, "outputs"), number(waits, "controller"), number(waits, "path"));
}

std::string speed_line(const Measurement& measurement, double wall_seconds) {
  const double seconds = std::max(wall_seconds, 1e-9);
  return fmt::format("{:.0f} cycles per second, {:.2f} million flit-hops per second",
                     static_cast<double>(measurement.cycles) / seconds,
                     static_cast<double>(measurement.flit_hops) / seconds / 1e6);
}

/// Latencies and loads, or what the workload tells instead.
std::vector<SummaryLine> workload_lines(const Measurement& measurement, const Model& model) {
  std::vector<SummaryLine> lines = model.workload->summary();
  if (!lines.empty()) return lines;
  const LatencyProbe& latency = measurement.packets->latency();
  if (latency.count() > 0) lines.emplace_back("latency", latency_line(latency));
  if (measurement.loads) lines.emplace_back("load", load_line(*measurement.loads));
  return lines;
}

std::vector<SummaryLine> network_lines(const Measurement& measurement, const Model& model) {
  std::vector<SummaryLine> lines;
  const LatencyProbe& latency = measurement.packets->latency();
  if (latency.count() > 0) {
    lines.emplace_back("hops", fmt::format("{:.3f} routers per packet", latency.mean_hops()));
  }
  if (measurement.loads && !measurement.links.empty()) {
    lines.emplace_back("links", links_line(measurement, model));
  }
  const ordered_json& figures = measurement.figures;
  if (figures.contains("buffers")) {
    lines.emplace_back("buffers", buffers_line(figures.at("buffers")));
  }
  if (model.control() != nullptr) {
    lines.emplace_back("control", control_line(model.control()->totals()));
  }
  if (figures.contains("circuit")) {
    lines.emplace_back("circuits", circuit_line(figures.at("circuit")));
  }
  return lines;
}

}  // namespace

std::string summary(const Measurement& measurement, const Configuration& configuration,
                    const Model& model, double wall_seconds) {
  std::string text = configuration_line(configuration, model) + "\n";
  const auto add = [&text](const std::vector<SummaryLine>& lines) {
    for (const auto& [label, line] : lines) text += fmt::format("  {:<10} {}\n", label, line);
  };
  add({{"status", status_line(measurement)},
       {"packets", fmt::format("{} created, {} delivered", measurement.totals.packets_created,
                               measurement.totals.packets_delivered)}});
  add(workload_lines(measurement, model));
  add(network_lines(measurement, model));
  add({{"checksum", measurement.packets->checksum().text()},
       {"speed", speed_line(measurement, wall_seconds)}});
  return text;
}

}  // namespace flitcast
