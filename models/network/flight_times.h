// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/network_params.h"
#include "topology/adjacency.h"
#include "topology/topology.h"

namespace flitcast {

/// The least time that a packet takes through a network: over the fewest channels from its source
/// to its destination, each with the least latency of any, past nothing else. A packet alone in a
/// network whose channels are alike takes this time if its routing is minimal, nodes have one port
/// and buffers cover the credit round trip, unless routers store packets as a whole.
class FlightTimes {
 public:
  /// Both must outlive the object.
  FlightTimes(const Topology& topology, const NetworkParams& params);

  /// Cycles from the creation of a packet of `flits` flits to the arrival of its tail, at least.
  /// The first call for a source takes time in proportion to the channels, and memory to the nodes.
  std::uint64_t least(NodeId from, NodeId to, std::uint32_t flits) {
    return ends_ + hops(from, to) * per_hop_ + (flits - 1) * per_flit_;
  }
  /// The fewest channels between routers from a node to another, or kUnreached.
  std::uint32_t hops(NodeId from, NodeId to);

 private:
  std::vector<std::uint32_t> hops_from(NodeId source) const;

  const Topology& topology_;
  const std::uint64_t ends_;  // Cycles of a packet of one flit over no channel.
  std::uint64_t per_hop_;
  const std::uint64_t per_flit_;
  const Adjacency adjacency_;
  std::vector<std::vector<std::uint32_t>> hops_;  // By source, then destination; empty: unknown.
};

}  // namespace flitcast
