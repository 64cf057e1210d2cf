// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/broadcast/builders.h"
#include "collective/catalog.h"
#include "collective/cost.h"
#include "collective/precondition.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

namespace {

Precondition with_node_at_every_router(const Topology& topology) {
  if (has_a_node_each(topology)) return {};
  return violated(
      "flooding needs one node at every router, numbered like it, unlike in " + topology.name(),
      "use a direct network, such as a mesh, a torus or a hypercube");
}

// The number of copies: every channel carries one, except the channels from a node back to a node
// of the previous level that has informed it.
std::size_t transmissions(const Topology& topology, const std::vector<std::uint32_t>& distance) {
  const auto level = [&distance](Endpoint end) { return distance[index(end.router)]; };
  std::vector<std::pair<RouterId, RouterId>> informed;
  for (const Channel& channel : topology.channels()) {
    if (level(channel.from) + 1 != level(channel.to)) continue;
    informed.emplace_back(channel.to.router, channel.from.router);
  }
  std::sort(informed.begin(), informed.end());
  const auto is_silent = [&](const Channel& channel) {
    const std::pair<RouterId, RouterId> back{channel.from.router, channel.to.router};
    return std::binary_search(informed.begin(), informed.end(), back);
  };
  return topology.channels().size() - count_if(topology.channels(), is_silent);
}

/// One-to-all broadcast by flooding, store-and-forward and all-port, on any connected network.
///
/// The source sends to all its neighbours in round 1. A node that first receives in round t sends
/// in round t + 1 to all its neighbours except those that it received from in round t; it drops
/// later receipts. Two parallel links carry a copy each.
///
/// Cost, with the nodes put into levels by their distance from the source: all nodes are informed
/// after as many rounds as the source's eccentricity, the minimum. Links between two levels carry
/// one copy and links inside a level two, all but N - 1 of them duplicates. Where a link joins two
/// nodes of the last level, as in odd tori, one more round of useless sends follows and belongs to
/// the schedule. A one-way link carries a copy whichever way it leads.
///
/// Throws PreconditionError for a source that is not a node, for networks in which the source does
/// not reach all nodes, and for those whose node n does not sit at router n.
/// Source: CS838 lecture notes (1999), section 11, "1-port vs. all-port model". It leaves open what
/// a node does on receipts from several neighbours at once.
Plan flooding_broadcast(const Topology& topology, NodeId source) {
  require(source_exists(topology, source));
  require(with_node_at_every_router(topology));
  const Adjacency adjacency(topology);
  const std::vector<std::uint32_t> distance = distances_from(source, topology, adjacency);

  const auto rule = [&](NodeId node, const std::vector<Channel>& arrivals) {
    const RouterId router{index(node)};
    return filtered(topology.outputs(router), [&](PortId output) {
      const std::uint32_t channel = adjacency.leaving(router, output);
      return channel != Adjacency::kNone && none_of(arrivals, [&](const Channel& arrival) {
               return arrival.from.router == topology.channels()[channel].to.router;
             });
    });
  };
  const std::size_t rounds = *std::max_element(distance.begin(), distance.end());
  const std::size_t copies = transmissions(topology, distance);
  return {relay(topology, source, false, rule),
          {rounds, false, copies, copies - (topology.node_count() - 1)},
          {{"broadcast.flooding.rounds", "eccentricity of the source", rounds}}};
}

}  // namespace

CollectiveEntry flooding_collective() {
  return broadcast_entry<Topology, flooding_broadcast, Switching::kStoreAndForward, kAllPorts>(
      "flooding",
      "Any connected graph, all ports: a node sends to all but those it received from.");
}

}  // namespace flitcast
