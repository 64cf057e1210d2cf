// SPDX-License-Identifier: Apache-2.0
#include "network/turn_too_many.h"

#include <algorithm>
#include <deque>
#include <optional>

namespace flitcast {
namespace {

// Searches from the end of the channel back to its beginning, without the link that leads there.
Ring shortest_ring(const Topology& topology, const Channel& first) {
  std::vector<std::optional<Channel>> reached_by(topology.router_count());
  std::deque<RouterId> front{first.to.router};
  while (!front.empty() && !reached_by[index(first.from.router)]) {
    const RouterId router = front.front();
    front.pop_front();
    for (const Channel& channel : topology.channels()) {
      const RouterId to = channel.to.router;
      const bool back = router == first.to.router && to == first.from.router;
      if (channel.from.router != router || back || to == first.to.router) continue;
      if (reached_by[index(to)]) continue;
      reached_by[index(to)] = channel;
      front.push_back(to);
    }
  }
  if (first.from.router == first.to.router || !reached_by[index(first.from.router)]) return {};
  Ring ring;
  for (RouterId at = first.from.router; at != first.to.router; at = ring.back().from.router) {
    ring.push_back(*reached_by[index(at)]);
  }
  ring.push_back(first);
  std::reverse(ring.begin(), ring.end());
  return ring;
}

}  // namespace

std::vector<Ring> rings_of(const Topology& topology) {
  std::vector<Ring> rings;
  for (const Channel& channel : topology.channels()) {
    Ring ring = shortest_ring(topology, channel);
    if (!ring.empty()) rings.push_back(std::move(ring));
  }
  return rings;
}

std::vector<NodeId> nodes_at(const Ring& ring, const Topology& topology) {
  std::vector<NodeId> nodes;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    const RouterId last = topology.attachment(NodeId{node}).ejection.router;
    const auto leaves = [&](const Channel& channel) { return channel.from.router == last; };
    if (std::any_of(ring.begin(), ring.end(), leaves)) nodes.push_back(NodeId{node});
  }
  return nodes;
}

TurnTooMany::TurnTooMany(const Routing& routing, const Topology& topology, const Ring& ring,
                         std::size_t virtual_channels)
    : AdaptiveRouting(routing.selection()),
      routing_(routing),
      all_(vc_range(0, virtual_channels)),
      input_(topology.router_count(), kOff),
      output_(topology.router_count(), kOff) {
  for (const Channel& channel : ring) {
    output_[index(channel.from.router)] = static_cast<std::uint16_t>(index(channel.from.port));
    input_[index(channel.to.router)] = static_cast<std::uint16_t>(index(channel.to.port));
  }
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    ejection_.push_back(topology.attachment(NodeId{node}).ejection);
  }
}

void TurnTooMany::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  const Endpoint& ejection = ejection_[index(request.destination)];
  const std::size_t at = index(request.router);
  if (output_[at] == kOff || output_[index(ejection.router)] == kOff) {
    return routing_.alternatives(request, alternatives);
  }
  const bool arrived = request.router == ejection.router && index(request.input) == input_[at];
  alternatives.add({arrived ? ejection.port : PortId{output_[at]}, request.route_field, all_});
}

}  // namespace flitcast
