// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/reduction_dependencies.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "routing/analysis/find_cycle.h"
#include "topology/adjacency.h"

namespace flitcast {
namespace {

using Vertex = std::uint32_t;

/// Its vertices are the VCs of all inputs of routers and, behind them, for each reduction the same
/// inputs once more: that a part of it comes to the front there.
class ReductionGraph {
 public:
  ReductionGraph(const Topology& topology, const Routing& routing, std::size_t virtual_channels);

  DependencyCheck check() const;

 private:
  /// An input of a router by which a part of a reduction comes.
  struct Part {
    std::uint32_t reduction;
    RouterId router;
    PortId input;
    Combination what;

    // All VCs that it may be in are one.
    unsigned vc() const { return static_cast<unsigned>(__builtin_ctz(what.branches.begin()->vcs)); }
  };

  void find_inputs();
  void find_parts(std::uint32_t reduction);
  void add_dependencies(const Part& part);
  void add_edge(Vertex from, Vertex to) { edges_[from].push_back(to); }

  std::size_t input(RouterId router, PortId port) const {
    return first_input_[index(router)] + index(port);
  }
  Vertex channel(RouterId router, PortId port, unsigned vc) const {
    return static_cast<Vertex>(input(router, port) * virtual_channels_ + vc);
  }
  Vertex arrival(std::uint32_t reduction, RouterId router, PortId port) const {
    return static_cast<Vertex>(inputs_ * virtual_channels_ + reduction * inputs_ +
                               input(router, port));
  }
  VirtualChannel describe(Vertex vertex) const;

  const Topology& topology_;
  const Routing& routing_;
  const std::size_t virtual_channels_;
  const Adjacency adjacency_;
  std::size_t inputs_ = 0;
  std::vector<std::size_t> first_input_;   // Per router.
  std::vector<std::uint32_t> channel_of_;  // Per input: the channel that ends there, or kNone.
  std::vector<Part> parts_;
  std::vector<std::uint32_t> users_;  // Per VC of an input: reductions.
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
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
    first_input_.push_back(inputs_);
    inputs_ += topology_.input_count(RouterId{r});
  }
  channel_of_.assign(inputs_, Adjacency::kNone);
  for (std::uint32_t c = 0; c < topology_.channels().size(); ++c) {
    const Endpoint to = topology_.channels()[c].to;
    channel_of_[input(to.router, to.port)] = c;
  }
}

void ReductionGraph::find_parts(std::uint32_t reduction) {
  for (std::uint32_t r = 0; r < topology_.router_count(); ++r) {
    const auto inputs = static_cast<std::uint16_t>(topology_.input_count(RouterId{r}));
    for (std::uint16_t port = 0; port < inputs; ++port) {
      Part part{reduction, RouterId{r}, PortId{port}, {}};
      const auto field = static_cast<std::uint16_t>(reduction);
      routing_.combination({part.router, part.input, {}, {}, 0, field}, part.what);
      if (part.what.inputs.size() == 0) continue;
      ++users_[channel(part.router, part.input, part.vc())];
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

VirtualChannel ReductionGraph::describe(Vertex vertex) const {
  const std::size_t place = vertex / virtual_channels_;
  const VcId vc{static_cast<std::uint8_t>(vertex % virtual_channels_)};
  if (channel_of_[place] != Adjacency::kNone) {
    const Channel& channel = topology_.channels()[channel_of_[place]];
    return {channel.from.router, channel.from.port, channel.to.router, vc};
  }
  const auto next = std::upper_bound(first_input_.begin(), first_input_.end(), place);
  const RouterId router{static_cast<std::uint32_t>(next - first_input_.begin() - 1)};
  const auto port = static_cast<std::uint16_t>(place - first_input_[index(router)]);
  return {router, PortId{port}, router, vc, true};
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
  for (const Vertex vertex : find_cycle(edges_)) {
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
