// SPDX-License-Identifier: Apache-2.0
#include "traffic/round_player.h"

#include <stdexcept>

#include "router/invariant.h"
#include "traffic/chunk_checksum.h"

namespace flitcast {

RoundPlayer::RoundPlayer(const RoundPlan& plan, const RoundDemand& demand,
                         DestinationGroups* groups, std::uint32_t length, std::uint64_t seed)
    : plan_(plan),
      demand_(demand),
      length_(length),
      seed_(seed),
      known_(demand.nodes),
      to_send_(demand.nodes, kNone),
      to_receive_(demand.nodes, kNone) {
  find_groups(groups);
  for (std::uint32_t item = 0; item < demand.items(); ++item) {
    known_[index(demand.origin(item))].emplace(demand.combines() ? 0 : item, contribution(item));
  }
  start_round();
}

// All at once, because nodes of different threads must not add to the groups.
void RoundPlayer::find_groups(DestinationGroups* groups) {
  destinations_.reserve(plan_.size());
  for (std::size_t m = 0; m < plan_.size(); ++m) {
    const NodeRange to = plan_.receivers(m);
    if (to.size() > 1 && groups == nullptr) {
      throw std::invalid_argument("the plan has multicasts, and the network does not carry them");
    }
    destinations_.push_back(to.size() == 1 ? *to.begin() : groups->add({to.begin(), to.end()}));
  }
}

void RoundPlayer::start_round() {
  while (round_ < plan_.rounds() && plan_.begin(round_) == plan_.end(round_)) ++round_;
  if (finished()) return;
  for (std::size_t m = plan_.begin(round_); m < plan_.end(round_); ++m) {
    to_send_[index(plan_.message(m).from)] = m;
    for (const NodeId to : plan_.receivers(m)) {
      to_receive_[index(to)] = m;
      ++left_;
    }
  }
}

Cycle RoundPlayer::first(NodeId node) { return to_send_[index(node)] == kNone ? kNever : Cycle{0}; }

Cycle RoundPlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  const std::size_t number = to_send_[index(node)];
  if (number == kNone) return kNever;
  to_send_[index(node)] = kNone;
  const Knowledge& known = known_[index(node)];
  const auto held = known.find(plan_.message(number).chunk);
  if (held == known.end()) {
    throw InvariantError("a plan lets a node send a chunk that it does not hold");
  }
  PacketRequest request{destinations_[number], length_, number, held->second};
  request.receivers = static_cast<std::uint32_t>(plan_.receivers(number).size());
  packets.push_back(request);
  return kNever;
}

void RoundPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const std::size_t number = delivery.packet.tag;
  if (to_receive_[index(delivery.node)] != number) {
    throw InvariantError("a packet that the round does not send arrived at a node");
  }
  to_receive_[index(delivery.node)] = kNone;
  receive(plan_.message(number), delivery);
  note_new(delivery);
  if (--left_ != 0) return;
  ++round_;
  start_round();
  if (finished()) return;
  for (std::size_t m = plan_.begin(round_); m < plan_.end(round_); ++m) {
    wake_ups.push_back({plan_.message(m).from, delivery.arrival + 1});
  }
}

// All packets of a round are made in its first cycle, so what arrives now changes none of them.
void RoundPlayer::receive(const RoundMessage& message, const Delivery& delivery) {
  std::uint64_t& known = known_[index(delivery.node)][message.chunk];
  known = message.carries == Carries::kPartial ? combine(known, delivery.packet.payload)
                                               : delivery.packet.payload;
}

std::uint64_t RoundPlayer::contribution(std::uint32_t item) const {
  if (demand_.is_union()) return std::uint64_t{1} << item % 64;
  return chunk_checksum(seed_, item, length_);
}

std::uint64_t RoundPlayer::combine(std::uint64_t a, std::uint64_t b) const {
  return demand_.is_union() ? a | b : a + b;
}

std::uint64_t RoundPlayer::wrong() const {
  std::vector<std::uint64_t> contributions;
  for (std::uint32_t item = 0; item < demand_.items(); ++item) {
    contributions.push_back(contribution(item));
  }
  std::uint64_t wrong = 0;
  for (std::uint32_t node = 0; node < demand_.nodes; ++node) {
    wrong += demand_.combines() ? wrong_combination(NodeId{node}, contributions)
                                : wrong_chunks(NodeId{node}, contributions);
  }
  return wrong;
}

std::uint64_t RoundPlayer::wrong_chunks(NodeId node,
                                        const std::vector<std::uint64_t>& right) const {
  const Knowledge& known = known_[index(node)];
  const auto [begin, end] = demand_.wanted(node);
  std::uint64_t wrong = 0;
  for (std::size_t item = begin; item < end; ++item) {
    const auto held = known.find(static_cast<std::uint32_t>(item));
    wrong += held == known.end() || held->second != right[item];
  }
  return wrong;
}

bool RoundPlayer::wrong_combination(NodeId node,
                                    const std::vector<std::uint64_t>& contributions) const {
  if (!demand_.wants_nothing_else(node)) return false;
  const auto [begin, end] = demand_.wanted(node);
  std::uint64_t right = 0;
  for (std::size_t item = begin; item < end; ++item) right = combine(right, contributions[item]);
  return known_[index(node)].at(0) != right;
}

std::uint32_t message_length(RoundOperation operation, std::uint32_t length) {
  return operation == RoundOperation::kBarrier ? 1 : length;
}

}  // namespace flitcast
