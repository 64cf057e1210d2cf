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

/// The result of playing a plan on a network.
struct RoundOutcome {
  std::uint64_t cycles = 0;
  std::uint64_t wrong = 0;  ///< Chunks or sums that nodes lack or hold with wrong data at the end.
  bool finished = false;    ///< True if the player has finished; false after a deadlock.
};

/// Runs until the player has finished, or until a limit far beyond every legal time.
template <class AnyNetwork>
RoundOutcome run_rounds(AnyNetwork& network, const SchedulePlayer& player) {
  constexpr std::uint64_t kTooLong = 1000000;
  while (!player.finished() && index(network.now()) < kTooLong) network.run(64);
  return {player.cycles(), player.wrong(), player.finished()};
}

/// Plays a unicast plan on a network whose routing is a function of the header.
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

/// Plays a plan on a Clos network that carries packets under central control by S1.
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

/// Plays a plan on a circuit-switched Clos network.
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
