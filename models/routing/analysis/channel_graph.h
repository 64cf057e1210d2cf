// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/sequences.h"
#include "routing/analysis/deadlock.h"
#include "topology/channel_numbering.h"

namespace flitcast {

/// A cycle of a directed graph with the vertices 0 .. vertices - 1: each vertex leads to the next
/// and the last to the first. Empty if there is no cycle. Searches depth first, without recursion,
/// in O(vertices + edges).
/// @param successors  successors(vertex) returns the successors of the vertex, which the search
///                    visits in their order.
template <class Successors>
std::vector<std::size_t> find_cycle(std::size_t vertices, const Successors& successors) {
  enum class Mark : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::size_t vertex;
    std::vector<std::uint32_t> next;
    std::size_t taken = 0;
  };
  std::vector<Mark> marks(vertices, Mark::kNew);
  std::vector<Step> path;
  const auto enter = [&](std::size_t vertex) {
    marks[vertex] = Mark::kOnPath;
    path.push_back({vertex, successors(vertex)});
  };
  for (std::size_t start = 0; start < vertices; ++start) {
    if (marks[start] == Mark::kNew) enter(start);
    while (!path.empty()) {
      Step& here = path.back();
      if (here.taken == here.next.size()) {
        marks[here.vertex] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t next = here.next[here.taken++];
      if (marks[next] == Mark::kNew) {
        enter(next);
      } else if (marks[next] == Mark::kOnPath) {
        const std::vector<std::size_t> steps = mapped(path, &Step::vertex);
        return {std::find(steps.begin(), steps.end(), next), steps.end()};
      }
    }
  }
  return {};
}

/// Finds a cycle as above in a graph given, per vertex, as the container of the vertex's
/// successors.
template <class Vertices>
std::vector<std::size_t> find_cycle(const std::vector<Vertices>& edges) {
  return find_cycle(edges.size(), [&](std::size_t vertex) {
    return std::vector<std::uint32_t>(edges[vertex].begin(), edges[vertex].end());
  });
}

/// A dependency graph that includes the channels of nodes: its vertices are the VCs of all
/// channels, by ChannelNumbering, and then `others`, which are not channels.
/// @tparam Vertices  The container of a vertex's successors; a set drops equal edges.
template <class Vertices>
class ChannelGraph {
 public:
  using Vertex = std::uint32_t;

  /// `topology` must outlive the graph.
  ChannelGraph(const Topology& topology, std::size_t virtual_channels, std::size_t others = 0)
      : channels_(topology),
        virtual_channels_(virtual_channels),
        users_(channels_.count() * virtual_channels),
        edges_(users_.size() + others) {}

  const ChannelNumbering& channels() const { return channels_; }
  Vertex vertex(std::size_t channel, VcId vc) const {
    return static_cast<Vertex>(channel * virtual_channels_ + index(vc));
  }
  Vertex other(std::size_t number) const { return static_cast<Vertex>(users_.size() + number); }

  /// Counts a use of a channel's VC.
  void add_use(Vertex vertex) { ++users_[vertex]; }
  std::uint32_t uses(Vertex vertex) const { return users_[vertex]; }
  void add_edge(Vertex from, Vertex to) { edges_[from].insert(edges_[from].end(), to); }

  /// Counts the VCs in use and the edges to channels, and finds the channels of a cycle. Every VC
  /// in use counts as waited for.
  DependencyCheck check() const {
    DependencyCheck check;
    const auto is_channel = [this](Vertex vertex) { return vertex < users_.size(); };
    check.channels =
        users_.size() - static_cast<std::size_t>(std::count(users_.begin(), users_.end(), 0));
    check.waited_for = check.channels;
    for (const Vertices& some : edges_) {
      check.dependencies += static_cast<std::size_t>(count_if(some, is_channel));
    }
    for (const std::size_t vertex : find_cycle(edges_)) {
      if (vertex < users_.size()) check.cycle.push_back(describe(vertex));
    }
    check.cyclic = !check.cycle.empty();
    return check;
  }

 private:
  // A channel to a node begins and ends at the node's router.
  VirtualChannel describe(std::size_t vertex) const {
    const std::size_t channel = vertex / virtual_channels_;
    const bool link = channel < channels_.links();
    const bool injection = channels_.is_injection(channel);
    const Endpoint from = injection ? channels_.end(channel) : channels_.begin(channel);
    return {from.router, from.port, link ? channels_.end(channel).router : from.router,
            to_id<VcId>(vertex % virtual_channels_), injection};
  }

  const ChannelNumbering channels_;
  const std::size_t virtual_channels_;
  std::vector<std::uint32_t> users_;  // Per VC of a channel.
  std::vector<Vertices> edges_;
};

}  // namespace flitcast
