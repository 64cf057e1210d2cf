// SPDX-License-Identifier: Apache-2.0
#include "collective/forwarding/forwarding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/hamiltonian_cycles.h"
#include "collective/paths.h"
#include "collective/precondition.h"
#include "collective/tree_copies.h"
#include "routing/forwarding_table.h"
#include "routing/routing.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

namespace {

/// One-to-all broadcast that the routers carry out: a tree in which every router computes its
/// branches from the input port and the header of the packet.
///
/// The source injects one packet for all; the router of every other node delivers a copy to it and
/// passes copies on at the same time. The source gets none, so on a network of one node the packet
/// has no branch, which the router core treats as an error. All VCs are allowed everywhere, because
/// the packets of one source do not meet. Packets of several sources may wait for each other in a
/// cycle (see MulticastCore); store-and-forward routers then need space for all.
///
/// For topologies where node n sits at router n and the ports of nodes come after all others (grids
/// and hypercubes, widened or not). O(branches) time, no allocation.
///
/// `PassOn` is called with (request, all VCs, branches) and adds the copies to other routers; the
/// request's input is `local` at the source, whatever port the node injected by.
template <class PassOn>
class RouterBroadcast : public OnAllVcs<Routing> {
 public:
  /// @param local  The first port of every router's node.
  /// Throws std::invalid_argument unless there are 1 to kMaxVirtualChannels virtual channels.
  RouterBroadcast(PortId local, std::size_t virtual_channels, PassOn pass_on)
      : OnAllVcs(valid_vc_range(0, virtual_channels)),
        local_(local),
        pass_on_(std::move(pass_on)) {}

  bool multicast() const override { return true; }

  void branches(const RouteRequest& request, Branches& branches) const override {
    RouteRequest at = request;
    if (index(at.input) >= index(local_)) {
      at.input = local_;
    } else {
      branches.add({local_, all_, 0});
    }
    pass_on_(at, all_, branches);
  }

 private:
  const PortId local_;
  const PassOn pass_on_;
};

template <class PassOn>
std::unique_ptr<Routing> router_broadcast(PortId local, std::size_t virtual_channels,
                                          PassOn pass_on) {
  return std::make_unique<RouterBroadcast<PassOn>>(local, virtual_channels, std::move(pass_on));
}

Precondition short_enough_lines(const Grid& grid) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  for (std::size_t d = 0; d < grid.dimensions(); ++d) {
    const std::size_t others = grid.size(d) - 1;
    const std::size_t longest = grid.wraps(d) ? (others + 1) / 2 : others;
    if (longest <= kMost) continue;
    return violated("the hop counter of a packet counts to " + std::to_string(kMost) +
                        " nodes, a line of " + grid.name() + " may serve " +
                        std::to_string(longest),
                    "stop by the source's address");
  }
  return {};
}

/// Gossip that the routers carry out: a packet continues along its Hamiltonian cycle in its
/// direction, and is delivered to every node on it, until Flit::route_field has counted down. Port
/// p of a node leads to output p of its router.
///
/// Every channel of the torus belongs to one direction of one cycle, so the input port determines
/// the output port. Input p faces the neighbour that output p leads to: a packet that travels
/// forward enters by the port that leads backward.
/// @param cycles  The result of hamiltonian_cycles(torus).
/// @param torus   Its nodes have at most as many ports as there are directions, 2 per dimension.
/// Source: see ForwardingTable.
ForwardingTable hamiltonian_forwarding_table(const Grid& torus,
                                             const std::vector<HamiltonianCycle>& cycles,
                                             std::size_t virtual_channels) {
  const std::size_t directions = index(torus.local());
  std::vector<PortId> onward(torus.node_count() * directions);
  for (const HamiltonianCycle& cycle : cycles) {
    for (std::size_t i = 0; i < cycle.nodes.size(); ++i) {
      const std::size_t first = index(cycle.nodes[i]) * directions;
      onward[first + index(cycle.backward[i])] = cycle.forward[i];
      onward[first + index(cycle.forward[i])] = cycle.backward[i];
    }
  }
  const auto rule = [&](RouterId router, PortId input) -> ForwardingTable::Entry {
    if (index(input) < directions) {
      return {{{onward[index(router) * directions + index(input)]}}, true};
    }
    return {{{to_id<PortId>(index(input) - directions)}}, false};
  };
  return ForwardingTable(torus, rule, virtual_channels);
}

using Injection = RouterForwarding::Injection;

std::vector<Injection> one_for_all(const Topology& topology, NodeId source) {
  const auto others = static_cast<std::uint32_t>(topology.node_count() - 1);
  if (others == 0) return {};
  return {{source, 0, 0, others, ChunkId{0}}};
}

// The depth of the tree: the eccentricity of the source.
std::size_t tree_depth(const Grid& grid, NodeId source) {
  return sum_of<std::size_t>(numbers(grid.dimensions()), [&](std::size_t d) {
    return std::max(line_reach(grid, source, Grid::plus(d)),
                    line_reach(grid, source, Grid::minus(d)));
  });
}

