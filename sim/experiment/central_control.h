// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "clos/structure.h"
#include "collective/cost.h"
#include "collective/schedule.h"
#include "config/catalog.h"
#include "config/configuration.h"
#include "network/circuit/circuit_params.h"
#include "routing/catalog.h"
#include "sim/experiment/workload.h"
#include "topology/clos.h"

namespace flitcast {

/// The routings that a user can name under routing.kind: those of the catalog, and the central
/// control of Clos networks. That one is no pure function of a header, so its maker is here.
const Catalog<RoutingEntry>& all_routings();

/// Whether a central control decides who may enter.
bool is_centrally_controlled(const Configuration& configuration);

/// Throws ConfigError for a circuit-switched network without a central control, and for its keys
/// that mean nothing in one. All others pass: with a control, add_central_control() verifies.
void require_sound_circuits(const Configuration& configuration);

/// Strategy and limits of the central control that the configuration describes; the times are those
/// of the fallback. For whoever wants to try requests on a control of its own. Throws ConfigError
/// for parameters that lack each other.
CircuitParams control_of(const Configuration& configuration, const Clos& topology);

/// Gives a network whose topology is known groups, and a central control as routing and admission.
/// Throws one ConfigError for topologies that are no Clos network, for nodes with several ports,
/// for parameters that lack each other and for keys that mean nothing in a circuit-switched
/// network; if the topology is one, the network has its groups all the same.
void add_central_control(NetworkPlan& network, const Configuration& configuration);

// The exact time of a round plan on a Clos network of 2k + 1 stages under central control, in
// cycles until the last arrival, that cycle included: the `cycles` of SchedulePlayer. Every message
// has L flits. Absent where the control would find a message blocked, so that it had to wait; never
// so with the middle switches of Theorem 3.

/// Packets. Nothing is in the way of a message, so a round takes, with `cost` as in
/// collective/cost.h and 2k channels between routers,
///
///   wormhole, cut-through   ts + 2k td + L tm
///   store-and-forward       ts + 2k (td + L tm) + L - 1 + tm
///
/// The first switch waits for the whole packet, too: nodes send a flit a cycle, and the last one is
/// stored after a flit time. With the shortest start-up, links of one cycle and tm = 1 that is
/// (2k + 1) td + L + 2 and (2k + 1) (td + L) + 2. Buffers must cover the way of a credit and back.
/// @param control  Only strategy, control and seed matter.
std::optional<std::uint64_t> packet_rounds_cycles(const Schedule& schedule,
                                                  const clos::MultistageStructure& structure,
                                                  const CircuitParams& control,
                                                  const CostModel& cost, Switching switching);

/// Circuits. The controller serves the messages of a round one after the other, in the order of
/// their senders, so a round takes
///
///   t_req + clocks of all its requests + t_cfg + (2k + 1) t_s + L
///
/// Absent also for more than one round with t_td > 1, where a round finds ports that are still
/// being torn down.
std::optional<std::uint64_t> circuit_rounds_cycles(const Schedule& schedule,
                                                   const clos::MultistageStructure& structure,
                                                   const CircuitParams& params,
                                                   std::uint64_t length);

}  // namespace flitcast
