// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include "routing/analysis/deadlock.h"
#include "routing/analysis/find_cycle.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

using Vertex = std::uint32_t;

/// Its vertices are the VCs of all router inputs, and after them one vertex per reduction and
/// input: the arrival of a packet of the reduction at the front of that input.
class ReductionGraph {
 public:
  ReductionGraph(const Topology& topology, const Routing& routing, std::size_t virtual_channels);

  DependencyCheck check() const;

 private:
  /// A router input at which packets of a reduction arrive.
  struct Part {
    std::uint32_t reduction;
    RouterId router;
    PortId input;
    Combination what;

    // A reduction uses a single VC.
    VcId vc() const { return lowest_vc(what.branches.begin()->vcs); }
  };

  void find_inputs();
  void find_parts(std::uint32_t reduction);
  void add_dependencies(const Part& part);
  void add_edge(Vertex from, Vertex to) { edges_[from].push_back(to); }

  std::size_t input(RouterId router, PortId port) const {
    return first_input_[index(router)] + index(port);
  }
  Vertex channel(RouterId router, PortId port, VcId vc) const {
    return static_cast<Vertex>(input(router, port) * virtual_channels_ + index(vc));
  }
  Vertex arrival(std::uint32_t reduction, RouterId router, PortId port) const {
    return static_cast<Vertex>(inputs_ * virtual_channels_ + reduction * inputs_ +
                               input(router, port));
  }
  VirtualChannel describe(std::size_t vertex) const;

  const Topology& topology_;
  const Routing& routing_;
  const std::size_t virtual_channels_;
  const Adjacency adjacency_;
  std::size_t inputs_ = 0;
  std::vector<std::size_t> first_input_;   // Per router.
  std::vector<std::uint32_t> channel_of_;  // Per input, the channel that ends there, or kNone.
  std::vector<Part> parts_;
  std::vector<std::uint32_t> users_;  // Per VC of an input, the number of reductions that use it.
  std::vector<std::vector<Vertex>> edges_;
};

ReductionGraph::ReductionGraph(const Topology& topology, const Routing& routing,
                               std::size_t virtual_channels)
    : topology_(topology),
      routing_(routing),
      virtual_channels_(virtual_channels),
      adjacency_(topology) {
  find_inputs();
  users_.resize(inputs_ * virtual_channels);
  edges_.resize(inputs_ * (virtual_channels + routing.reductions()));
  for (std::uint32_t r = 0; r < routing.reductions(); ++r) find_parts(r);
  for (const Part& part : parts_) add_dependencies(part);
}

void ReductionGraph::find_inputs() {
  for (const RouterId router : topology_.routers()) {
    first_input_.push_back(inputs_);
    inputs_ += topology_.input_count(router);
  }
  channel_of_.assign(inputs_, Adjacency::kNone);
  for (std::uint32_t c = 0; c < topology_.channels().size(); ++c) {
    const Endpoint to = topology_.channels()[c].to;
    channel_of_[input(to.router, to.port)] = c;
  }
}

void ReductionGraph::find_parts(std::uint32_t reduction) {
  for (const RouterId router : topology_.routers()) {
    for (const PortId port : topology_.inputs(router)) {
      Part part{reduction, router, port, {}};
      const auto field = static_cast<std::uint16_t>(reduction);
      routing_.combination({router, port, {}, {}, 0, field}, part.what);
      if (part.what.inputs.size() == 0) continue;
      ++users_[channel(router, port, part.vc())];
      parts_.push_back(part);
    }
  }
}

void ReductionGraph::add_dependencies(const Part& part) {
  const Vertex here = channel(part.router, part.input, part.vc());
  const Vertex came = arrival(part.reduction, part.router, part.input);
  if (users_[here] > 1) add_edge(came, here);
  for (const PortId other : part.what.inputs) {
    if (other != part.input) add_edge(here, arrival(part.reduction, part.router, other));
  }
  for (const Branch& branch : part.what.branches) {
    const std::uint32_t next = adjacency_.leaving(part.router, branch.output);
    if (next == Adjacency::kNone) continue;
    const Endpoint to = topology_.channels()[next].to;
    add_edge(here, channel(to.router, to.port, part.vc()));
    add_edge(arrival(part.reduction, to.router, to.port), came);
  }
}

VirtualChannel ReductionGraph::describe(std::size_t vertex) const {
  const std::size_t input = vertex / virtual_channels_;
  const auto vc = to_id<VcId>(vertex % virtual_channels_);
  if (channel_of_[input] != Adjacency::kNone) {
    const Channel& channel = topology_.channels()[channel_of_[input]];
    return {channel.from.router, channel.from.port, channel.to.router, vc};
  }
  const auto next = std::upper_bound(first_input_.begin(), first_input_.end(), input);
  const auto router = to_id<RouterId>(static_cast<std::size_t>(next - first_input_.begin() - 1));
  return {router, to_id<PortId>(input - first_input_[index(router)]), router, vc, true};
}

DependencyCheck ReductionGraph::check() const {
  DependencyCheck check;
  check.channels = static_cast<std::size_t>(
      std::count_if(users_.begin(), users_.end(), [](std::uint32_t users) { return users > 0; }));
  check.waited_for = check.channels;
  for (const std::vector<Vertex>& edges : edges_) {
    check.dependencies += static_cast<std::size_t>(std::count_if(
        edges.begin(), edges.end(), [this](Vertex to) { return to < users_.size(); }));
  }
  for (const std::size_t vertex : find_cycle(edges_)) {
    if (vertex < users_.size()) check.cycle.push_back(describe(vertex));
  }
  check.cyclic = !check.cycle.empty();
  return check;
}

}  // namespace

DependencyCheck check_reductions(const Topology& topology, const Routing& routing,
                                 std::size_t virtual_channels) {
  return ReductionGraph(topology, routing, virtual_channels).check();
}

}  // namespace flitcast
