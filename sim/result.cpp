// SPDX-License-Identifier: Apache-2.0
#include "sim/result.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace flitcast {

namespace {

using nlohmann::ordered_json;

double ratio(std::uint64_t part, double whole) {
  return whole > 0 ? static_cast<double>(part) / whole : 0;
}

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
  const double capacity = static_cast<double>(measurement.window_cycles) /
                          static_cast<double>(model.params.cycles_per_flit);
  for (std::size_t l = 0; l < std::min(measurement.links.size(), kMostLinks); ++l) {
    const LinkLoad& link = measurement.links[l];
    const Channel& channel = model.topology->channels()[link.channel];
    links.push_back({{"from", index(channel.from.router)},
                     {"port", index(channel.from.port)},
                     {"to", index(channel.to.router)},
                     {"flits", link.flits},
                     {"load", ratio(link.flits, capacity)}});
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
  if (measurement.window_cycles > 0) {
    const auto window = static_cast<double>(measurement.window_cycles);
    const double node_cycles = static_cast<double>(model.topology->node_count()) * window;
    json["offered_flits_per_node_cycle"] = ratio(measurement.window.flits_created, node_cycles);
    json["accepted_flits_per_node_cycle"] = {
        {"mean", ratio(measurement.window.flits_ejected, node_cycles)},
        {"worst_node", ratio(measurement.worst_node_flits, window)}};
  }
  if (latency.count() > 0) json["hops_mean"] = latency.mean_hops();
  if (measurement.window_cycles > 0) json["links"] = links_json(measurement, model);
}

}  // namespace

ordered_json schedule_json(const CollectiveWorkload& workload) {
  const Judgement& judgement = workload.judgement;
  ordered_json json{
      {"algorithm", workload.algorithm},
      {"rounds", judgement.rounds},
      {"transmissions", judgement.transmissions},
      {"duplicates", judgement.duplicates},
      {"lower_bound_rounds", workload.bound.rounds},
      {"lower_bound_reason", workload.bound.reason},
      {"new_per_round", judgement.new_per_round},
      {"longest_path_per_round", judgement.longest_path_per_round},
      {"cost_cycles",
       {{"ts", workload.cost.startup}, {"td", workload.cost.hop}, {"tm", workload.cost.flit}}}};
  if (workload.analytic_cycles) json["analytic_cycles"] = *workload.analytic_cycles;
  return json;
}

ordered_json schedule_json(const RoundWorkload& workload) {
  const RoundJudgement& judgement = workload.judgement;
  ordered_json json{{"algorithm", workload.algorithm},
                    {"rounds", judgement.rounds},
                    {"transmissions", judgement.messages},
                    {"receipts", judgement.receipts},
                    {"duplicates", judgement.duplicates},
                    {"lower_bound_rounds", workload.claim.bound.rounds},
                    {"lower_bound_reason", workload.claim.bound.reason},
                    {"new_per_round", judgement.new_per_round}};
  if (workload.analytic_cycles) json["analytic_cycles"] = *workload.analytic_cycles;
  return json;
}

ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                     const Model& model, double wall_seconds) {
  const RegionProbe& packets = *measurement.packets;
  const bool complete =
      measurement.status != Status::kStopped && measurement.status != Status::kDeadlock;
  ordered_json json;
  json["name"] = configuration.name();
  json["version"] = FLITCAST_VERSION;
  json["seed"] = configuration.seed();
  json["id"] = configuration.id();
  json["config"] = configuration.effective();
  json["topology"] = {{"name", model.topology->name()},
                      {"nodes", model.topology->node_count()},
                      {"routers", model.topology->router_count()},
                      {"channels", model.topology->channels().size()}};
  json["status"] = to_text(measurement.status);
  json["complete"] = complete;
  json["cycles"] = measurement.cycles;
  json["window_cycles"] = measurement.window_cycles;
  if (model.trace != nullptr) json["completion_cycle"] = index(packets.last_arrival());
  if (model.player != nullptr && model.player->finished()) {
    json["completion_cycle"] = model.player->cycles();
  }
  json["packets"] = {{"created", measurement.totals.packets_created},
                     {"delivered", measurement.totals.packets_delivered}};
  json["flits"] = {{"injected", measurement.totals.flits_injected},
                   {"ejected", measurement.totals.flits_ejected},
                   {"hops", measurement.flit_hops}};
  add_window(json, measurement, model);
  if (model.player != nullptr) {
    json["collective"] =
        model.rounds != nullptr ? schedule_json(*model.rounds) : schedule_json(*model.collective);
    if (model.player->finished()) json["collective"]["cycles"] = model.player->cycles();
  }
  json.update(measurement.figures);
  if (model.control != nullptr) json["control"] = control_json(*model.control);
  if (!measurement.circle.empty()) json["deadlock"] = deadlock_json(measurement.circle);
  json["checksum"] = packets.checksum().text();
  json["wall_seconds"] = wall_seconds;
  json["host"] = host_name();
  return json;
}

}  // namespace flitcast
