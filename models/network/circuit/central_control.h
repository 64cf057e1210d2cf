// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "collective/cost.h"
#include "collective/schedule.h"
#include "config/catalog.h"
#include "config/configuration.h"
#include "network/circuit/circuit_params.h"
#include "network/router_entry.h"
#include "routing/catalog.h"
#include "topology/clos.h"

namespace flitcast {

/// The routings that can be named under routing.kind: those of the catalog, and the central control
/// of Clos networks, which is not a pure function of a packet's header.
const Catalog<RoutingEntry>& all_routings();
/// The routing that the configuration names.
const RoutingEntry& routing_of(const Configuration& configuration);

/// The capabilities of the configured routers together with the configured routing.
Capabilities capabilities_of(const Configuration& configuration);

/// A schedule in rounds on a Clos network of 2k + 1 stages under central control. Its messages have
/// no given paths, and all have the length in `cost`.
///
/// The functions below return the exact time of the schedule in cycles, up to and including the
/// cycle of the last arrival: the `cycles` of SchedulePlayer. The time is absent if the control
/// finds a message blocked, so that the message has to wait; with the middle switches of Theorem 3
/// this does not happen.
struct ControlledRounds {
  const Schedule& schedule;
  const clos::MultistageStructure& structure;
  const CircuitParams& control;
  const CostModel& cost;
  BufferUnit unit = BufferUnit::kFlit;  ///< The unit of the routers' buffers, if they have buffers.
};

/// The time for packets, which depends only on the strategy, the limits and the seed of the
/// control. No message waits for another, so a round takes, with `cost` as in collective/cost.h and
/// 2k channels between routers,
///
///   buffers of flits     ts + 2k td + L tm
///   buffers of packets   ts + 2k (td + L tm) + L - 1 + tm
///
/// First switches that store packets also wait for the whole packet: nodes send one flit per cycle,
/// and the last flit is stored after one flit time. With the shortest start-up, links of one cycle
/// and tm = 1 the times are (2k + 1) td + L + 2 and (2k + 1) (td + L) + 2. Buffers must cover the
/// credit round trip.
std::optional<std::uint64_t> packet_round_cycles(const ControlledRounds& rounds);

/// The time for circuits. The controller serves the messages of a round one after another, in the
/// order of their senders, so a round takes
///
///   t_req + clocks of all its requests + t_cfg + (2k + 1) t_s + L
///
/// The time is also absent for more than one round with t_td > 1, where a round finds ports that
/// are still being torn down.
std::optional<std::uint64_t> circuit_round_cycles(const ControlledRounds& rounds);

/// The time for the configured kind of router; absent for topologies other than Clos networks.
std::optional<std::uint64_t> round_cycles(const Configuration& configuration,
                                          const Topology& topology, const NetworkParams& params,
                                          const Schedule& schedule, const CostModel& cost);

}  // namespace flitcast
