// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "config/wording.h"
#include "sim/results/result.h"
#include "topology/channel_numbering.h"

namespace flitcast {

namespace {

using nlohmann::ordered_json;

std::uint64_t number(const ordered_json& group, const char* figure) {
  return group.at(figure).get<std::uint64_t>();
}

/// "wormhole routers with 4 VCs of 8 flits".
std::string router_text(const Section& router, const RouterEntry& kind) {
  if (!kind.can.has_buffers) return "circuits set up by " + router.text("controller");
  const char* const unit = kind.can.unit == BufferUnit::kPacket ? "packet" : "flit";
  return fmt::format("{} routers with {} of {}", kind.name,
                     counted(router.integer("virtual_channels"), "VC"),
                     counted(router.integer("buffer_depth"), unit));
}

std::string configuration_line(const Configuration& configuration, const Model& model) {
  return visible(fmt::format("{}: {}, {} routing, {}, {}{}", configuration.name(),
                             model.topology().name(), configuration.section("routing").text("kind"),
                             router_text(configuration.section("router"), *model.network.router),
                             model.workload->text(), model.interface->text()));
}

std::string status_line(const Measurement& measurement) {
  return fmt::format("{}{} after {} cycles", to_text(measurement.verdict.status),
                     measurement.complete() ? "" : ", partial result", measurement.cycles);
}

/// A multicast counts once when it is created, and once for each receiver afterwards.
std::string packets_line(const Totals& totals) {
  if (totals.receivers_combined != 0) {
    return fmt::format("{} created, combined by routers, {} delivered", totals.packets_created,
                       totals.packets_delivered);
  }
  if (totals.receivers == totals.packets_created) {
    return fmt::format("{} created, {} delivered", totals.packets_created,
                       totals.packets_delivered);
  }
  return fmt::format("{} created for {} receivers, {} copies delivered", totals.packets_created,
                     totals.receivers, totals.packets_delivered);
}

std::string links_line(const Measurement& measurement, const Model& model) {
  constexpr std::size_t kShown = 4;
  const ChannelNumbering channels(model.topology());
  std::string text;
  for (std::size_t l = 0; l < std::min(measurement.links.size(), kShown); ++l) {
    const LinkLoad& link = measurement.links[l];
    text += fmt::format("{}{} {:.1f} %", l == 0 ? "" : ", ", channels.name(link.channel),
                        100 * link.load);
  }
  return text;
}

std::string latency_line(const LatencyProbe& latency) {
  const Histogram& cycles = latency.packet_latency();
  const std::optional<double> half_width = latency.batches().half_width();
  return fmt::format("mean {:.2f}{}  p50 {}  p95 {}  p99 {}  max {} cycles; in the network {:.2f}",
                     cycles.mean(), half_width ? fmt::format(" +- {:.2f}", *half_width) : "",
                     cycles.quantile(0.5), cycles.quantile(0.95), cycles.quantile(0.99),
                     cycles.max(), latency.network_latency().mean());
}

/// "+12 flits; most of node 3 (+8), for node 5 (+4), from 3 to 5 (+4)".
std::string backlog_line(const QueueGrowth::Growth& growth) {
  std::string text = fmt::format("{:+} flits in the window; worst of node {} ({:+})",
                                 growth.whole.growth, growth.source.node, growth.source.growth);
  if (growth.destination) {
    text +=
        fmt::format(", for node {} ({:+})", growth.destination->node, growth.destination->growth);
  }
  if (growth.flow) {
    text += fmt::format(", from {} to {} ({:+})", growth.flow->source, growth.flow->destination,
                        growth.flow->growth);
  }
  return text;
}

std::string load_line(const Loads& loads) {
  return fmt::format("offered {:.4f}, accepted {:.4f} (worst node {:.4f}) flits per node and cycle",
                     loads.offered, loads.accepted, loads.worst_node);
}

/// "read: offered 0.0500, accepted 0.0499; mean 23.41  p50 21  p95 40  p99 51  max 80 cycles".
std::string class_line(const ClassCount& one) {
  const double cycles = std::max(one.node_cycles, 1.0);
  std::string text =
      fmt::format("{}: offered {:.4f}, accepted {:.4f} flits per node and cycle", one.name,
                  static_cast<double>(one.packets.flits_offered()) / cycles,
                  static_cast<double>(one.packets.flits_accepted()) / cycles);
  const LatencyProbe& latency = one.packets.latency();
  return latency.count() == 0 ? text : text + "; " + latency_line(latency);
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

/// Latencies and loads, or the lines of the workload in their place.
std::vector<SummaryLine> workload_lines(const Measurement& measurement, const Model& model) {
  std::vector<SummaryLine> lines = model.workload->summary();
  if (!lines.empty()) return lines;
  const LatencyProbe& latency = measurement.packets->latency();
  if (latency.count() > 0) lines.emplace_back("latency", latency_line(latency));
  if (measurement.loads) lines.emplace_back("load", load_line(*measurement.loads));
  for (const ClassCount& one : measurement.classes) lines.emplace_back("class", class_line(one));
  if (model.capacity) lines.emplace_back("capacity", to_text(*model.capacity, model.topology()));
  if (measurement.growth) lines.emplace_back("backlog", backlog_line(*measurement.growth));
  for (SummaryLine& line : model.workload->more_summary()) lines.push_back(std::move(line));
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
  if (measurement.energy) lines.emplace_back("energy", energy_line(*measurement.energy));
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
  add({{"status", status_line(measurement)}});
  if (!measurement.verdict.reason.empty()) add({{"reason", measurement.verdict.reason}});
  add({{"packets", packets_line(measurement.totals)}});
  add(workload_lines(measurement, model));
  add(network_lines(measurement, model));
  add({{"checksum", measurement.packets->checksum().text()},
       {"speed", speed_line(measurement, wall_seconds)}});
  return text;
}

}  // namespace flitcast
