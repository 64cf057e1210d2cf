// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "collective/cost.h"
#include "collective/demand.h"
#include "collective/schedule.h"
#include "routing/routing.h"
#include "topology/topology.h"
#include "traffic/collective_player.h"

namespace flitcast {

/// Schedule to play on the cycle-accurate network, with routers of the given switching.
struct ScheduleToPlay {
  const Topology& topology;  ///< Has as many node ports as the schedule needs.
  const Schedule& schedule;
  Demand demand;
  Switching switching = Switching::kStoreAndForward;
  CostModel cost{};  ///< Times of hops, flits and start-ups; see has_network().
  SchedulePlayer::Timing timing = SchedulePlayer::Timing::kRounds;
  std::uint32_t threads = 1;
  Placement placement{};  ///< Placement of the schedule's nodes.
};

/// Outcome of playing a schedule on the network.
struct NetworkOutcome {
  std::uint64_t cycles = 0;        ///< Cycles until all nodes were served.
  std::uint64_t wrong_chunks = 0;  ///< Chunks that are missing or differ from their origin's.
  bool finished = false;           ///< False if nothing moves any more.
};

/// True if a network can have these times: a hop takes at least two cycles, and the time in the
/// interfaces of two nodes fits into the start-up.
bool has_network(const CostModel& cost);

/// Returns the routing that play() uses for schedules without paths.
std::unique_ptr<Routing> routing_of_play(const Topology& topology, const Schedule& schedule);

/// Builds the network, plays the schedule, and audits the network at the end.
NetworkOutcome play(const ScheduleToPlay& what);

}  // namespace flitcast
