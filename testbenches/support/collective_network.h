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

/// A schedule to play on the cycle-accurate network, with routers of its switching.
struct ScheduleToPlay {
  const Topology& topology;  ///< With as many node ports as the schedule needs.
  const Schedule& schedule;
  Demand demand;
  Switching switching = Switching::kStoreAndForward;
  CostModel cost{};  ///< What hops, flits and start-ups of the network take; see has_network().
  SchedulePlayer::Timing timing = SchedulePlayer::Timing::kRounds;
  std::uint32_t threads = 1;
  Placement placement{};  ///< Of the schedule's nodes.
};

/// What the network made of it.
struct NetworkOutcome {
  std::uint64_t cycles = 0;        ///< Until everyone was served.
  std::uint64_t wrong_chunks = 0;  ///< Missing, or with other bytes than their origin's.
  bool finished = false;           ///< Or did it stand still?
};

/// Whether a network can take these times: a hop takes two cycles or more, and the way through the
/// interfaces of two nodes must fit into the start-up.
bool has_network(const CostModel& cost);

/// The routing that play() gives a network, for schedules without paths.
std::unique_ptr<Routing> routing_of_play(const Topology& topology, const Schedule& schedule);

/// Builds the network, plays, and audits it at the end.
NetworkOutcome play(const ScheduleToPlay& what);

}  // namespace flitcast
