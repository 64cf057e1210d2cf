// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/packet_source.h"
#include "traffic/collective_player.h"

namespace flitcast {

/// Plays several collective operations on one network: all at once from cycle 0 on, or each from
/// the cycle after the one before it has finished. Operations share no data; their packets meet in
/// the network and at nodes that take part in several.
///
/// The upper 16 bits of Packet::tag are the number of the operation.
class SeveralPlayers : public PacketSource {
 public:
  enum class Order { kAtOnce, kInTurn };

  /// @param players  Up to 2^16, which must outlive this source.
  SeveralPlayers(std::vector<CollectivePlayer*> players, std::size_t nodes, Order order);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  bool finished() const;
  /// The cycle in which an operation began.
  Cycle begin(std::size_t player) const { return begin_[player]; }
  /// Cycles from the begin of an operation to its end.
  std::uint64_t cycles(std::size_t player) const;

 private:
  static constexpr unsigned kTagBits = 48;

  Cycle& due(std::size_t player, NodeId node) {
    return due_[index(node) * players_.size() + player];
  }
  void start(std::size_t player, Cycle when, std::vector<WakeUp>& wake_ups);
  /// If operations run one after another: starts them from `player` on, up to the first that has
  /// packets to send.
  void start_from(std::size_t player, Cycle when, std::vector<WakeUp>& wake_ups);

  const std::vector<CollectivePlayer*> players_;
  const std::size_t nodes_;
  const Order order_;
  std::vector<Cycle> due_;  // By node and player: the cycle in which to call the player.
  std::vector<Cycle> begin_;
};

}  // namespace flitcast
