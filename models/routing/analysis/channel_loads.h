// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// The share of the flits of `source` that go to `destination`, 0 to 1; absent if it is unknown.
using TrafficShares = std::function<std::optional<double>(NodeId source, NodeId destination)>;

/// The reason why channel loads cannot be computed.
class UnknownLoads : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The expected flits per cycle on every channel, by ChannelNumbering, if every node creates one
/// flit per cycle: the channel loads that determine the ideal throughput. The loads are exact: the
/// routing itself is asked for every source and destination, and the loads are averages over all
/// ties and choices. The ports of a node share its packets equally.
///
/// Works for every oblivious routing, multicasts included, where each branch carries the whole
/// flow.
/// Throws UnknownLoads for adaptive routings, if shares are unknown, if the path of a packet
/// depends on the virtual channel that it gets, and beyond `most_steps` calls of routing and
/// shares.
/// Throws std::logic_error if a path is a cycle or leaves by no channel.
///
/// Packets for one destination that meet on a channel go on as one flow. Time: O(destinations *
/// (sources + 2^tie_dimensions * used virtual channels)).
/// Source: Dally and Towles, Principles and Practices of Interconnection Networks (2004), section
/// 3.3.1.
std::vector<double> channel_loads(const Topology& topology, const Routing& routing,
                                  const TrafficShares& shares,
                                  std::uint64_t most_steps = 100'000'000);

/// @param loads  The share of the flits from `source` to `destination` on every channel.
using PairVisitor =
    std::function<void(NodeId source, NodeId destination, const std::vector<double>& loads)>;

/// Calls `visit` for every pair of nodes; the loads and the limits are those of channel_loads().
void for_each_pair(const Topology& topology, const Routing& routing, const PairVisitor& visit,
                   std::uint64_t most_steps = 100'000'000);

}  // namespace flitcast
