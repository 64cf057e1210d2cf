// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/flooding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "collective/lower_bounds.h"
#include "collective/precondition.h"
#include "collective/relay.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

void require_node_at_every_router(const Topology& topology) {
  bool in_place = topology.node_count() == topology.router_count();
  for (std::uint32_t node = 0; in_place && node < topology.node_count(); ++node) {
    const Attachment& attachment = topology.attachment(NodeId{node});
    in_place =
        index(attachment.injection.router) == node && index(attachment.ejection.router) == node;
  }
  if (in_place) return;
  throw PreconditionError(
      PreconditionError::Subject::kTopology,
      "flooding needs one node at every router, numbered like it, unlike in " + topology.name(),
      "use a direct network, such as a mesh, a torus or a hypercube");
}

std::vector<Channel> leaving(const Topology& topology, const Adjacency& adjacency,
                             RouterId router) {
  std::vector<Channel> channels;
  for (std::size_t port = 0; port < topology.output_count(router); ++port) {
    const auto number = adjacency.leaving(router, PortId{static_cast<std::uint16_t>(port)});
    if (number != Adjacency::kNone) channels.push_back(topology.channels()[number]);
  }
  return channels;
}

// All channels carry a copy, but for those that lead back to a node of the level before that
// informed their own.
std::size_t transmissions(const Topology& topology, const std::vector<std::uint32_t>& distance) {
  const auto level = [&distance](Endpoint end) { return distance[index(end.router)]; };
  std::vector<std::pair<RouterId, RouterId>> informed;
  for (const Channel& channel : topology.channels()) {
    if (level(channel.from) + 1 != level(channel.to)) continue;
    informed.emplace_back(channel.to.router, channel.from.router);
  }
  std::sort(informed.begin(), informed.end());
  std::size_t silent = 0;
  for (const Channel& channel : topology.channels()) {
    const std::pair<RouterId, RouterId> back{channel.from.router, channel.to.router};
    if (std::binary_search(informed.begin(), informed.end(), back)) ++silent;
  }
  return topology.channels().size() - silent;
}

Claim claim_for(const Topology& topology, const std::vector<std::uint32_t>& distance) {
  Claim claim;
  claim.rounds = *std::max_element(distance.begin(), distance.end());
  claim.transmissions = transmissions(topology, distance);
  claim.duplicates = *claim.transmissions - (topology.node_count() - 1);
  return claim;
}

}  // namespace

Plan flooding_broadcast(const Topology& topology, NodeId source) {
  require_source(topology, source);
  require_node_at_every_router(topology);
  const Adjacency adjacency(topology);
  const std::vector<std::uint32_t> distance = distances_from(source, topology, adjacency);

  const auto rule = [&](NodeId node, const std::vector<Channel>& arrivals) {
    std::vector<PortId> outputs;
    for (const Channel& channel : leaving(topology, adjacency, RouterId{index(node)})) {
      const bool back = std::any_of(arrivals.begin(), arrivals.end(), [&](const Channel& arrival) {
        return arrival.from.router == channel.to.router;
      });
      if (!back) outputs.push_back(channel.from.port);
    }
    return outputs;
  };
  return {relay(topology, source, false, rule), claim_for(topology, distance)};
}

}  // namespace flitcast
