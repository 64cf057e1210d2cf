// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "routing/analysis/channel_graph.h"
#include "routing/analysis/deadlock.h"
#include "routing/analysis/route_enumerator.h"

namespace flitcast {
namespace {

using Escape = std::tuple<std::uint32_t, VcId, std::uint16_t>;  // Channel, VC, route field.

// The escape channels that packets of the journey can reach.
std::set<Escape> reached_escapes(RouteEnumerator& packets) {
  std::set<Escape> escapes;
  packets.enumerate(packets.injected(), [&](const PacketState&, const PacketState& to) {
    for (const VcId vc : EachVc(to.waits ? to.vcs : 0)) {
      escapes.emplace(to.channel, vc, to.route_field);
    }
    return true;
  });
  return escapes;
}

}  // namespace

ExtendedCheck check_extended_dependencies(const Topology& topology, const Routing& routing,
                                          std::size_t virtual_channels) {
  const auto number = [&](std::uint32_t channel, VcId vc) {
    return channel * virtual_channels + index(vc);
  };
  RouteEnumerator packets(topology, routing, virtual_channels);
  std::set<std::size_t> used;
  std::vector<std::set<std::size_t>> edges(topology.channels().size() * virtual_channels);
  packets.for_each_journey([&] {
    for (const auto& [channel, vc, route_field] : reached_escapes(packets)) {
      const std::size_t escape = number(channel, vc);
      used.insert(escape);
      const PacketState start{channel, VcSet{1} << index(vc), route_field};
      // Adds every escape channel that is offered after adaptive hops only.
      packets.enumerate({start}, [&](const PacketState&, const PacketState& to) {
        for (const VcId next : EachVc(to.waits ? to.vcs : 0)) {
          edges[escape].insert(number(to.channel, next));
        }
        return !to.waits;
      });
    }
  });
  ExtendedCheck check;
  check.escape_channels = used.size();
  for (const auto& some : edges) check.dependencies += some.size();
  check.acyclic = find_cycle(edges).empty();
  return check;
}

}  // namespace flitcast
