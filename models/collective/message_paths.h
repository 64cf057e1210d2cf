// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collective/placement.h"
#include "collective/schedule.h"
#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// The ways that a routing takes with the messages of a schedule which have no paths of their own.
/// MessagePaths are counted in channels between routers.
struct MessagePaths {
  std::vector<std::uint32_t> hops;             ///< Of every message.
  std::vector<std::size_t> longest_per_round;  ///< Every round.
  /// Most messages of a round that share a channel, every round. Rounds of 1 are free of
  /// contention: between ranks, which send and receive one message at a time, nothing else is
  /// shared.
  std::vector<std::size_t> load_per_round;
};

/// Follows the messages. Absent where their ways are not certain: multicasts, routings that choose
/// on the way, and sources that draw among several ways or break ties by a coin; also where a
/// routing leads nowhere. O(hops), times the virtual channels for routings that read the arrival.
std::optional<MessagePaths> paths_of(const Topology& topology, const Routing& routing,
                                     const Schedule& schedule, const Placement& placement = {});

}  // namespace flitcast
