// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/packet_source.h"
#include "permutation/step_machine.h"
#include "traffic/message_lanes.h"

namespace flitcast {

/// Plays the phases of a permutation on a network: a phase begins in the cycle after the last
/// arrival of the phase before it, and all its packets are created in that cycle.
///
/// The k-th packet that a node sends in a phase leaves by port k of the node, modulo its ports. The
/// tag of a packet is its number in the instance, by which the queues of routers must order them
/// (NetworkParams::ordered_by_tag).
class PermutationPlayer : public PacketSource {
 public:
  /// `phases`, without packets that are already at their destinations, and `paths` must outlive the
  /// player; `paths` provides the topology and the headers of the packets.
  /// @param length  Flits of every packet.
  PermutationPlayer(const Schedule& phases, const MovePaths& paths, std::uint32_t length);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return true; }
  /// Throws InvariantError for a packet that the phase does not send there, or that arrives twice.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// True if the last phase has ended.
  bool finished() const { return lanes_.finished(); }
  /// Cycles from the start to the end of the last arrival.
  std::uint64_t cycles() const { return begin_; }
  /// By phase: cycles from its start to the end of its last arrival; 0 for a phase without moves.
  const std::vector<std::uint64_t>& phase_cycles() const { return phase_cycles_; }

 private:
  void enter_phase();

  const Schedule& phases_;
  const MovePaths& paths_;
  const std::uint32_t length_;
  MessageLanes lanes_;
  std::uint64_t begin_ = 0;  // The first cycle of the current phase.
  // By packet: its message in the phase, if it has not arrived yet.
  std::vector<std::uint32_t> message_of_;
  std::vector<std::uint64_t> phase_cycles_;
};

}  // namespace flitcast
