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

/// The routings that a user can name under routing.kind: those of the catalog, and the central
/// control of Clos networks, which is no pure function of a packet's header.
const Catalog<RoutingEntry>& all_routings();
/// The one that the configuration names.
const RoutingEntry& routing_of(const Configuration& configuration);

/// The capabilities of the routers and the routing of the configuration together.
Capabilities capabilities_of(const Configuration& configuration);

/// Strategy and limits of the central control that the section `routing` describes; the times have
/// their defaults. Throws ConfigError for first candidates without a pass limit.
CircuitParams control_params(const Section& routing, const Clos& topology, std::uint64_t seed);

/// A schedule in rounds whose messages have no paths of their own, all as long as `cost` says, on a
/// Clos network of 2k + 1 stages under central control.
///
/// The functions below give its exact time in cycles until the last arrival, that cycle included:
/// the `cycles` of SchedulePlayer. The time is absent where the control would find a message
/// blocked, so that the message had to wait; never with the middle switches of Theorem 3.
struct ControlledRounds {
  const Schedule& schedule;
  const clos::MultistageStructure& structure;
  const CircuitParams& control;
  const CostModel& cost;
  BufferUnit unit = BufferUnit::kFlit;  ///< The unit of the routers' buffers, if any.
};

/// The time of packets, for which only strategy, limits and seed of the control matter. No message
/// waits for another, so a round takes, with `cost` as in collective/cost.h and 2k channels between
/// routers,
///
///   buffers of flits     ts + 2k td + L tm
///   buffers of packets   ts + 2k (td + L tm) + L - 1 + tm
///
/// A first switch that keeps packets waits for the whole packet, too: nodes send a flit a cycle,
/// and the last one is stored after a flit time. With the shortest start-up, links of one cycle and
/// tm = 1 the times are (2k + 1) td + L + 2 and (2k + 1) (td + L) + 2. Buffers must cover the
/// credit round trip.
std::optional<std::uint64_t> packet_round_cycles(const ControlledRounds& rounds);

/// The time of circuits. The controller serves the messages of a round one after the other, in the
/// order of their senders, so a round takes
///
///   t_req + clocks of all its requests + t_cfg + (2k + 1) t_s + L
///
/// Absent also for more than one round with t_td > 1, where a round finds ports that are still
/// being torn down.
std::optional<std::uint64_t> circuit_round_cycles(const ControlledRounds& rounds);

/// The one of these times that applies to the routers; absent for other topologies.
std::optional<std::uint64_t> round_cycles(const Configuration& configuration,
                                          const Topology& topology, const NetworkParams& params,
                                          const Schedule& schedule, const CostModel& cost);

}  // namespace flitcast
