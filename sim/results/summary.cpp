// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/results/result.h"
#include "topology/channel_numbering.h"

namespace flitcast {

namespace {

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
const char* packets_pattern(const Totals& totals) {
  if (totals.receivers_combined != 0) {
    return "{packets.created} created, combined by routers, {packets.delivered} delivered";
  }
  if (totals.receivers == totals.packets_created) {
    return "{packets.created} created, {packets.delivered} delivered";
  }
  return "{packets.created} created for {packets.copies} receivers, {packets.delivered} copies "
         "delivered";
}

std::string links_line(const Measurement& measurement, const Model& model) {
  constexpr std::size_t kShown = 4;
  const ChannelNumbering channels(model.topology());
  return joined(tabulated(std::min(measurement.links.size(), kShown), [&](std::size_t place) {
    const LinkLoad& link = measurement.links[place];
    return fmt::format("{} {:.1f} %", channels.name(link.channel), 100 * link.load);
  }));
}

constexpr const char* kLatency =
    "mean {latency_cycles.mean:.2f}[ +- {latency_cycles.mean_half_width_95:.2f}]"
    "[ (+- unknown: {latency_cycles.half_width_unknown}, relaxation time "
    "{latency_cycles.relaxation_cycles:.0f} cycles; set measure.window to "
    "{latency_cycles.sufficient_window})]  "
    "p50 {latency_cycles.p50}  p95 {latency_cycles.p95}  p99 {latency_cycles.p99}  "
    "max {latency_cycles.max} cycles; in the network {network_latency_cycles.mean:.2f}";

/// "read: offered 0.0500, accepted 0.0499; mean 23.41  p50 21  p95 40  p99 51  max 80 cycles".
std::string class_line(const ClassCount& one, const ordered_json& figures) {
  const double cycles = std::max(one.node_cycles, 1.0);
  return fmt::format("{}: offered {:.4f}, accepted {:.4f} flits per node and cycle{}", one.name,
                     static_cast<double>(one.packets.flits_offered()) / cycles,
                     static_cast<double>(one.packets.flits_accepted()) / cycles,
                     text_of_figures(std::string("; ") + kLatency, figures).value_or(""));
}

std::string speed_line(const Measurement& measurement, double wall_seconds) {
  const double seconds = std::max(wall_seconds, 1e-9);
  return fmt::format("{:.0f} cycles per second, {:.2f} million flit-hops per second",
                     static_cast<double>(measurement.cycles) / seconds,
                     static_cast<double>(measurement.flit_hops) / seconds / 1e6);
}

/// Collects the lines of a summary.
struct Lines {
  const ordered_json& result;
  std::string text;

