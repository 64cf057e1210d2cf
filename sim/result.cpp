// SPDX-License-Identifier: Apache-2.0
#include "sim/result.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace flitcast {

namespace {

using nlohmann::ordered_json;

ordered_json latency_json(const LatencyProbe& latency) {
  const Histogram& cycles = latency.packet_latency();
  ordered_json json{{"mean", cycles.mean()},        {"p50", cycles.quantile(0.5)},
                    {"p95", cycles.quantile(0.95)}, {"p99", cycles.quantile(0.99)},
                    {"max", cycles.max()},          {"count", cycles.count()}};
  if (const auto half_width = latency.batches().half_width()) {
    json["mean_half_width_95"] = *half_width;
  }
  cycles.for_each_bucket([&](std::uint64_t upper, std::uint64_t count) {
    json["histogram"][std::to_string(upper)] = count;
  });
  return json;
}

ordered_json links_json(const Measurement& measurement, const Model& model) {
  ordered_json links = ordered_json::array();
  for (std::size_t l = 0; l < std::min(measurement.links.size(), kMostLinks); ++l) {
    const LinkLoad& link = measurement.links[l];
    const Channel& channel = model.topology().channels()[link.channel];
    links.push_back({{"from", index(channel.from.router)},
                     {"port", index(channel.from.port)},
                     {"to", index(channel.to.router)},
                     {"flits", link.flits},
                     {"load", link.load}});
  }
  return links;
}

/// How packets entered a Clos network under central control.
ordered_json control_json(const ClosControl& control) {
  const ClosControl::Totals& totals = control.totals();
  return {{"admitted", totals.admitted},
          {"waited_for_outputs", totals.waited_for_outputs},
          {"waited_for_path", totals.waited_for_path},
          {"most_passes", totals.most_passes}};
}

ordered_json deadlock_json(const std::vector<BlockedVc>& circle) {
  ordered_json json = ordered_json::array();
  for (const BlockedVc& vc : circle) {
    json.push_back({{"router", index(vc.router)},
                    {"port", index(vc.input)},
                    {"vc", index(vc.vc)},
                    {"packet", index(vc.packet)},
                    {"destination", index(vc.destination)}});
  }
  return json;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

/// What was measured in the window, as far as the run has come to it.
void add_window(ordered_json& json, const Measurement& measurement, const Model& model) {
  const LatencyProbe& latency = measurement.packets->latency();
  if (latency.count() > 0) {
    json["latency_cycles"] = latency_json(latency);
    json["network_latency_cycles"] = {{"mean", latency.network_latency().mean()}};
  }
  if (measurement.loads) {
    json["offered_flits_per_node_cycle"] = measurement.loads->offered;
    json["accepted_flits_per_node_cycle"] = {{"mean", measurement.loads->accepted},
                                             {"worst_node", measurement.loads->worst_node}};
  }
  if (latency.count() > 0) json["hops_mean"] = latency.mean_hops();
  if (measurement.loads) json["links"] = links_json(measurement, model);
}

}  // namespace

ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                     const Model& model, double wall_seconds) {
  const RegionProbe& packets = *measurement.packets;
  ordered_json json;
  json["name"] = configuration.name();
  json["version"] = FLITCAST_VERSION;
  json["seed"] = configuration.seed();
  json["id"] = configuration.id();
  json["config"] = configuration.effective();
  json["topology"] = {{"name", model.topology().name()},
                      {"nodes", model.topology().node_count()},
                      {"routers", model.topology().router_count()},
                      {"channels", model.topology().channels().size()}};
  json["status"] = to_text(measurement.status);
  json["complete"] = measurement.complete();
  json["cycles"] = measurement.cycles;
  json["window_cycles"] = measurement.window_cycles;
  if (const auto cycle = model.workload->completion_cycle(packets.last_arrival())) {
    json["completion_cycle"] = *cycle;
  }
  json["packets"] = {{"created", measurement.totals.packets_created},
                     {"delivered", measurement.totals.packets_delivered}};
  json["flits"] = {{"injected", measurement.totals.flits_injected},
                   {"ejected", measurement.totals.flits_ejected},
                   {"hops", measurement.flit_hops}};
  add_window(json, measurement, model);
  model.workload->add_figures(json);
  json.update(measurement.figures);
  if (model.control() != nullptr) json["control"] = control_json(*model.control());
  if (!measurement.circle.empty()) json["deadlock"] = deadlock_json(measurement.circle);
  json["checksum"] = packets.checksum().text();
  json["wall_seconds"] = wall_seconds;
  json["host"] = host_name();
  return json;
}

}  // namespace flitcast
