// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// The channel-dependency graph: its vertices are the virtual channels between routers, and an edge
/// says that some packet can hold the first channel while it waits for the second. Memory: 4 bytes
/// per VC and output of the router behind each link.
class DependencyGraph {
 public:
  /// A VC of a link; `channel` indexes Topology::channels().
  struct Vertex {
    std::uint32_t channel = 0;
    VcId vc{};
  };

  /// `topology` and `adjacency` must outlive the graph.
  DependencyGraph(const Topology& topology, const Adjacency& adjacency,
                  std::size_t virtual_channels);

  /// Records that some packet can be in these VCs of the channel, and if packets wait for them.
  void add_use(std::uint32_t channel, VcSet vcs, bool waits) {
    used_[channel] |= vcs;
    if (waits) waited_[channel] |= vcs;
  }

  /// Records that some packet can hold any of the VCs `held` of a channel and request any of the
  /// VCs `wanted` of the channel `next`, which begins where `channel` ends.
  void add_dependency(std::uint32_t channel, VcSet held, std::uint32_t next, VcSet wanted);

  std::size_t channel_count() const;     ///< Virtual channels in use.
  std::size_t waited_count() const;      ///< Virtual channels that packets wait for.
  std::size_t dependency_count() const;  ///< Distinct edges.

  /// A cycle, in which each vertex depends on the next and the last on the first; empty if none
  /// exists. Time: O(vertices + edges).
  std::vector<Vertex> find_cycle() const;
  /// A cycle with a vertex that packets wait for; empty if there is none. Time: O(vertices that
  /// packets wait for * (vertices + edges) reached from them).
  std::vector<Vertex> find_waited_cycle() const;

 private:
  std::size_t number(Vertex vertex) const {
    return std::size_t{vertex.channel} * virtual_channels_ + index(vertex.vc);
  }
  Vertex vertex(std::size_t number) const {
    return {static_cast<std::uint32_t>(number / virtual_channels_),
            to_id<VcId>(number % virtual_channels_)};
  }
  std::vector<Vertex> vertices(const std::vector<std::size_t>& numbers) const;
  /// The vertices that a vertex depends on, by rising output and VC.
  std::vector<std::uint32_t> successors(std::size_t number) const;
  std::vector<Vertex> find_cycle_through(std::size_t start) const;

  const Topology& topology_;
  const Adjacency& adjacency_;
  std::size_t virtual_channels_;
  std::vector<VcSet> used_;    // Per channel.
  std::vector<VcSet> waited_;  // Per channel.
  std::vector<std::size_t>
      first_;                 // Per channel, the number of outputs behind all earlier channels.
  std::vector<VcSet> edges_;  // Per channel, VC and output of the next router.
};

}  // namespace flitcast
