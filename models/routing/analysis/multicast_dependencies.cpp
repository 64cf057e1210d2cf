// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "routing/analysis/deadlock.h"
#include "routing/analysis/find_cycle.h"
#include "routing/multicast/multicast_routing.h"

namespace flitcast {
namespace {

using Vertex = std::uint32_t;
using Hops = std::vector<CopyHop>;

class MulticastGraph {
 public:
  MulticastGraph(const Topology& topology, const MulticastRouting& routing,
                 std::size_t virtual_channels, Copying copying)
      : topology_(topology),
        routing_(routing),
        virtual_channels_(virtual_channels),
        copying_(copying),
        adjacency_(topology) {
    for (const RouterId router : topology.routers()) {
      first_output_.push_back(outputs_);
      outputs_ += topology.output_count(router);
    }
    edges_.resize(outputs_ * virtual_channels);
    used_.resize(edges_.size(), false);
  }

  void add_all() {
    for (const NodeId source : topology_.nodes()) {
      for (const NodeId a : topology_.nodes()) {
        for (const NodeId b : topology_.nodes()) {
          if (a <= b && a != source && b != source) add_multicast(source, a, b);
        }
      }
    }
  }

  DependencyCheck check() const;

 private:
  void add_multicast(NodeId source, NodeId a, NodeId b);
  void add_packet(const Hops& hops);
  void add_branches(const Hops& hops, std::size_t lower, std::size_t higher);
  void add_beyond(const Hops& hops, std::size_t held, std::size_t branch);
  void add_edges(const CopyHop& held, const CopyHop& wanted);

  // Hops are in depth-first order: those behind a hop follow it.
  static std::size_t end_of(const Hops& hops, std::size_t hop) {
    std::size_t end = hop + 1;
    while (end < hops.size() && hops[end].behind != CopyHop::kInjected && hops[end].behind >= hop) {
      ++end;
    }
    return end;
  }
  template <class Visit>
  void for_each_vertex(const CopyHop& hop, const Visit& visit) const {
    const std::size_t output = first_output_[index(hop.router)] + index(hop.output);
    for (const VcId vc : EachVc(hop.vcs)) {
      visit(static_cast<Vertex>(output * virtual_channels_ + index(vc)));
    }
  }
  VirtualChannel describe(std::size_t vertex) const;

  const Topology& topology_;
  const MulticastRouting& routing_;
  const std::size_t virtual_channels_;
  const Copying copying_;
  const Adjacency adjacency_;
  std::size_t outputs_ = 0;
  std::vector<std::size_t> first_output_;  // Per router.
  std::vector<std::set<Vertex>> edges_;
  std::vector<bool> used_;
};

void MulticastGraph::add_multicast(NodeId source, NodeId a, NodeId b) {
  const MulticastRouting::Nodes destinations =
      a == b ? MulticastRouting::Nodes{a} : MulticastRouting::Nodes{a, b};
  for (const MulticastRouting::Nodes& part : routing_.parts(source, destinations)) {
    add_packet(follow(topology_, adjacency_, routing_, source, part));
  }
}

void MulticastGraph::add_packet(const Hops& hops) {
  for (std::size_t h = 0; h < hops.size(); ++h) {
    for_each_vertex(hops[h], [this](Vertex vertex) { used_[vertex] = true; });
    if (hops[h].behind != CopyHop::kInjected) add_edges(hops[hops[h].behind], hops[h]);
    const std::size_t next = end_of(hops, h);
    for (std::size_t s = next; s < hops.size(); s = end_of(hops, s)) {
      if (hops[s].behind == hops[h].behind) add_branches(hops, h, s);
    }
  }
}

// Adds the dependencies between two outputs of one router; the packet requests the lower one first.
void MulticastGraph::add_branches(const Hops& hops, std::size_t lower, std::size_t higher) {
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

// Adds the channels that the packet requests right behind a branch; their dependencies lead
// further.
void MulticastGraph::add_beyond(const Hops& hops, std::size_t held, std::size_t branch) {
  for (std::size_t next = branch + 1; next < end_of(hops, branch); ++next) {
    if (hops[next].behind == branch) add_edges(hops[held], hops[next]);
  }
}

void MulticastGraph::add_edges(const CopyHop& held, const CopyHop& wanted) {
  for_each_vertex(held, [&](Vertex from) {
    for_each_vertex(wanted, [&](Vertex to) { edges_[from].insert(to); });
  });
}

// A consumption channel begins and ends at its router.
VirtualChannel MulticastGraph::describe(std::size_t vertex) const {
  const std::size_t output = vertex / virtual_channels_;
  const auto next = std::upper_bound(first_output_.begin(), first_output_.end(), output);
  const auto router = to_id<RouterId>(static_cast<std::size_t>(next - first_output_.begin() - 1));
  const auto port = to_id<PortId>(output - first_output_[index(router)]);
  const std::uint32_t channel = adjacency_.leaving(router, port);
  const bool consumes = channel == Adjacency::kNone;
  return {router, port, consumes ? router : topology_.channels()[channel].to.router,
          to_id<VcId>(vertex % virtual_channels_)};
}

DependencyCheck MulticastGraph::check() const {
  DependencyCheck check;
  check.channels = static_cast<std::size_t>(std::count(used_.begin(), used_.end(), true));
  check.waited_for = check.channels;
  for (const std::set<Vertex>& some : edges_) check.dependencies += some.size();
  for (const std::size_t vertex : find_cycle(edges_)) check.cycle.push_back(describe(vertex));
  check.cyclic = !check.cycle.empty();
  return check;
}

}  // namespace

DependencyCheck check_multicasts(const Topology& topology, const MulticastRouting& routing,
                                 std::size_t virtual_channels, Copying copying) {
  MulticastGraph graph(topology, routing, virtual_channels, copying);
  graph.add_all();
  return graph.check();
}

}  // namespace flitcast