  void add(const SummaryLine& line) {
    text += fmt::format("  {:<10} {}\n", line.first, line.second);
  }
  void add(const std::vector<SummaryLine>& lines) {
    for (const SummaryLine& line : lines) add(line);
  }
  /// Adds a line of figures, if the result has them.
  void add_figures(const char* label, const char* pattern) {
    if (const auto line = text_of_figures(pattern, result)) add({label, *line});
  }
};

/// Latencies and loads, or the lines of the workload in their place.
void add_workload(const Measurement& measurement, const Model& model, Lines& lines) {
  const std::vector<SummaryLine> own = model.workload->summary();
  if (!own.empty()) return lines.add(own);
  lines.add_figures("latency", kLatency);
  lines.add_figures(
      "load",
      "offered {offered_flits_per_node_cycle:.4f}, accepted "
      "{accepted_flits_per_node_cycle.mean:.4f} "
      "(worst node {accepted_flits_per_node_cycle.worst_node:.4f}) flits per node and cycle");
  for (std::size_t c = 0; c < measurement.classes.size(); ++c) {
    lines.add({"class", class_line(measurement.classes[c], lines.result.at("classes")[c])});
  }
  if (model.capacity) lines.add({"capacity", to_text(*model.capacity, model.topology())});
  lines.add_figures(
      "backlog",
      "{backlog.growth:+} flits in the window; worst of node {backlog.source.node} "
      "({backlog.source.growth:+})"
      "[, for node {backlog.destination.node} ({backlog.destination.growth:+})]"
      "[, from {backlog.flow.source} to {backlog.flow.destination} ({backlog.flow.growth:+})]");
  lines.add(model.workload->more_summary());
}

/// A figure in the format that follows its name: "cycles:>8".
std::optional<std::string> text_of_figure(const std::string& field, const ordered_json& result) {
  const std::size_t colon = std::min(field.find(':'), field.size());
  const ordered_json value = figure_at(result, field.substr(0, colon));
  const std::string format = "{" + field.substr(colon) + "}";
  if (value.is_null()) return std::nullopt;
  if (value.is_string()) return fmt::format(fmt::runtime(format), value.get<std::string>());
  if (value.is_number_float()) return fmt::format(fmt::runtime(format), value.get<double>());
  return fmt::format(fmt::runtime(format), value.get<std::int64_t>());
}

}  // namespace

std::optional<std::string> text_of_figures(const std::string& pattern, const ordered_json& result) {
  std::string text;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t next = std::min(pattern.find_first_of("[{", at), pattern.size());
    text += pattern.substr(at, next - at);
    if (next == pattern.size()) break;
    const bool optional = pattern[next] == '[';
    const std::size_t end = pattern.find(optional ? ']' : '}', next);
    const std::string inner = pattern.substr(next + 1, end - next - 1);
    const auto filled = optional ? text_of_figures(inner, result) : text_of_figure(inner, result);
    if (!filled && !optional) return std::nullopt;
    text += filled.value_or("");
    at = end + 1;
  }
  return text;
}

std::string summary(const ordered_json& result, const Measurement& measurement,
                    const Configuration& configuration, const Model& model) {
  Lines lines{result, configuration_line(configuration, model) + "\n"};
  lines.add({"status", status_line(measurement)});
  lines.add_figures("reason", "{reason}");
  lines.add_figures("estimate",
                    "of flows; in {flow.cases} cases {flow.mean_error_percent:.1f} % from the "
                    "cycles of flits on average, {flow.largest_error_percent:.1f} % at most");
  lines.add_figures("flows", "{flow.cycles} cycles at the flow level, {flow.error_percent:+.2f} %");
  lines.add_figures("packets", packets_pattern(measurement.totals));
  add_workload(measurement, model, lines);
  lines.add_figures("hops", "{hops_mean:.3f} routers per packet");
  if (measurement.loads && !measurement.links.empty()) {
    lines.add({"links", links_line(measurement, model)});
  }
  lines.add_figures(
      "buffers",
      "longest queue {buffers.max_queue} (Q), most packets waiting behind another in one router "
      "{buffers.max_held} (H)");
  lines.add_figures(
      "control",
      "{control.admitted} packets admitted, {control.waited_for_outputs} waited for outputs, "
      "{control.waited_for_path} for a path; {control.most_passes} passes at most");
  if (measurement.energy) lines.add({"energy", energy_line(*measurement.energy)});
  lines.add_figures(
      "circuits",
      "{circuit.granted} set up, {circuit.blocked} blocked, {circuit.dropped} dropped; waited "
      "{circuit.wait_cycles.outputs} cycles for outputs, {circuit.wait_cycles.controller} for the "
      "controller, {circuit.wait_cycles.path} for a path");
  lines.add_figures(
      "physical",
      "{physical.clock_ghz:g} GHz, {physical.time_ns:.6g} ns[; latency mean "
      "{physical.latency_ns.mean:.5g} p50 {physical.latency_ns.p50:.5g} p99 "
      "{physical.latency_ns.p99:.5g} max {physical.latency_ns.max:.5g} ns][; offered "
      "{physical.offered_gb_per_s:.4g} and accepted {physical.accepted_gb_per_s:.4g} GB/s per node]"
      "[; {physical.bytes:.12g} bytes, algorithm {physical.algorithm_gb_per_s:.4g}, bus "
      "{physical.bus_gb_per_s:.4g} GB/s]");
  lines.add_figures("checksum", "{checksum}");
  lines.add({"speed", speed_line(measurement, result.at("wall_seconds").get<double>())});
  return std::move(lines.text);
}

}  // namespace flitcast
