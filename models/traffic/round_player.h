// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/destination_groups.h"
#include "collective/rounds/round_demand.h"
#include "collective/rounds/round_plan.h"
#include "traffic/collective_source.h"

namespace flitcast {

/// Plays a round plan on a network of any kind: every message is a packet, and a round starts in
/// the cycle after the last arrival of the round before it.
///
/// What nodes know stands in packets as 64 bits: a chunk as the checksum of its pseudo-random
/// bytes, a sum of contributions as their sum modulo 2^64, the nodes that have come to a barrier as
/// bits, node q's the bit q mod 64. Nodes send on what they have received, so whatever goes wrong
/// on the way shows at the end.
class RoundPlayer : public CollectiveSource {
 public:
  /// `plan`, a legal one, must outlive the player, and so must `groups`, which it adds its
  /// multicasts to: those of a network that multicasts, or null if all messages of the plan have
  /// one receiver. Throws std::invalid_argument for a multicast without groups.
  /// @param length  Flits of every message, as message_length() says.
  RoundPlayer(const RoundPlan& plan, const RoundDemand& demand, DestinationGroups* groups,
              std::uint32_t length, std::uint64_t seed);

  Cycle first(NodeId node) override;
  /// Throws InvariantError for a chunk that the node does not hold.
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  /// Throws InvariantError for a packet that no message of the round sends there.
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  bool finished() const override { return round_ == plan_.rounds(); }
  std::uint64_t wrong() const override;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};
  // Chunks that a node holds, or under 0 its combination.
  using Knowledge = std::unordered_map<std::uint32_t, std::uint64_t>;

  void find_groups(DestinationGroups* groups);
  void start_round();
  std::uint64_t contribution(std::uint32_t item) const;
  std::uint64_t combine(std::uint64_t a, std::uint64_t b) const;
  void receive(const RoundMessage& message, const Delivery& delivery);
  std::uint64_t wrong_chunks(NodeId node, const std::vector<std::uint64_t>& right) const;
  bool wrong_combination(NodeId node, const std::vector<std::uint64_t>& contributions) const;

  const RoundPlan& plan_;
  const RoundDemand demand_;
  const std::uint32_t length_;
  const std::uint64_t seed_;
  std::vector<NodeId> destinations_;  // Of every message: a node or a group.
  std::vector<Knowledge> known_;      // Per node.
  std::vector<std::size_t> to_send_;  // Per node: its message of this round, while it is not sent.
  std::vector<std::size_t> to_receive_;  // Per node: the message of this round that it waits for.
  std::size_t round_ = 0;
  std::size_t left_ = 0;  // Receipts of this round.
};

/// Flits of a message of chunks of `length` flits: as many, but 1 in a barrier, which carries no
/// data.
std::uint32_t message_length(RoundOperation operation, std::uint32_t length);

}  // namespace flitcast
