// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "routing/routing.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// A channel to another router that a routing offers a packet.
struct Hop {
  std::uint32_t channel = 0;  ///< Into Topology::channels().
  VcSet vcs = 0;
  std::uint16_t route_field = 0;  ///< Of the packet's head from there on.
  bool waits = true;              ///< As Alternative::waits.
};

/// What packets for one destination with the same ties have in common.
struct Journey {
  NodeId destination{};
  std::uint8_t ties = 0;
};

/// Asks a routing where packets may go, for those who follow all packets on paper.
class HopFinder {
 public:
  /// All must outlive the finder.
  HopFinder(const Topology& topology, const Adjacency& adjacency, const Routing& routing,
            std::size_t virtual_channels);

  /// The ways on from an input of a router; none where the packet leaves the network. Valid until
  /// the next question.
  ///
  /// Throws std::logic_error if the routing leads out of an unconnected port, out of the local port
  /// of another node, offers no VC or one that does not exist, or nothing that the packet may wait
  /// for.
  const std::vector<Hop>& next_hops(const Journey& journey, Endpoint at, VcId vc,
                                    std::uint16_t route_field);

  /// The VCs by which a node injects; throws std::logic_error for those that there are not.
  VcSet injection_vcs(NodeId source, NodeId destination) const;
  /// The sources of packets for a destination, by the route fields that they may draw.
  std::map<std::uint16_t, std::vector<NodeId>> sources_by_field(NodeId destination) const;

 private:
  void add(const Journey& journey, RouterId router, const Alternative& option);
  void require_vcs(VcSet vcs, NodeId destination) const;

  const Topology& topology_;
  const Adjacency& adjacency_;
  const Routing& routing_;
  const VcSet all_;
  Alternatives answer_;
  std::vector<Hop> next_hops_;
  bool leaves_ = false;  // Out of the network.
};

}  // namespace flitcast
