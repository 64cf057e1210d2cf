// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/packet_source.h"
#include "base/sequences.h"
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
  SeveralPlayers(std::vector<CollectivePlayer*> players, std::size_t nodes, Order order)
      : players_(std::move(players)),
        nodes_(nodes),
        order_(order),
        due_(nodes * players_.size(), kNever),
        begin_(players_.size()) {
    if (players_.size() > std::size_t{1} << (64 - kTagBits)) {
      throw std::invalid_argument("more operations than packets can name");
    }
    std::vector<WakeUp> ignored;  // Nodes call first() at the start and need no wake-up.
    start_from(0, Cycle{0}, ignored);
  }

  Cycle first(NodeId node) override {
    Cycle earliest = kNever;
    for (std::size_t p = 0; p < players_.size(); ++p) earliest = std::min(earliest, due(p, node));
    return earliest;
  }

  // A player is called only in its own cycles; in the cycles of another player it would send too
  // early.
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override {
    for (std::size_t p = 0; p < players_.size(); ++p) {
      if (due(p, node) > now) continue;
      const std::size_t known = packets.size();
      due(p, node) = players_[p]->create(node, now, packets);
      for (std::size_t i = known; i < packets.size(); ++i) {
        packets[i].tag |= static_cast<std::uint64_t>(p) << kTagBits;
      }
    }
    return first(node);
  }

  bool wants_deliveries() const override { return true; }

  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
    const auto player = static_cast<std::size_t>(delivery.packet.tag >> kTagBits);
    Delivery own = delivery;
    own.packet.tag &= (std::uint64_t{1} << kTagBits) - 1;
    const std::size_t known = wake_ups.size();
    players_.at(player)->delivered(own, wake_ups);
    for (std::size_t w = known; w < wake_ups.size(); ++w) {
      Cycle& waits = due(player, wake_ups[w].node);
      waits = std::min(waits, wake_ups[w].cycle);
    }
    if (order_ == Order::kAtOnce || !players_[player]->finished()) return;
    const Cycle end{players_[player]->cycles()};
    start_from(player + 1, std::max(delivery.arrival + 1, end), wake_ups);
  }

  bool finished() const {
    return all_of(players_, [](const CollectivePlayer* player) { return player->finished(); });
  }
  /// Cycles until the end of the last operation, if all have ended.
  std::uint64_t cycles() const {
    return largest_of<std::uint64_t>(players_, [](const auto* player) { return player->cycles(); });
  }

  /// The cycle in which an operation began.
  Cycle begin(std::size_t player) const { return begin_[player]; }

  /// Cycles from the begin of an operation to its end.
  std::uint64_t cycles(std::size_t player) const {
    const std::uint64_t end = players_[player]->cycles();
    return end == 0 ? 0 : end - index(begin_[player]);
  }

 private:
  static constexpr unsigned kTagBits = 48;

  Cycle& due(std::size_t player, NodeId node) {
    return due_[index(node) * players_.size() + player];
  }

  /// Starts the operations from `player` on; if they run one after another, up to the first that
  /// has packets to send.
  void start_from(std::size_t player, Cycle when, std::vector<WakeUp>& wake_ups) {
    for (std::size_t p = player; p < players_.size(); ++p) {
      begin_[p] = when;
      for (std::uint32_t n = 0; n < nodes_; ++n) {
        if (players_[p]->first(NodeId{n}) == kNever) continue;
        due(p, NodeId{n}) = when;
        wake_ups.push_back({NodeId{n}, when});
      }
      if (order_ == Order::kInTurn && !players_[p]->finished()) return;
    }
  }

  const std::vector<CollectivePlayer*> players_;
  const std::size_t nodes_;
  const Order order_;
  std::vector<Cycle> due_;  // By node and player: the cycle in which to call the player.
  std::vector<Cycle> begin_;
};

}  // namespace flitcast
