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

/// How much of what `source` creates goes to `destination`, 0 to 1; absent if nobody knows.
using TrafficShares = std::function<std::optional<double>(NodeId source, NodeId destination)>;

/// Why the loads of the channels cannot be told beforehand.
class UnknownLoads : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The flits per cycle that every channel is expected to carry if every node creates one flit per
/// cycle, by ChannelNumbering: the channel loads on which the ideal throughput rests. Exact: asks
/// the routing itself for every source and destination and averages over all ties and choices. The
/// ports of a node share what it sends equally, as its packets take turns.
///
/// Holds for every oblivious routing, also where packets branch: each branch carries all of them.
/// Throws UnknownLoads for adaptive routings, where shares are unknown, where the way of a packet
/// depends on which of its virtual channels it gets, and for more than `most_steps` questions to
/// routing and shares. Throws std::logic_error if a way leads round in a cycle or out of no
/// channel.
///
/// Packets for one destination that meet on a channel go on as one flow. Time: O(destinations *
/// (sources + 2^tie_dimensions * used virtual channels)). Source: Dally and Towles, Principles and
/// Practices of Interconnection Networks (2004), section 3.3.1.
std::vector<double> channel_loads(const Topology& topology, const Routing& routing,
                                  const TrafficShares& shares,
                                  std::uint64_t most_steps = 100'000'000);

}  // namespace flitcast
