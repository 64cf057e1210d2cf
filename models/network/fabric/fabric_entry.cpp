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

std::size_t most_ports(const Topology& topology) {
  std::size_t most = 0;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    most = std::max({most, topology.input_count(RouterId{r}), topology.output_count(RouterId{r})});
  }
  return most;
}

void require_fit(const Configuration& configuration, const Topology& topology,
                 const NetworkParams& params) {
  if (params.keeps_packets() && has_widths_of_its_own(topology)) {
    configuration.section("router").fail(
        "kind",
        fmt::format("routers that keep packets need links alike, and {} has some with a "
                    "cycles_per_flit of their own",
                    topology.name()),
        "use wormhole or virtual_cut_through, or give link.cycles_per_flit for all");
  }
  if (FabricPlan::fits(topology, params.router)) return;
  const std::size_t ports = most_ports(topology);
  if (ports > kMaxPorts) {
    configuration.section("topology")
        .fail("kind",
              fmt::format("a router of {} has {} ports, and the widest has {}", topology.name(),
                          ports, kMaxPorts),
              "use a network with fewer ports per router; circuits have no such limit");
  }
  configuration.section("router").fail(
      "virtual_channels",
      fmt::format("{} virtual channels at each port are too many for the widest router of {}",
                  params.router.virtual_channels, topology.name()),
      "use fewer virtual channels, or a topology with fewer ports per router");
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
  return {std::move(entry),
          &cores,
          configure,
          require_fit,
          FabricPlan::least_memory,
          FabricPlan::memory_estimate,
          std::move(figures)};
}

}  // namespace flitcast
