// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "routing/analysis/channel_graph.h"
#include "routing/analysis/deadlock.h"
#include "routing/multicast/multicast_routing.h"

namespace flitcast {
namespace {

using Hops = std::vector<CopyHop>;

class MulticastGraph {
 public:
  MulticastGraph(const Topology& topology, const MulticastRouting& routing,
                 std::size_t virtual_channels, Copying copying)
      : topology_(topology),
        routing_(routing),
        copying_(copying),
        adjacency_(topology),
        graph_(topology, virtual_channels) {}

  DependencyCheck check() {
    for (const NodeId source : topology_.nodes()) {
      for (const NodeId a : topology_.nodes()) {
        for (const NodeId b : topology_.nodes()) {
          if (a <= b && a != source && b != source) add_multicast(source, a, b);
        }
      }
    }
    return graph_.check();
  }

 private:
  // Hops are in depth-first order: the hops behind a hop follow it.
  static std::size_t end_of(const Hops& hops, std::size_t hop) {
    std::size_t end = hop + 1;
    while (end < hops.size() && hops[end].behind != CopyHop::kInjected && hops[end].behind >= hop) {
      ++end;
    }
    return end;
  }
  template <class Visit>
  void for_each_vertex(const CopyHop& hop, const Visit& visit) const {
    const bool consumes = hop.channel == Adjacency::kNone;
    const std::size_t channel =
        consumes ? graph_.channels().ejection(NodeId{index(hop.router)}) : hop.channel;
    for (const VcId vc : EachVc(hop.vcs)) visit(graph_.vertex(channel, vc));
  }

  void add_multicast(NodeId source, NodeId a, NodeId b) {
    const MulticastRouting::Nodes destinations =
        a == b ? MulticastRouting::Nodes{a} : MulticastRouting::Nodes{a, b};
    for (const MulticastRouting::Nodes& part : routing_.parts(source, destinations)) {
      add_packet(follow(topology_, adjacency_, routing_, source, part));
    }
  }

  void add_packet(const Hops& hops) {
    for (std::size_t h = 0; h < hops.size(); ++h) {
      for_each_vertex(hops[h], [this](std::uint32_t vertex) { graph_.add_use(vertex); });
      if (hops[h].behind != CopyHop::kInjected) add_edges(hops[hops[h].behind], hops[h]);
      const std::size_t next = end_of(hops, h);
      for (std::size_t s = next; s < hops.size(); s = end_of(hops, s)) {
        if (hops[s].behind == hops[h].behind) add_branches(hops, h, s);
      }
    }
  }

  // Adds the dependencies between two outputs of one router; the packet requests the lower one
  // first.
  void add_branches(const Hops& hops, std::size_t lower, std::size_t higher) {
    if (copying_ == Copying::kStored) return;
    add_edges(hops[lower], hops[higher]);
    if (copying_ == Copying::kWholePackets) return;
    for (std::size_t held = lower; held < end_of(hops, lower); ++held) {
      add_beyond(hops, held, higher);
    }
    for (std::size_t held = higher; held < end_of(hops, higher); ++held) {
      add_beyond(hops, held, lower);
    }
  }

  // Adds the dependencies of a held hop on the hops that the packet requests right behind a branch;
  // the dependencies of those hops lead further.
  void add_beyond(const Hops& hops, std::size_t held, std::size_t branch) {
    for (std::size_t next = branch + 1; next < end_of(hops, branch); ++next) {
      if (hops[next].behind == branch) add_edges(hops[held], hops[next]);
    }
  }

  void add_edges(const CopyHop& held, const CopyHop& wanted) {
    for_each_vertex(held, [&](std::uint32_t from) {
      for_each_vertex(wanted, [&](std::uint32_t to) { graph_.add_edge(from, to); });
    });
  }

  const Topology& topology_;
  const MulticastRouting& routing_;
  const Copying copying_;
  const Adjacency adjacency_;
  ChannelGraph<std::set<std::uint32_t>> graph_;
};

}  // namespace

DependencyCheck check_multicasts(const Topology& topology, const MulticastRouting& routing,
                                 std::size_t virtual_channels, Copying copying) {
  return MulticastGraph(topology, routing, virtual_channels, copying).check();
}

}  // namespace flitcast
