// SPDX-License-Identifier: Apache-2.0
#include "direct.h"

#include <algorithm>
#include <utility>

#include "collective/catalog.h"
#include "network/circuit/circuit_network.h"
#include "network/circuit/packet_admission.h"
#include "network/circuit/timed_admission.h"
#include "network/fabric/fabric.h"
#include "routing/multicast/multicast_routing.h"
#include "stats/delivery_probes.h"
#include "support/fresh_kernel.h"
#include "traffic/random_traffic.h"
#include "traffic/router_player.h"

namespace flitcast {
namespace {

Load load_of(const Parts::Traffic& traffic) {
  PacketLengths lengths(traffic.lengths, traffic.weights);
  const Section keys = Section::of("workload", traffic.injection_keys);
  auto injection = find(injections(), traffic.injection)->make(keys, lengths.mean());
  return {{std::move(injection)}, std::move(lengths)};
}

std::unique_ptr<PacketSource> random_source(const Parts& parts, const Topology& topology,
                                            DestinationGroups& groups) {
  const Parts::Traffic& traffic = parts.traffic;
  const std::size_t nodes = topology.node_count();
  if (traffic.fan_out == 0) {
    return std::make_unique<RandomTraffic>(nodes, parts.seed, traffic.pattern(nodes),
                                           load_of(traffic));
  }
  return std::make_unique<MulticastTraffic>(dynamic_cast<const Clos&>(topology), groups,
                                            traffic.fan_out, parts.seed, load_of(traffic));
}

Placement placement_of(const Parts::Operation& operation, const Topology& topology) {
  return operation.nodes.empty() ? Placement() : Placement(operation.nodes, topology.node_count());
}

Collective collective_of(const Parts::Operation& operation, const Topology& topology) {
  CollectiveContext context{topology};
  context.source = NodeId{operation.source};
  context.ports = operation.all_ports ? kAllPorts : static_cast<unsigned>(topology.node_ports());
  context.operation = operation.operation;
  context.receivers = operation.receivers;
  context.ranks = operation.nodes.size();
  context.placement = placement_of(operation, topology);
  return find(collectives(), operation.algorithm)
      ->make(Section::of("workload", operation.keys), context);
}

struct Planned {
  Collective collective;
};

/// A player that owns its schedule.
class OwnPlayer : private Planned, public SchedulePlayer {
 public:
  OwnPlayer(Collective what, const Parts::Operation& operation, const Topology& topology,
            DestinationGroups* groups)
      : Planned{std::move(what)},
        SchedulePlayer(topology, collective.plan.schedule, collective.demand, operation.timing,
                       operation.length, 1, groups, placement_of(operation, topology)) {}
};

/// Everything that a network refers to.
struct Host {
  explicit Host(const Parts& parts) : params(parts.params), topology(parts.topology()) {
    if (parts.node_ports > 1) topology->widen_nodes(parts.node_ports);
    groups = std::make_unique<DestinationGroups>(topology->node_count());
    if (parts.routing) routing = parts.routing(*topology, params.router.virtual_channels);
    if (parts.operation.algorithm.empty()) {
      source = random_source(parts, *topology, *groups);
    } else {
      prepare_operation(parts);
    }
    if (parts.control == Parts::Control::kPackets) add_control();
  }

  NetworkParams params;
  std::unique_ptr<Topology> topology;
  std::unique_ptr<DestinationGroups> groups;
  std::shared_ptr<Routing> routing;
  std::unique_ptr<PacketSource> source;

 private:
  // The start-up of the cost model includes the time in the interfaces of both nodes.
  void prepare_operation(const Parts& parts) {
    const Parts::Operation& operation = parts.operation;
    const auto startup = static_cast<std::int64_t>(operation.startup);
    const std::int64_t interfaces = interface_cycles(params);
    params.startup = static_cast<std::uint32_t>(std::max(startup, interfaces) - interfaces);
    Collective collective = collective_of(operation, *topology);
    if (!parts.forwarding) {
      const bool multicasts = parts.control != Parts::Control::kNone;
      const auto* copies = dynamic_cast<const MulticastRouting*>(routing.get());
      DestinationGroups* const known = copies != nullptr ? &copies->groups() : groups.get();
      source = std::make_unique<OwnPlayer>(std::move(collective), operation, *topology,
                                           multicasts || copies != nullptr ? known : nullptr);
      return;
    }
    RouterForwarding forwarding = parts.forwarding(*topology, params.router.virtual_channels);
    routing = std::move(forwarding.routing);
    if (collective.demand.adds_up()) {
      params.combine = ChunkLedger::sum_for(collective.demand);
      source = std::make_unique<ReductionPlayer>(forwarding.injections, collective.demand,
                                                 operation.length, 1,
                                                 placement_of(operation, *topology));
      return;
    }
    source = std::make_unique<ForwardingPlayer>(forwarding.injections, collective.demand,
                                                operation.length, 1);
  }

  void add_control() {
    const CircuitParams& control = params.circuits;
    auto admission = std::make_shared<PacketAdmission>(
        dynamic_cast<const Clos&>(*topology), *groups,
        strategy_factory(control.strategy, control.control, control.seed), control.control,
        params.router.virtual_channels);
    params.admission = admission;
    routing = admission;
  }
};

std::unique_ptr<Network> network_of(const Parts& parts, const Host& host, Probe& probe) {
  if (parts.control != Parts::Control::kCircuits) {
    return std::make_unique<Fabric>("fabric", *host.topology, *host.routing, *host.source,
                                    host.params, std::vector<Probe*>{&probe});
  }
  return std::make_unique<CircuitNetwork>("circuits", dynamic_cast<const Clos&>(*host.topology),
                                          *host.source, *host.groups, host.params.circuits, &probe);
}

}  // namespace

std::vector<Wish> wishes_of(const Parts& parts, std::uint64_t cycles) {
  const std::unique_ptr<Topology> topology = parts.topology();
  DestinationGroups groups(topology->node_count());
  const std::unique_ptr<PacketSource> source = random_source(parts, *topology, groups);
  std::vector<Wish> wishes;
  for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
    Cycle now = source->first(NodeId{node});
    while (index(now) < cycles) {
      std::vector<PacketRequest> packets;
      const Cycle next = source->create(NodeId{node}, now, packets);
      for (const PacketRequest& request : packets) wishes.push_back({now, NodeId{node}, request});
      now = next;
    }
  }
  return wishes;
}

std::string checksum_of(const Parts& parts, std::uint64_t cycles) {
  testing::install_fresh_kernel();
  const Host host(parts);
  ChecksumProbe probe;
  const std::unique_ptr<Network> network = network_of(parts, host, probe);
  network->run(cycles);
  return probe.text();
}

}  // namespace flitcast
