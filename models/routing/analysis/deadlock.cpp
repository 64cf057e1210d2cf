// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/deadlock.h"

#include <unordered_map>

#include "routing/analysis/hop_finder.h"
#include "routing/analysis/reduction_dependencies.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

using Vertex = DependencyGraph::Vertex;

// Follows all packets for one destination at a time.
class Explorer {
 public:
  Explorer(const Topology& topology, const Routing& routing, std::size_t virtual_channels,
           ChannelIdentity identity)
      : topology_(topology),
        adjacency_(topology),
        finder_(topology, adjacency_, routing, virtual_channels),
        graph_(topology, adjacency_, virtual_channels, identity),
        by_router_(!routing.reads_arrival() && !routing.adaptive() && routing.most_choices() == 1),
        next_(by_router_ ? topology.router_count() : 0, Hop{kUnknown}) {}

  const DependencyGraph& graph() const { return graph_; }

  void explore(const Journey& journey) {
    if (by_router_) {
      explore_routers(journey);
    } else {
      explore_channels(journey);
    }
  }

 private:
  static constexpr std::uint32_t kUnknown = Adjacency::kNone - 1;

  /// A packet in a VC of a channel.
  struct Stop {
    Vertex vertex;
    std::uint16_t route_field = 0;
  };

  // What comes together in a router goes on together.
  void explore_routers(const Journey& journey) {
    for (std::uint32_t source = 0; source < topology_.node_count(); ++source) {
      static_cast<void>(finder_.injection_vcs(NodeId{source}, journey.destination));
      find_next(topology_.attachment(NodeId{source}).injection.router, journey);
    }
    // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t at = 0; at < met_.size(); ++at) {
      const Hop taken = next_[met_[at]];
      if (taken.channel == Adjacency::kNone) continue;
      const RouterId to = topology_.channels()[taken.channel].to.router;
      add_dependencies(taken, find_next(to, journey));
    }
    for (const std::uint32_t router : met_) next_[router].channel = kUnknown;
    met_.clear();
  }

  // Where all packets leave a router; channel kNone where they leave the network.
  Hop find_next(RouterId router, const Journey& journey) {
    Hop& next = next_[index(router)];
    if (next.channel != kUnknown) return next;
    const std::vector<Hop>& next_hops = finder_.next_hops(journey, {router, PortId{0}}, VcId{0}, 0);
    next = next_hops.empty() ? Hop{Adjacency::kNone} : next_hops.front();
    met_.push_back(index(router));
    return next;
  }

  void add_dependencies(const Hop& held, const Hop& wanted) {
    graph_.add_use(held.channel, held.vcs, true);
    if (wanted.channel == Adjacency::kNone) return;
    for (VcSet vcs = held.vcs; vcs != 0; vcs &= vcs - 1) {
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
      graph_.add_dependency({held.channel, vc}, wanted.channel, wanted.vcs);
    }
  }

  // Each virtual channel and route field once however many sources share them.
  void explore_channels(const Journey& journey) {
    for (const auto& [route_field, sources] : finder_.sources_by_field(journey.destination)) {
      for (const NodeId source : sources) inject(source, journey, route_field);
    }
    // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t next = 0; next < reached_.size(); ++next) pass_on(reached_[next], journey);
    for (const Stop& stop : reached_) visited_[stop.route_field][stop.vertex.channel] = 0;
    reached_.clear();
  }

  void inject(NodeId source, const Journey& journey, std::uint16_t route_field) {
    const Endpoint entry = topology_.attachment(source).injection;
    VcSet vcs = finder_.injection_vcs(source, journey.destination);
    for (; vcs != 0; vcs &= vcs - 1) {
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
      for (const Hop& hop : finder_.next_hops(journey, entry, vc, route_field)) reach(hop);
    }
  }

  void pass_on(const Stop stop, const Journey& journey) {
    const Endpoint at = topology_.channels()[stop.vertex.channel].to;
    for (const Hop& hop : finder_.next_hops(journey, at, stop.vertex.vc, stop.route_field)) {
      graph_.add_dependency(stop.vertex, hop.channel, hop.vcs);
      reach(hop);
    }
  }

  void reach(const Hop& hop) {
    std::vector<VcSet>& visited = visited_[hop.route_field];
    if (visited.empty()) visited.assign(topology_.channels().size(), 0);
    VcSet fresh = hop.vcs & ~visited[hop.channel];
    visited[hop.channel] |= fresh;
    graph_.add_use(hop.channel, hop.vcs, hop.waits);
    for (; fresh != 0; fresh &= fresh - 1) {
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(fresh))};
      reached_.push_back({{hop.channel, vc}, hop.route_field});
    }
  }

  const Topology& topology_;
  const Adjacency adjacency_;
  HopFinder finder_;
  DependencyGraph graph_;
  // Per route field and channel, the VCs seen in this exploration.
  std::unordered_map<std::uint16_t, std::vector<VcSet>> visited_;
  std::vector<Stop> reached_;  // In the order found; also the queue of those to pass on.
  const bool by_router_;
  std::vector<Hop> next_;           // Per router, in this exploration.
  std::vector<std::uint32_t> met_;  // Routers in the order found; also the queue.
};

}  // namespace

DependencyCheck check_dependencies(const Topology& topology, const Routing& routing,
                                   std::size_t virtual_channels, ChannelIdentity identity) {
  if (routing.reductions() != 0) return check_reductions(topology, routing, virtual_channels);
  Explorer explorer(topology, routing, virtual_channels, identity);
  const unsigned tie_choices = 1U << routing.tie_dimensions();
  for (std::uint32_t destination = 0; destination < topology.node_count(); ++destination) {
    for (unsigned ties = 0; ties < tie_choices; ++ties) {
      explorer.explore({NodeId{destination}, static_cast<std::uint8_t>(ties)});
    }
  }
  const DependencyGraph& graph = explorer.graph();
  DependencyCheck check;
  check.channels = graph.channel_count();
  check.dependencies = graph.dependency_count();
  check.waited_for = graph.waited_count();
  std::vector<Vertex> cycle = graph.find_cycle();
  check.cyclic = !cycle.empty();
  if (check.cyclic && check.waited_for < check.channels) cycle = graph.find_waited_cycle();
  for (const Vertex& vertex : cycle) {
    const Channel& channel = topology.channels()[vertex.channel];
    check.cycle.push_back({channel.from.router, channel.from.port, channel.to.router, vertex.vc});
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

std::string to_text(const std::vector<VirtualChannel>& cycle) {
  std::string text;
  for (const VirtualChannel& channel : cycle) {
    text += channel.injection ? "from the node, router " : "router ";
    text += std::to_string(index(channel.from)) + " port " + std::to_string(index(channel.output)) +
            " vc " + std::to_string(index(channel.vc)) + " -> router " +
            std::to_string(index(channel.to)) + "\n";
  }
  return text;
}

}  // namespace flitcast
