// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/figures.h"
#include "network/check/inspection.h"
#include "network/fabric/fabric.h"
#include "network/router_entry.h"

namespace flitcast {

namespace {

void fit_sizes(const FitContext& context) {
  const Topology& topology = context.topology;
  const std::size_t ports = most_ports(topology);
  if (context.params.unit() == BufferUnit::kPacket && has_widths_of_its_own(topology)) {
    context.refuse("router", "kind",
                   fmt::format("routers that keep packets need links alike, and {} has some with a "
                               "cycles_per_flit of their own",
                               topology.name()),
                   "use wormhole or virtual_cut_through, or give link.cycles_per_flit for all");
  }
  if (FabricPlan::fits(topology, context.params.router)) return;
  if (ports > kMaxPorts) {
    return context.refuse("topology", "kind",
                          fmt::format("a router of {} has {} ports, and the widest has {}",
                                      topology.name(), ports, kMaxPorts),
                          "use a network with fewer ports per router; circuits have no such limit");
  }
  context.refuse(
      "router", "virtual_channels",
      fmt::format("{} virtual channels at each port are too many for the widest router of {}",
                  context.params.router.virtual_channels, topology.name()),
      "use fewer virtual channels, or a topology with fewer ports per router");
}

/// Router options require a routing that sends each packet by one output.
void refuse_options(const FitContext& context) {
  const std::string key = key_of_option(context.params.router.options);
  const std::string routing = context.kind("routing");
  if (context.routing->reductions() != 0) {
    return context.refuse(
        "router", key, "routers with this option do not combine packets",
        "leave router." + key + " out, or let nodes combine (workload.forwarding, algorithm)");
  }
  const std::string what = context.routing->multicast()
                               ? "send the copies that " + routing + " makes"
                               : "choose among the outputs that " + routing + " offers";
  context.refuse(
      "router", key, "routers with this option cannot " + what,
      "leave router." + key + " out, or use a routing by which every packet has one way");
}

void fit_routing(const FitContext& context) {
  if (context.routing == nullptr) return;
  if (context.params.cores->take(output_mode_of(*context.routing))) return;
  if (context.params.router.options.any()) return refuse_options(context);
  if (context.routing->reductions() != 0) {
    return context.refuse("router", "kind",
                          context.kind("router") + " routers do not combine packets",
                          "use wormhole or virtual_cut_through, or let nodes combine "
                          "(workload.forwarding, algorithm)");
  }
  context.refuse("router", "kind",
                 fmt::format("{} routers cannot choose among the outputs that {} offers",
                             context.kind("router"), context.kind("routing")),
                 "use wormhole or virtual_cut_through, or a routing that offers one");
}

// A packet longer than a buffer would wait for its credits forever.
void fit_packets(const FitContext& context) {
  const RouterParams& params = context.params.router;
  const std::uint32_t longest = context.longest_packet.value_or(0);
  if (!params.whole_packet_credit) return;
  if (buffer_depths(context.topology, params).first < params.buffer_depth) {
    const bool by_class = context.configuration.section("link").given("classes");
    context.refuse("link", by_class ? "classes" : "exceptions",
                   "packets as long as router.buffer_depth would not fit behind each channel",
                   fmt::format("make each buffer_depth there at least {}", params.buffer_depth));
  }
  if (longest <= params.buffer_depth) return;
  context.refuse("router", "buffer_depth",
                 fmt::format("{} flits cannot hold the longest packet, of {} flits, as {} requires",
                             params.buffer_depth, longest, context.kind("router")),
                 fmt::format("make it at least {}, or use another router.kind", longest));
}

void fit_fabric(const FitContext& context) {
  fit_sizes(context);
  fit_routing(context);
  fit_packets(context);
}

}  // namespace

RouterEntry fabric_entry(CatalogEntry<NetworkMaker> entry, const RouterCores& cores,
                         void (*configure)(const Section&, const RouterContext&, NetworkParams&)) {
  entry.make = [](const NetworkParts& parts) -> std::unique_ptr<Network> {
    return std::make_unique<Fabric>("fabric", parts.topology, *parts.routing, parts.source,
                                    parts.params, parts.probes);
  };
  std::vector<FigureMeaning> figures;
  if (cores.figures != nullptr) figures = cores.figures->meanings();
  for (FigureMeaning& figure : cost_figures().meanings()) figures.push_back(std::move(figure));
  entry.fit = fit_fabric;
  Capabilities can;
  can.unit = cores.unit;
  can.is_adaptive = cores.adaptive();
  return {std::move(entry),  can, configure, FabricPlan::least_memory, FabricPlan::memory_estimate,
          std::move(figures)};
}

}  // namespace flitcast
