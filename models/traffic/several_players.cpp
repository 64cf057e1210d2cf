// SPDX-License-Identifier: Apache-2.0
#include "traffic/several_players.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"

namespace flitcast {

SeveralPlayers::SeveralPlayers(std::vector<CollectivePlayer*> players, std::size_t nodes,
                               Order order)
    : players_(std::move(players)),
      nodes_(nodes),
      order_(order),
      due_(nodes * players_.size(), kNever),
      begin_(players_.size()) {
  if (players_.size() > std::size_t{1} << (64 - kTagBits)) {
    throw std::invalid_argument("more operations than packets can name");
  }
  std::vector<WakeUp> ignored;  // Nodes call first() at the start and need no wake-up.
  if (order_ == Order::kInTurn) {
    start_from(0, Cycle{0}, ignored);
  } else {
    for (std::size_t p = 0; p < players_.size(); ++p) start(p, Cycle{0}, ignored);
  }
}

void SeveralPlayers::start(std::size_t player, Cycle when, std::vector<WakeUp>& wake_ups) {
  begin_[player] = when;
  for (std::uint32_t n = 0; n < nodes_; ++n) {
    if (players_[player]->first(NodeId{n}) == kNever) continue;
    due(player, NodeId{n}) = when;
    wake_ups.push_back({NodeId{n}, when});
  }
}

void SeveralPlayers::start_from(std::size_t player, Cycle when, std::vector<WakeUp>& wake_ups) {
  for (std::size_t p = player; p < players_.size(); ++p) {
    start(p, when, wake_ups);
    if (!players_[p]->finished()) return;
  }
}

Cycle SeveralPlayers::first(NodeId node) {
  Cycle earliest = kNever;
  for (std::size_t p = 0; p < players_.size(); ++p) earliest = std::min(earliest, due(p, node));
  return earliest;
}

// A player is called only in its own cycles; in the cycles of another player it would send too
// early.
Cycle SeveralPlayers::create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) {
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

void SeveralPlayers::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
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

bool SeveralPlayers::finished() const {
  return all_of(players_, [](const CollectivePlayer* player) { return player->finished(); });
}

std::uint64_t SeveralPlayers::cycles(std::size_t player) const {
  const std::uint64_t end = players_[player]->cycles();
  return end == 0 ? 0 : end - index(begin_[player]);
}

}  // namespace flitcast
