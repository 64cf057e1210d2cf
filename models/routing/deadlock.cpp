// SPDX-License-Identifier: Apache-2.0
#include "routing/deadlock.h"

#include <stdexcept>

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
        routing_(routing),
        adjacency_(topology),
        all_(vc_range(0, virtual_channels)),
        graph_(topology, adjacency_, virtual_channels, identity),
        visited_(topology.channels().size(), 0),
        next_(topology.router_count()) {}

  const DependencyGraph& graph() const { return graph_; }

  void explore(NodeId destination, std::uint8_t ties) {
    if (routing_.reads_arrival()) {
      explore_channels(destination, ties);
    } else {
      explore_routers(destination, ties);
    }
  }

 private:
  static constexpr std::uint32_t kUnknown = Adjacency::kNone - 1;

  /// Where all packets of an exploration leave a router.
  struct Next {
    std::uint32_t channel = kUnknown;  ///< Or Adjacency::kNone, to the destination itself.
    VcSet vcs = 0;
  };

  // What comes together in a router goes on together.
  void explore_routers(NodeId destination, std::uint8_t ties) {
    for (std::uint32_t source = 0; source < topology_.node_count(); ++source) {
      require_vcs(routing_.injection_vcs(NodeId{source}, destination), destination);
      find_next(topology_.attachment(NodeId{source}).injection.router, destination, ties);
    }
    // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t at = 0; at < met_.size(); ++at) {
      const Next taken = next_[met_[at]];
      if (taken.channel == Adjacency::kNone) continue;
      const RouterId to = topology_.channels()[taken.channel].to.router;
      add_dependencies(taken, find_next(to, destination, ties));
    }
    for (const std::uint32_t router : met_) next_[router] = {};
    met_.clear();
  }

  Next find_next(RouterId router, NodeId destination, std::uint8_t ties) {
    Next& next = next_[index(router)];
    if (next.channel != kUnknown) return next;
    const Route route = routing_.route({router, PortId{0}, VcId{0}, destination, ties});
    next = {leave(router, route, destination), route.vcs};
    met_.push_back(index(router));
    return next;
  }

  void add_dependencies(const Next& held, const Next& wanted) {
    graph_.add_use(held.channel, held.vcs);
    if (wanted.channel == Adjacency::kNone) return;
    for (VcSet vcs = held.vcs; vcs != 0; vcs &= vcs - 1) {
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
      graph_.add_dependency({held.channel, vc}, wanted.channel, wanted.vcs);
    }
  }

  // Each virtual channel once however many sources share it.
  void explore_channels(NodeId destination, std::uint8_t ties) {
    for (std::uint32_t source = 0; source < topology_.node_count(); ++source) {
      inject(NodeId{source}, destination, ties);
    }
    // The list grows while it is walked. NOLINTNEXTLINE(modernize-loop-convert)
    for (std::size_t next = 0; next < reached_.size(); ++next) {
      pass_on(reached_[next], destination, ties);
    }
    for (const Vertex& vertex : reached_) visited_[vertex.channel] = 0;
    reached_.clear();
  }

  void inject(NodeId source, NodeId destination, std::uint8_t ties) {
    const Endpoint entry = topology_.attachment(source).injection;
    VcSet vcs = routing_.injection_vcs(source, destination);
    require_vcs(vcs, destination);
    for (; vcs != 0; vcs &= vcs - 1) {
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
      const Route route = routing_.route({entry.router, entry.port, vc, destination, ties});
      const std::uint32_t channel = leave(entry.router, route, destination);
      if (channel != Adjacency::kNone) reach(channel, route.vcs);
    }
  }

  void pass_on(Vertex held, NodeId destination, std::uint8_t ties) {
    const Endpoint at = topology_.channels()[held.channel].to;
    const Route route = routing_.route({at.router, at.port, held.vc, destination, ties});
    const std::uint32_t channel = leave(at.router, route, destination);
    if (channel == Adjacency::kNone) return;
    graph_.add_dependency(held, channel, route.vcs);
    reach(channel, route.vcs);
  }

  void reach(std::uint32_t channel, VcSet vcs) {
    VcSet fresh = vcs & ~visited_[channel];
    visited_[channel] |= fresh;
    graph_.add_use(channel, fresh);
    for (; fresh != 0; fresh &= fresh - 1) {
      reached_.push_back({channel, VcId{static_cast<std::uint8_t>(__builtin_ctz(fresh))}});
    }
  }

  // The channel that the route takes, or kNone where it ejects the packet.
  std::uint32_t leave(RouterId router, const Route& route, NodeId destination) const {
    require_vcs(route.vcs, destination);
    if (index(route.output) >= topology_.output_count(router))
      fail("a missing output", destination);
    const std::uint32_t channel = adjacency_.leaving(router, route.output);
    const Endpoint ejection = topology_.attachment(destination).ejection;
    if (channel == Adjacency::kNone && !(Endpoint{router, route.output} == ejection)) {
      fail("an output that does not lead there", destination);
    }
    return channel;
  }

  void require_vcs(VcSet vcs, NodeId destination) const {
    if (vcs == 0 || (vcs & ~all_) != 0) fail("missing virtual channels", destination);
  }

  [[noreturn]] static void fail(const std::string& to, NodeId destination) {
    throw std::logic_error("the routing sends a packet for node " +
                           std::to_string(index(destination)) + " to " + to);
  }

  const Topology& topology_;
  const Routing& routing_;
  const Adjacency adjacency_;
  const VcSet all_;
  DependencyGraph graph_;
  std::vector<VcSet> visited_;      // Per channel, in this exploration.
  std::vector<Vertex> reached_;     // In the order found; also the queue of those to pass on.
  std::vector<Next> next_;          // Per router, in this exploration.
  std::vector<std::uint32_t> met_;  // Routers in the order found; also the queue.
};

}  // namespace

DependencyCheck check_dependencies(const Topology& topology, const Routing& routing,
                                   std::size_t virtual_channels, ChannelIdentity identity) {
  Explorer explorer(topology, routing, virtual_channels, identity);
  const unsigned tie_choices = 1U << routing.tie_dimensions();
  for (std::uint32_t destination = 0; destination < topology.node_count(); ++destination) {
    for (unsigned ties = 0; ties < tie_choices; ++ties) {
      explorer.explore(NodeId{destination}, static_cast<std::uint8_t>(ties));
    }
  }
  DependencyCheck check;
  check.channels = explorer.graph().channel_count();
  check.dependencies = explorer.graph().dependency_count();
  for (const Vertex& vertex : explorer.graph().find_cycle()) {
    const Channel& channel = topology.channels()[vertex.channel];
    check.cycle.push_back({channel.from.router, channel.from.port, channel.to.router, vertex.vc});
  }
  return check;
}

bool dependencies_are_checkable(const Topology& topology, const Routing& routing,
                                std::size_t virtual_channels) {
  if (routing.multicast()) return false;
  constexpr double kMostSteps = 2e9;
  const double channels =
      static_cast<double>(topology.channels().size()) * static_cast<double>(virtual_channels);
  const auto ties = static_cast<double>(std::uint64_t{1} << routing.tie_dimensions());
  return static_cast<double>(topology.node_count()) * ties * channels < kMostSteps;
}

std::string to_text(const std::vector<VirtualChannel>& cycle) {
  std::string text;
  for (const VirtualChannel& channel : cycle) {
    text += "router " + std::to_string(index(channel.from)) + " port " +
            std::to_string(index(channel.output)) + " vc " + std::to_string(index(channel.vc)) +
            " -> router " + std::to_string(index(channel.to)) + "\n";
  }
  return text;
}

}  // namespace flitcast
