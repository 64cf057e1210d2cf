// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "routing/routing.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

namespace flitcast {

// Paths that algorithms choose, and paths on which a routing carries messages.

/// The sender and the receiver of a message.
struct NodePair {
  NodeId from{};
  NodeId to{};
};

/// Counts events per item and round; a new round starts from 0 without clearing the counters.
class Tally {
 public:
  explicit Tally(std::size_t items) : entries_(items) {}

  /// Counts an event for `item` and returns its count in `round`. Rounds must not decrease.
  std::uint32_t add(std::size_t item, std::uint32_t round) {
    Entry& entry = entries_[item];
    if (entry.round != round) entry = {round, 0};
    return ++entry.count;
  }

 private:
  struct Entry {
    std::uint32_t round = ~0U;
    std::uint32_t count = 0;
  };
  std::vector<Entry> entries_;
};

/// The port of the opposite direction in the same dimension of a grid: a message that leaves by
/// `port` enters the next router by the opposite port, and a message that enters by `port` goes
/// straight on by it. Also the output that leads back along a link.
constexpr PortId opposite(PortId port) { return PortId(index(port) ^ 1U); }

/// The node that an output of a grid leads to; the port must be connected.
NodeId neighbour(const Grid& grid, NodeId node, PortId output);

/// Steps from one node to another in one dimension, positive upwards. Where the grid wraps they go
/// the shorter way round; at exactly half way round, up or, with `minus_on_tie`, down.
std::int64_t shortest_steps(const Grid& grid, std::size_t dimension, NodeId from, NodeId to,
                            bool minus_on_tie = false);

/// Appends |steps| hops in one dimension, upwards for positive steps.
void append_hops(std::vector<PortId>& path, std::size_t dimension, std::int64_t steps);

/// The node `steps` places further in a dimension. It wraps round where the grid does, and must
/// stay inside where the grid does not.
NodeId shifted(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t steps);

/// The shortest path by dimension order: dimension 0 first (XY), or last with `descending` (YX).
/// In a wrapped dimension it goes the shorter way round; at exactly half way round up, or down if
/// bit d of `minus_ties` is set.
std::vector<PortId> dimension_order_path(const Grid& grid, NodeId from, NodeId to,
                                         bool descending = false, std::uint8_t minus_ties = 0);

/// The e-cube path: differing bits, most significant first.
std::vector<PortId> e_cube_path(const Hypercube& cube, NodeId from, NodeId to);

/// The Flit::ties of a packet that must take the path, as DimensionOrder and O1Turn read them: on
/// grids bit d is set where the path goes down dimension d, and bit `dimensions` where it takes the
/// dimensions in descending order. 0 on other topologies.
std::uint8_t header_bits(const Topology& topology, const Path& path);

/// The first message whose path differs from the one that the routing takes with those header bits;
/// empty if the routing carries out the schedule as it is. O(messages * hops).
std::optional<std::size_t> first_unroutable(const Topology& topology, const Routing& routing,
                                            const Schedule& schedule);

/// The paths on which a routing carries the messages of a schedule that prescribes none, counted in
/// channels between routers.
struct MessagePaths {
  std::vector<std::uint32_t> hops;             ///< By message: the number of hops.
  std::vector<std::size_t> longest_per_round;  ///< By round: the hops of the longest path.
  /// By round: the most messages that share a channel. A round of 1 is free of contention: ranks
  /// send and receive one message at a time, so they share nothing else.
  std::vector<std::size_t> load_per_round;
};

/// Follows the messages through the routing. Returns no value where a path is not certain: for
/// multicasts, for routings that choose in flight, for sources that draw one of several paths or
/// break ties at random, for paths that depend on the port at which a packet enters, and where the
/// routing does not reach the receiver. O(hops), times the VCs, and the ports of a node, for
/// routings that depend on the arrival.
std::optional<MessagePaths> paths_of(const Topology& topology, const Routing& routing,
                                     const Schedule& schedule, const Placement& placement = {});

}  // namespace flitcast
