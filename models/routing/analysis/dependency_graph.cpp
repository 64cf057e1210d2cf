// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/dependency_graph.h"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace flitcast {
namespace {

std::size_t count_bits(const std::vector<VcSet>& sets) {
  return std::accumulate(sets.begin(), sets.end(), std::size_t{0}, [](std::size_t sum, VcSet set) {
    return sum + std::bitset<32>(set).count();
  });
}

// Each channel is represented by the one with the lowest output among those between the same
// routers.
std::vector<std::uint32_t> first_parallel_channels(const Topology& topology,
                                                   const Adjacency& adjacency) {
  std::vector<std::uint32_t> first(topology.channels().size());
  for (std::uint32_t c = 0; c < first.size(); ++c) {
    const Channel& channel = topology.channels()[c];
    for (std::uint16_t port = 0; port <= index(channel.from.port); ++port) {
      const std::uint32_t candidate = adjacency.leaving(channel.from.router, PortId{port});
      if (candidate == Adjacency::kNone) continue;
      first[c] = candidate;
      if (topology.channels()[candidate].to.router == channel.to.router) break;
    }
  }
  return first;
}

}  // namespace

DependencyGraph::DependencyGraph(const Topology& topology, const Adjacency& adjacency,
                                 std::size_t virtual_channels, ChannelIdentity identity)
    : topology_(topology), adjacency_(adjacency), virtual_channels_(virtual_channels) {
  const std::size_t channels = topology.channels().size();
  if (identity == ChannelIdentity::kRouterPair) {
    identity_ = first_parallel_channels(topology, adjacency);
  } else {
    identity_.resize(channels);
    std::iota(identity_.begin(), identity_.end(), 0);
  }
  std::size_t outputs = 0;
  for (const Channel& channel : topology.channels()) {
    first_.push_back(outputs);
    outputs += topology.output_count(channel.to.router);
  }
  used_.assign(channels, 0);
  waited_.assign(channels, 0);
  edges_.assign(outputs * virtual_channels, 0);
}

std::size_t DependencyGraph::first_edge(Vertex vertex) const {
  const RouterId next_router = topology_.channels()[vertex.channel].to.router;
  return first_[vertex.channel] * virtual_channels_ +
         index(vertex.vc) * topology_.output_count(next_router);
}

void DependencyGraph::add_dependency(Vertex held, std::uint32_t next, VcSet vcs) {
  held.channel = identity_[held.channel];
  const PortId output = topology_.channels()[identity_[next]].from.port;
  edges_[first_edge(held) + index(output)] |= vcs;
}

std::size_t DependencyGraph::channel_count() const { return count_bits(used_); }

std::size_t DependencyGraph::waited_count() const { return count_bits(waited_); }

std::size_t DependencyGraph::dependency_count() const { return count_bits(edges_); }

// A vertex on the path of the search and what remains of its edges.
struct DependencyGraph::Frame {
  Vertex vertex;
  std::uint16_t next_output = 0;
  VcSet vcs = 0;  // Of output next_output - 1.
};

std::optional<DependencyGraph::Vertex> DependencyGraph::next_successor(Frame& frame) const {
  const RouterId router = topology_.channels()[frame.vertex.channel].to.router;
  while (frame.vcs == 0) {
    if (frame.next_output == topology_.output_count(router)) return std::nullopt;
    frame.vcs = edges_[first_edge(frame.vertex) + frame.next_output++];
  }
  const auto vc = static_cast<std::uint8_t>(__builtin_ctz(frame.vcs));
  frame.vcs &= frame.vcs - 1;
  const PortId output{static_cast<std::uint16_t>(frame.next_output - 1)};
  return Vertex{adjacency_.leaving(router, output), VcId{vc}};
}

std::vector<DependencyGraph::Vertex> DependencyGraph::find_cycle() const {
  std::vector<Mark> marks(topology_.channels().size() * virtual_channels_, Mark::kNew);
  for (std::uint32_t channel = 0; channel < used_.size(); ++channel) {
    for (std::uint8_t vc = 0; vc < virtual_channels_; ++vc) {
      const Vertex start{channel, VcId{vc}};
      if (marks[number(start)] != Mark::kNew) continue;
      std::vector<Vertex> cycle = find_cycle_from(start, marks);
      if (!cycle.empty()) return cycle;
    }
  }
  return {};
}

std::vector<DependencyGraph::Vertex> DependencyGraph::find_cycle_from(
    Vertex start, std::vector<Mark>& marks) const {
  std::vector<Frame> path{{start}};
  marks[number(start)] = Mark::kOnPath;
  while (!path.empty()) {
    const std::optional<Vertex> next = next_successor(path.back());
    if (!next) {
      marks[number(path.back().vertex)] = Mark::kDone;
      path.pop_back();
    } else if (marks[number(*next)] == Mark::kNew) {
      marks[number(*next)] = Mark::kOnPath;
      path.push_back({*next});
    } else if (marks[number(*next)] == Mark::kOnPath) {
      std::vector<Vertex> cycle;
      auto frame = std::find_if(path.begin(), path.end(),
                                [&](const Frame& f) { return number(f.vertex) == number(*next); });
      for (; frame != path.end(); ++frame) cycle.push_back(frame->vertex);
      return cycle;
    }
  }
  return {};
}

std::vector<DependencyGraph::Vertex> DependencyGraph::find_waited_cycle() const {
  for (std::uint32_t channel = 0; channel < waited_.size(); ++channel) {
    for (VcSet vcs = waited_[channel]; vcs != 0; vcs &= vcs - 1) {
      const VcId vc{static_cast<std::uint8_t>(__builtin_ctz(vcs))};
      std::vector<Vertex> cycle = find_cycle_through({channel, vc});
      if (!cycle.empty()) return cycle;
    }
  }
  return {};
}

// Breadth first, so that the cycle is a short one.
std::vector<DependencyGraph::Vertex> DependencyGraph::find_cycle_through(Vertex start) const {
  std::unordered_set<std::size_t> met{number(start)};
  std::vector<std::pair<Vertex, std::size_t>> queue{{start, 0}};  // Each with who led to it.
  for (std::size_t at = 0; at < queue.size(); ++at) {
    Frame frame{queue[at].first};
    while (const std::optional<Vertex> next = next_successor(frame)) {
      if (number(*next) == number(start)) {
        std::vector<Vertex> cycle;
        for (std::size_t step = at; step != 0; step = queue[step].second) {
          cycle.push_back(queue[step].first);
        }
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (met.insert(number(*next)).second) queue.emplace_back(*next, at);
    }
  }
  return {};
}

}  // namespace flitcast
