// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "clos/catalog.h"
#include "collective/round_cases.h"
#include "network/check/inspection.h"
#include "network/circuit/circuit_network.h"
#include "network/circuit/packet_admission.h"
#include "network/fabric/fabric.h"
#include "traffic/collective_player.h"

namespace flitcast {

/// What a network made of a plan.
struct RoundOutcome {
  std::uint64_t cycles = 0;
  std::uint64_t wrong = 0;  ///< What nodes do not know in the end, or otherwise than they should.
  bool finished = false;    ///< Or did it stand still?
};

/// Runs until the player has finished, far too long at most.
template <class AnyNetwork>
RoundOutcome run_rounds(AnyNetwork& network, const SchedulePlayer& player) {
  constexpr std::uint64_t kTooLong = 1000000;
  while (!player.finished() && index(network.now()) < kTooLong) network.run(64);
  return {player.cycles(), player.wrong(), player.finished()};
}

/// Of unicast plans on networks whose routing is a function of the header.
inline RoundOutcome play_direct(const Topology& topology, const Routing& routing,
                                const RoundCase& what, std::uint32_t length,
                                const NetworkParams& params) {
  const Schedule schedule = what.plan().schedule;
  SchedulePlayer player(topology, schedule, what.demand, SchedulePlayer::Timing::kRounds, length,
                        1);
  Fabric fabric("fabric", topology, routing, player, params);
  const RoundOutcome outcome = run_rounds(fabric, player);
  fabric.audit();
  return outcome;
}

/// On a Clos network that carries packets under central control by S1.
inline RoundOutcome play_packets(const Clos& topology, const RoundCase& what, std::uint32_t length,
                                 NetworkParams params) {
  const Schedule schedule = what.plan().schedule;
  DestinationGroups groups(topology.node_count());
  const auto control = std::make_shared<PacketAdmission>(
      topology, groups,
      [](const clos::Structure& structure, unsigned) {
        return find(clos::strategies(), "S1")->make({structure, 0, 1});
      },
      std::vector<clos::AdmissionParams>{}, params.router.virtual_channels);
  params.admission = control;
  SchedulePlayer player(topology, schedule, what.demand, SchedulePlayer::Timing::kRounds, length, 1,
                        &groups);
  Fabric fabric("fabric", topology, *control, player, params);
  const RoundOutcome outcome = run_rounds(fabric, player);
  fabric.audit();
  return outcome;
}

/// On a circuit-switched Clos network.
inline RoundOutcome play_circuits(const Clos& topology, const RoundCase& what, std::uint32_t length,
                                  const CircuitParams& params) {
  const Schedule schedule = what.plan().schedule;
  DestinationGroups groups(topology.node_count());
  SchedulePlayer player(topology, schedule, what.demand, SchedulePlayer::Timing::kRounds, length, 1,
                        &groups);
  CircuitNetwork network("circuits", topology, player, groups, params);
  const RoundOutcome outcome = run_rounds(network, player);
  network.audit();
  return outcome;
}

}  // namespace flitcast