// The precondition that Flit::route_field can count the steps of a packet; a packet that serves
// half of the other nodes starts with a count that is one higher.
Precondition short_enough_cycles(const Grid& torus) {
  constexpr std::size_t kMostNodes = 2 * (std::numeric_limits<std::uint16_t>::max() - 1U) + 1;
  if (torus.node_count() <= kMostNodes) return {};
  return violated("the hop counter of a packet is too short for the cycles of " + torus.name(),
                  "use at most " + std::to_string(kMostNodes) + " nodes");
}

Precondition with_port_per_direction(const Grid& torus) {
  const std::size_t directions = 2 * torus.dimensions();
  if (torus.node_ports() == directions) return {};
  return violated("gossip in the routers of " + torus.name() +
                      " needs nodes with a port for each direction, not with " +
                      std::to_string(torus.node_ports()),
                  "use " + std::to_string(directions) + " ports",
                  PreconditionError::Subject::kPorts);
}

// The injection of a node's chunk in one direction of a cycle. The counter includes the origin.
Injection one_way(NodeId node, PortId output, std::size_t steps, std::size_t chunk) {
  return {node, index(output), static_cast<std::uint16_t>(steps + 1),
          static_cast<std::uint32_t>(steps), to_id<ChunkId>(chunk)};
}

}  // namespace

/// Broadcast along the dimension-order tree of a mesh, torus or mixture, by the routers: the rule
/// of tree_copies.h, all copies at once. `grid` must outlive the routing.
///
/// Throws PreconditionError where a line may serve more nodes than the hop counter can count,
/// 65535. Source: CS838 lecture notes (1999), section 11, "Meshes" and "Tori", where nodes forward.
RouterForwarding dimension_order_forwarding(const Grid& grid, NodeId source, StopRule rule,
                                            std::size_t virtual_channels) {
  require(source_exists(grid, source));
  const bool counted = rule == StopRule::kHopCounter;
  if (counted) require(short_enough_lines(grid));
  const auto pass_on = [&grid, counted](const RouteRequest& request, VcSet all,
                                        Branches& branches) {
    const NodeId here{index(request.router)};
    const TreeCopies copies =
        counted ? copies_by_counter(grid, here, request.input, request.route_field)
                : copies_by_source(grid, here, request.input, request.destination);
    for (const TreeCopy& copy : copies) {
      branches.add({copy.output, all, static_cast<std::uint16_t>(counted ? copy.reach : 0)});
    }
  };
  return {router_broadcast(grid.local(), virtual_channels, pass_on),
          one_for_all(grid, source),
          {{tree_depth(grid, source), 0}}};
}

/// Broadcast along the spanning binomial tree of the n-cube, by the routers: a packet that enters
/// across dimension i goes on across all dimensions above i, an injected packet across all. The
/// header is ignored.
///
/// Source: CS838 lecture notes (1999), section 11, "Store-and-forward one-to-all broadcast",
/// Hypercube, where nodes forward.
RouterForwarding binomial_forwarding(const Hypercube& cube, NodeId source,
                                     std::size_t virtual_channels) {
  require(source_exists(cube, source));
  const auto pass_on = [local = cube.local()](const RouteRequest& request, VcSet all,
                                              Branches& branches) {
    const bool at_source = request.input == local;
    for (std::size_t d = at_source ? 0 : index(request.input) + 1U; d < index(local); ++d) {
      branches.add({to_id<PortId>(d), all, 0});
    }
  };
  return {router_broadcast(cube.local(), virtual_channels, pass_on),
          one_for_all(cube, source),
          {{cube.dimension(), 0}}};
}

RouterForwarding hamiltonian_forwarding(const Grid& torus, std::size_t virtual_channels) {
  require(on_torus(torus, "gossip on Hamiltonian cycles"));
  require(short_enough_cycles(torus));
  require(with_port_per_direction(torus));
  const std::vector<HamiltonianCycle> cycles = hamiltonian_cycles(torus);
  const std::size_t nodes = torus.node_count();
  RouterForwarding forwarding{std::make_unique<ForwardingTable>(
                                  hamiltonian_forwarding_table(torus, cycles, virtual_channels)),
                              {},
                              {{nodes / 2, 0}}};
  for (std::size_t c = 0; c < cycles.size(); ++c) {
    for (std::size_t i = 0; i < nodes; ++i) {
      const NodeId node = cycles[c].nodes[i];
      const std::size_t chunk = index(node) + nodes * c;
      forwarding.injections.push_back(one_way(node, cycles[c].forward[i], nodes / 2, chunk));
      forwarding.injections.push_back(one_way(node, cycles[c].backward[i], (nodes - 1) / 2, chunk));
    }
  }
  return forwarding;
}

}  // namespace flitcast
