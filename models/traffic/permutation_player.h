// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/packet_source.h"
#include "permutation/step_machine.h"

namespace flitcast {

/// Plays the phases of a permutation on a network: a phase begins in the cycle after the last
/// arrival of the phase before it, and all its packets are created in that cycle.
///
/// The k-th packet that a node sends in a phase leaves by port k of the node, modulo its ports. The
/// tag of a packet is its number in the instance, by which the queues of routers are to order them
/// (NetworkParams::ordered_by_tag).
class PermutationPlayer : public PacketSource {
 public:
  /// `phases` and `paths` must outlive the player; the latter tell the topology and the ties of
  /// packets.
  /// @param length  Flits of every packet.
  PermutationPlayer(const std::vector<MovePhase>& phases, const MovePaths& paths,
                    std::uint32_t length);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return true; }
  /// Throws InvariantError for a packet that the phase does not send there, or twice.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// Whether the last phase has ended.
  bool finished() const { return phase_ == phases_.size(); }
  /// Cycles from the start to the last arrival, that cycle included.
  std::uint64_t cycles() const { return begin_; }
  /// Of every phase, from its first cycle to its last arrival, that cycle included; 0 for a phase
  /// in which no packet moves.
  const std::vector<std::uint64_t>& phase_cycles() const { return phase_cycles_; }

 private:
  void enter_phase();

  const std::vector<MovePhase>& phases_;
  const MovePaths& paths_;
  const std::uint32_t length_;
  std::size_t phase_ = 0;
  std::uint64_t begin_ = 0;             // First cycle of the phase.
  std::size_t left_ = 0;                // Packets of the phase that have yet to arrive.
  std::vector<std::size_t> of_node_;    // Per node: where its moves of the phase begin,
  std::vector<std::uint32_t> moves_;    // in here, and after the last node where they end.
  std::vector<std::uint32_t> move_of_;  // Per packet: its move in the phase, kNone if it is there.
  std::vector<std::uint64_t> phase_cycles_;
};

}  // namespace flitcast
