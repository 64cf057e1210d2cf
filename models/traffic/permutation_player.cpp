// SPDX-License-Identifier: Apache-2.0
#include "traffic/permutation_player.h"

#include <algorithm>

#include "router/invariant.h"

namespace flitcast {

namespace {

constexpr std::uint32_t kNotDue = ~std::uint32_t{0};

}  // namespace

PermutationPlayer::PermutationPlayer(const Schedule& phases, const MovePaths& paths,
                                     std::uint32_t length)
    : phases_(phases),
      paths_(paths),
      length_(length),
      lanes_(phases, paths.topology().node_count(), 1) {
  enter_phase();
}

void PermutationPlayer::enter_phase() {
  phase_cycles_.resize(lanes_.round(), 0);
  if (finished()) return;
  for (std::size_t m = phases_.begin(lanes_.round()); m < phases_.end(lanes_.round()); ++m) {
    const std::uint32_t packet = packet_of(phases_.message(m));
    if (packet >= message_of_.size()) message_of_.resize(packet + 1, kNotDue);
    message_of_[packet] = static_cast<std::uint32_t>(m);
  }
}

Cycle PermutationPlayer::first(NodeId node) {
  return lanes_.has(node, lanes_.due()) ? Cycle{0} : kNever;
}

Cycle PermutationPlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  std::size_t sent = 0;
  lanes_.take(node, lanes_.due(), [&](std::size_t message) {
    const Message& move = phases_.message(message);
    PacketRequest request{move.to, length_, packet_of(move), packet_of(move)};
    request.port = static_cast<std::uint16_t>(sent++ % paths_.topology().node_ports());
    request.ties = paths_.ties(packet_of(move));
    request.route_field = paths_.route_field(move);
    packets.push_back(request);
  });
  return kNever;
}

void PermutationPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const std::uint64_t packet = delivery.packet.tag;
  const bool due = packet < message_of_.size() && message_of_[packet] != kNotDue;
  if (!due || delivery.packet.payload != packet ||
      phases_.message(message_of_[packet]).to != delivery.node) {
    throw InvariantError("a packet that the permutation does not send arrived at a node");
  }
  message_of_[packet] = kNotDue;
  if (!lanes_.receive()) return;
  const std::uint64_t end = index(delivery.arrival) + 1;
  phase_cycles_.push_back(end - begin_);
  begin_ = end;
  lanes_.next_round([&](NodeId node) { wake_ups.push_back({node, delivery.arrival + 1}); });
  enter_phase();
}

}  // namespace flitcast
