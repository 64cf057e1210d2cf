// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "collective/discipline.h"
#include "collective/plan.h"
#include "collective/precondition.h"
#include "collective/step_machine.h"
#include "routing/walk.h"
#include "support/test_catch.h"
#include "topology/adjacency.h"

namespace flitcast {

/// Judges a wormhole broadcast against its own claim; whatever is wrong fails the test.
inline Judgement judge_broadcast(const Topology& topology, NodeId source, const Plan& plan,
                                 unsigned ports = kAllPorts) {
  Demand demand;
  demand.nodes = topology.node_count();
  demand.source = source;
  Judgement judgement =
      judge(topology, plan.schedule, demand, {Switching::kWormhole, ports}, plan.claim);
  INFO(topology.name() << " from " << index(source));
  INFO((judgement.legal() ? "legal" : judgement.violations.front().text));
  CHECK(judgement.legal());
  return judgement;
}

/// Whether a message takes the way that routers with this routing take it.
inline bool goes_as_routed(const Topology& topology, const Adjacency& adjacency,
                           const Routing& routing, const Schedule& schedule, std::size_t send) {
  const Path path = schedule.path(send);
  const Walk routed =
      walk(topology, adjacency, routing, schedule.send(send).from, schedule.send(send).to);
  if (routed.hops.size() != path.size()) return false;
  for (std::size_t hop = 0; hop < path.size(); ++hop) {
    if (routed.hops[hop].output != path[hop]) return false;
  }
  return true;
}

/// How many messages of a schedule do.
inline std::size_t sends_as_routed(const Topology& topology, const Routing& routing,
                                   const Schedule& schedule) {
  const Adjacency adjacency(topology);
  std::size_t count = 0;
  for (std::size_t send = 0; send < schedule.size(); ++send) {
    if (goes_as_routed(topology, adjacency, routing, schedule, send)) ++count;
  }
  return count;
}

inline std::size_t sum(const std::vector<std::size_t>& numbers) {
  std::size_t total = 0;
  for (const std::size_t number : numbers) total += number;
  return total;
}

/// A list of the specification: {1, 2, 4} for "1;2;4".
using Numbers = std::vector<std::size_t>;

/// Why an algorithm refuses an instance; fails the test if it does not.
template <class Algorithm>
PreconditionError refusal(const Algorithm& algorithm) {
  try {
    algorithm();
  } catch (const PreconditionError& error) {
    return error;
  }
  FAIL("the instance is not refused");
  throw;  // Never reached: FAIL throws.
}

}  // namespace flitcast
