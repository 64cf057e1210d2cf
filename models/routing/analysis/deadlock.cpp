// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/deadlock.h"

#include <algorithm>

#include "routing/analysis/route_enumerator.h"
#include "routing/multicast/multicast_routing.h"

namespace flitcast {

DependencyCheck check_dependencies(const Topology& topology, const Routing& routing,
                                   std::size_t virtual_channels) {
  if (routing.reductions() != 0) return check_reductions(topology, routing, virtual_channels);
  RouteEnumerator packets(topology, routing, virtual_channels);
  DependencyGraph graph(topology, packets.adjacency(), virtual_channels);
  packets.for_each_journey([&] {
    packets.enumerate(packets.injected(), [&](const PacketState& held, const PacketState& wanted) {
      graph.add_use(wanted.channel, wanted.vcs, wanted.waits);
      if (held.channel < topology.channels().size()) {
        graph.add_dependency(held.channel, held.vcs, wanted.channel, wanted.vcs);
      }
      return true;
    });
  });
  DependencyCheck check;
  check.channels = graph.channel_count();
  check.dependencies = graph.dependency_count();
  check.waited_for = graph.waited_count();
  std::vector<DependencyGraph::Vertex> cycle = graph.find_cycle();
  check.cyclic = !cycle.empty();
  if (check.cyclic && check.waited_for < check.channels) cycle = graph.find_waited_cycle();
  for (const auto& [number, vc] : cycle) {
    const Channel& channel = topology.channels()[number];
    check.cycle.push_back({channel.from.router, channel.from.port, channel.to.router, vc});
  }
  return check;
}

bool dependencies_are_checkable(const Topology& topology, const Routing& routing,
                                std::size_t virtual_channels) {
  constexpr double kMostSteps = 2e9;
  const double channels =
      static_cast<double>(topology.channels().size()) * static_cast<double>(virtual_channels);
  if (routing.reductions() != 0) return channels * routing.reductions() < kMostSteps / 1000;
  const bool divides = dynamic_cast<const MulticastRouting*>(&routing) != nullptr;
  if (routing.multicast() && !divides) return false;
  const auto headers = static_cast<double>(std::uint64_t{1} << routing.tie_dimensions()) *
                       static_cast<double>(routing.most_choices());
  return static_cast<double>(topology.node_count()) * headers * channels < kMostSteps;
}

std::string cyclic_dependency(const std::vector<VirtualChannel>& cycle) {
  constexpr std::size_t kShown = 16;
  const auto name = [](const VirtualChannel& channel) {
    return (channel.injection ? "injection into router " : "router ") +
           std::to_string(index(channel.from)) + " port " + std::to_string(index(channel.output)) +
           " VC " + std::to_string(index(channel.vc));
  };
  std::string text = "cyclic channel dependency (possible deadlock): ";
  for (std::size_t at = 0; at < std::min(cycle.size(), kShown); ++at)
    text += name(cycle[at]) + " -> ";
  if (cycle.size() <= kShown) return text + name(cycle.front());
  return text + "... (" + std::to_string(cycle.size()) + " channels)";
}

}  // namespace flitcast
