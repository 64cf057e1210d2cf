// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "collective/schedule.h"
#include "routing/walk.h"
#include "topology/adjacency.h"

namespace flitcast {

/// True if a message takes the path on which routers with this routing carry it.
inline bool goes_as_routed(const Topology& topology, const Adjacency& adjacency,
                           const Routing& routing, const Schedule& schedule, std::size_t send) {
  const Path path = schedule.path(send);
  const Walk routed =
      walk(topology, adjacency, routing, schedule.message(send).from, schedule.message(send).to);
  if (routed.hops.size() != path.size()) return false;
  for (std::size_t hop = 0; hop < path.size(); ++hop) {
    if (routed.hops[hop].output != path[hop]) return false;
  }
  return true;
}

/// The number of messages of a schedule for which goes_as_routed() holds.
inline std::size_t sends_as_routed(const Topology& topology, const Routing& routing,
                                   const Schedule& schedule) {
  const Adjacency adjacency(topology);
  std::size_t count = 0;
  for (std::size_t send = 0; send < schedule.size(); ++send) {
    if (goes_as_routed(topology, adjacency, routing, schedule, send)) ++count;
  }
  return count;
}

}  // namespace flitcast
