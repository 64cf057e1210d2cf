// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "network/fabric.h"
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

void require_ports(const Configuration& configuration, const Topology& topology,
                   const NetworkParams& params) {
  if (Fabric::fits(topology, params.router)) return;
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

// To say so beforehand is kinder than to be killed half-way.
void require_memory(const Configuration& configuration, const Topology& topology,
                    const NetworkParams& params) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  const double needed = static_cast<double>(Fabric::memory_estimate(topology, params)) / kGiB;
  const double present = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                         static_cast<double>(::sysconf(_SC_PAGESIZE)) / kGiB;
  if (needed <= present) return;
  configuration.section("topology")
      .fail("kind",
            fmt::format("{} takes about {:.1f} GiB, and this machine has {:.1f} GiB",
                        topology.name(), needed, present),
            "use fewer nodes, virtual channels or buffers");
}

void require_fit(const Configuration& configuration, const Topology& topology,
                 const NetworkParams& params) {
  require_ports(configuration, topology, params);
  require_memory(configuration, topology, params);
}

}  // namespace

RouterEntry fabric_entry(CatalogEntry<NetworkMaker> entry, const RouterCores& cores,
                         void (*configure)(const Section&, const RouterContext&, NetworkParams&)) {
  entry.make = [](const NetworkParts& parts) -> std::unique_ptr<Network> {
    return std::make_unique<Fabric>("fabric", parts.topology, *parts.routing, parts.source,
                                    parts.params, parts.probes);
  };
  std::vector<FigureMeaning> figures = cores.figures.meanings();
  for (FigureMeaning& figure : fabric_figures().meanings()) figures.push_back(std::move(figure));
  return {std::move(entry),        cores.unit,        configure, require_fit,
          Fabric::memory_estimate, std::move(figures)};
}

}  // namespace flitcast
