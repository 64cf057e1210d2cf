// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/dependency_graph.h"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "base/sequences.h"
#include "routing/analysis/channel_graph.h"

namespace flitcast {
namespace {

std::size_t count_bits(const std::vector<VcSet>& sets) {
  return sum_of<std::size_t>(sets, [](VcSet set) { return std::bitset<32>(set).count(); });
}

}  // namespace

DependencyGraph::DependencyGraph(const Topology& topology, const Adjacency& adjacency,
                                 std::size_t virtual_channels)
    : topology_(topology), adjacency_(adjacency), virtual_channels_(virtual_channels) {
  const std::size_t channels = topology.channels().size();
  first_ = starts_of(topology.channels(), [&](const Channel& channel) {
    return topology.output_count(channel.to.router);
  });
  used_.assign(channels, 0);
  waited_.assign(channels, 0);
  edges_.assign(first_.back() * virtual_channels, 0);
}

void DependencyGraph::add_dependency(std::uint32_t channel, VcSet held, std::uint32_t next,
                                     VcSet wanted) {
  const std::size_t outputs = topology_.output_count(topology_.channels()[channel].to.router);
  const std::size_t output = index(topology_.channels()[next].from.port);
  VcSet* edges = edges_.data() + first_[channel] * virtual_channels_ + output;
  for (const VcId vc : EachVc(held)) edges[index(vc) * outputs] |= wanted;
}

std::size_t DependencyGraph::channel_count() const { return count_bits(used_); }

std::size_t DependencyGraph::waited_count() const { return count_bits(waited_); }

std::size_t DependencyGraph::dependency_count() const { return count_bits(edges_); }

std::vector<std::uint32_t> DependencyGraph::successors(std::size_t number) const {
  const auto [channel, vc] = vertex(number);
  const RouterId router = topology_.channels()[channel].to.router;
  const std::size_t outputs = topology_.output_count(router);
  std::size_t edge = first_[channel] * virtual_channels_ + index(vc) * outputs;
  std::vector<std::uint32_t> all;
  for (const PortId output : topology_.outputs(router)) {
    for (const VcId next : EachVc(edges_[edge++])) {
      const std::size_t vertex = this->number({adjacency_.leaving(router, output), next});
      all.push_back(static_cast<std::uint32_t>(vertex));
    }
  }
  return all;
}

std::vector<DependencyGraph::Vertex> DependencyGraph::find_cycle() const {
  return vertices(flitcast::find_cycle(topology_.channels().size() * virtual_channels_,
                                       [this](std::size_t v) { return successors(v); }));
}

std::vector<DependencyGraph::Vertex> DependencyGraph::find_waited_cycle() const {
  for (std::uint32_t channel = 0; channel < waited_.size(); ++channel) {
    for (const VcId vc : EachVc(waited_[channel])) {
      std::vector<Vertex> cycle = find_cycle_through(number({channel, vc}));
      if (!cycle.empty()) return cycle;
    }
  }
  return {};
}

// Searches breadth first, so that the cycle is a short one.
std::vector<DependencyGraph::Vertex> DependencyGraph::find_cycle_through(std::size_t start) const {
  std::unordered_set<std::size_t> met{start};
  std::vector<std::pair<std::size_t, std::size_t>> queue{{start, 0}};  // Vertex, its predecessor.
  for (std::size_t at = 0; at < queue.size(); ++at) {
    for (const std::uint32_t next : successors(queue[at].first)) {
      if (next == start) {
        std::vector<std::size_t> cycle;
        for (std::size_t step = at; step != 0; step = queue[step].second) {
          cycle.push_back(queue[step].first);
        }
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return vertices(cycle);
      }
      if (met.insert(next).second) queue.emplace_back(next, at);
    }
  }
  return {};
}

std::vector<DependencyGraph::Vertex> DependencyGraph::vertices(
    const std::vector<std::size_t>& numbers) const {
  return mapped(numbers, [&](const std::size_t number) { return vertex(number); });
}

}  // namespace flitcast
