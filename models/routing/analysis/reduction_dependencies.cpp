// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "routing/analysis/channel_graph.h"
#include "routing/analysis/deadlock.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

/// A graph of channels, and of one vertex per reduction and channel: the arrival of a packet of the
/// reduction at the front of that channel.
class ReductionGraph {
 public:
  ReductionGraph(const Topology& topology, const Routing& routing, std::size_t virtual_channels)
      : routing_(routing),
        adjacency_(topology),
        graph_(topology, virtual_channels,
               routing.reductions() * (ChannelNumbering(topology).count() + 1)) {
    const ChannelNumbering& channels = graph_.channels();
    for (const RouterId router : topology.routers()) {
      arriving_.emplace_back(topology.input_count(router), channels.count());  // Unconnected.
    }
    for (std::uint32_t c = 0; !channels.is_ejection(c); ++c) {
      arriving_[index(channels.end(c).router)][index(channels.end(c).port)] = c;
    }
    for (std::uint32_t r = 0; r < routing.reductions(); ++r) find_parts(r);
    for (const Part& part : parts_) add_dependencies(part);
  }

  DependencyCheck check() const { return graph_.check(); }

 private:
  using Graph = ChannelGraph<std::vector<std::uint32_t>>;
  using Vertex = Graph::Vertex;

  /// A channel by which packets of a reduction arrive at a router.
  struct Part {
    std::uint32_t reduction;
    std::uint32_t channel;
    Combination what;

    // A reduction uses a single VC.
    VcId vc() const { return lowest_vc(what.branches.begin()->vcs); }
  };

  void find_parts(std::uint32_t reduction) {
    for (const std::vector<std::uint32_t>& inputs : arriving_) {
      for (const std::uint32_t channel : inputs) {
        if (channel == graph_.channels().count()) continue;
        Part part{reduction, channel, {}};
        const Endpoint at = graph_.channels().end(channel);
        const auto field = static_cast<std::uint16_t>(reduction);
        routing_.combination({at.router, at.port, {}, {}, 0, field}, part.what);
        if (part.what.inputs.size() == 0) continue;
        graph_.add_use(graph_.vertex(channel, part.vc()));
        parts_.push_back(part);
      }
    }
  }

  void add_dependencies(const Part& part) {
    const RouterId router = graph_.channels().end(part.channel).router;
    const Vertex here = graph_.vertex(part.channel, part.vc());
    const Vertex came = arrival(part.reduction, part.channel);
    if (graph_.uses(here) > 1) graph_.add_edge(came, here);
    for (const PortId port : part.what.inputs) {
      const std::uint32_t other = arriving_[index(router)][index(port)];
      if (other != part.channel) graph_.add_edge(here, arrival(part.reduction, other));
    }
    for (const Branch& branch : part.what.branches) {
      const std::uint32_t next = adjacency_.leaving(router, branch.output);
      if (next == Adjacency::kNone) continue;
      graph_.add_edge(here, graph_.vertex(next, part.vc()));
      graph_.add_edge(arrival(part.reduction, next), came);
    }
  }

  Vertex arrival(std::uint32_t reduction, std::size_t channel) const {
    return graph_.other(reduction * (graph_.channels().count() + 1) + channel);
  }

  const Routing& routing_;
  const Adjacency adjacency_;
  Graph graph_;
  std::vector<std::vector<std::uint32_t>> arriving_;  // Per router and input, the channel.
  std::vector<Part> parts_;
};

}  // namespace

DependencyCheck check_reductions(const Topology& topology, const Routing& routing,
                                 std::size_t virtual_channels) {
  return ReductionGraph(topology, routing, virtual_channels).check();
}

}  // namespace flitcast
