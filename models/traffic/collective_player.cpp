// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective_player.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/flit.h"
#include "base/random.h"
#include "base/sequences.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "router/invariant.h"
#include "topology/adjacency.h"

namespace flitcast {

namespace {

/// The payload of a packet that carries several values.
std::uint64_t digest(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = values.size();
  for (const std::uint64_t value : values) sum = Random(sum ^ value).next();
  return sum;
}

}  // namespace

CollectivePlayer::Values CollectivePlayer::values_of(NodeId from, const Items& items) const {
  Values values;
  values.reserve(items.size());
  for (const ChunkId item : items) {
    values.push_back(ledger_.held(from, item));
    if (values.back() == ChunkLedger::kNothing && !is_sum(item)) {
      throw InvariantError("a node is to send a chunk that it does not hold");
    }
  }
  return values;
}

std::uint64_t CollectivePlayer::payload_of(const Values& values) {
  return values.size() == 1 ? values.front() : digest(values);
}

std::uint64_t CollectivePlayer::flits_of(const Items& items) const {
  return message_length(ledger_.demand(), items, length_);
}

PacketRequest CollectivePlayer::packet(NodeId to, const Items& items, std::uint64_t payload,
                                       std::uint64_t tag, std::size_t receivers) const {
  const auto first = std::min<std::uint64_t>(flits_of(items), kMaxPacketLength);
  PacketRequest request{to, static_cast<std::uint32_t>(first), tag, payload};
  request.receivers = static_cast<std::uint32_t>(receivers);
  return request;
}

void CollectivePlayer::receive(NodeId to, const Items& items, const Values& values,
                               const Delivery& delivery) {
  ++arrived_;
  spoilt_ += values.size() > 1 && digest(values) != delivery.packet.payload;
  bool news = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    news |= ledger_.receive(to, items[i], values[i]);
  }
  if (news) cycles_ = std::max(cycles_, index(delivery.arrival) + 1);
}

void CollectivePlayer::receive_apart(Cycle done) {
  ++arrived_;
  cycles_ = std::max(cycles_, index(done) + 1);
}

namespace {

// The number of lanes: one for each channel of the router if the node has a port for each,
// otherwise one.
std::size_t lanes_of(const Topology& topology, const Schedule& schedule) {
  const bool has_paths = schedule.size() > 0 && schedule.path(0).size() > 0;
  const std::size_t ports = most_router_ports(topology);
  return has_paths && topology.node_ports() >= ports ? ports : 1;
}

}  // namespace

SchedulePlayer::SchedulePlayer(const Topology& topology, const Schedule& schedule,
                               const Demand& demand, Timing timing, std::uint64_t length,
                               std::uint64_t seed, DestinationGroups* groups, Placement placement)
    : CollectivePlayer(demand, length, seed),
      topology_(topology),
      schedule_(schedule),
      timing_(timing),
      groups_(groups),
      placement_(std::move(placement)),
      lanes_(schedule, demand.nodes, lanes_of(topology, schedule)) {
  find_groups();
  if (timing == Timing::kSelfTimed && demand.adds_up()) make_agendas();
}

void SchedulePlayer::make_agendas() {
  if (!group_of_.empty()) throw std::invalid_argument("self-timed sums for several receivers");
  agendas_.resize(lanes_.nodes());
  behind_.resize(lanes_.nodes());
  loads_.resize(schedule_.size());
  for (std::size_t round = 0; round < schedule_.rounds(); ++round) {
    for (const bool sends : {true, false}) {
      for (std::size_t m = schedule_.begin(round); m < schedule_.end(round); ++m) {
        const NodeId rank = sends ? schedule_.message(m).from : schedule_.message(m).to;
        agendas_[index(rank)].push_back(static_cast<std::uint32_t>(m));
      }
    }
  }
  for (std::uint32_t rank = 0; rank < lanes_.nodes(); ++rank) advance(NodeId{rank});
}

// Nodes of different threads create packets at a time, so values to send are fixed on delivery.
void SchedulePlayer::advance(NodeId rank) {
  const std::vector<std::uint32_t>& agenda = agendas_[index(rank)];
  for (std::size_t& next = behind_[index(rank)]; next < agenda.size(); ++next) {
    const std::uint32_t message = agenda[next];
    if (schedule_.message(message).from == rank) {
      loads_[message] = values_of(rank, schedule_.items(message));
      continue;
    }
    const auto arrived = early_.find(message);
    if (arrived == early_.end()) return;
    unload(message, arrived->second);
    early_.erase(arrived);
  }
}

// Called in the constructor, because nodes of different threads must not add to the groups.
void SchedulePlayer::find_groups() {
  for (std::size_t m = 0; m < schedule_.size(); ++m) {
    const Receivers to = schedule_.receivers(m);
    expect(to.size());
    if (schedule_.items(m).size() > 1) loads_.resize(schedule_.size());
    if (to.size() == 1) continue;
    if (groups_ == nullptr) {
      throw std::invalid_argument("the schedule has multicasts, and the network carries none");
    }
    group_of_[m] = groups_->add(mapped(to, [&](NodeId rank) { return placement_.node(rank); }));
  }
}

Cycle SchedulePlayer::first(NodeId node) {
  const NodeId rank = placement_.rank(node);
  if (index(rank) >= lanes_.nodes()) return kNever;  // The node has no rank in the operation.
  return lanes_.has(rank, [this](std::size_t message) { return ready(message); }) ? Cycle{0}
                                                                                  : kNever;
}

bool SchedulePlayer::ready(std::size_t message) const {
  if (timing_ == Timing::kRounds) return lanes_.due()(message);
  if (!agendas_.empty()) return !loads_[message].empty();
  const NodeId from = schedule_.message(message).from;
  const Items items = schedule_.items(message);
  return all_of(items,
                [&](ChunkId item) { return ledger().held(from, item) != ChunkLedger::kNothing; });
}

// With rounds, all packets of a round are created in its first cycle, so later arrivals do not
// affect them.
Cycle SchedulePlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  lanes_.take(
      placement_.rank(node), [this](std::size_t message) { return ready(message); },
      [&](std::size_t message) { send(message, packets); });
  return kNever;
}

void SchedulePlayer::send(std::size_t message, std::vector<PacketRequest>& packets) {
  PacketRequest part = packet_of(message);
  std::uint64_t rest = flits_of(schedule_.items(message));
  while (rest > 0) {
    part.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(rest, kMaxPacketLength));
    packets.push_back(part);
    rest -= part.length;
    part.continues = true;
  }
}

bool SchedulePlayer::completes(std::size_t message, NodeId node) {
  const std::uint64_t flits = flits_of(schedule_.items(message));
  if (flits <= kMaxPacketLength) return true;
  const auto parts = arrived_parts_.try_emplace({message, node}, 0).first;
  if (++parts->second < (flits + kMaxPacketLength - 1) / kMaxPacketLength) return false;
  arrived_parts_.erase(parts);
  return true;
}

PacketRequest SchedulePlayer::packet_of(std::size_t number) {
  const Message& message = schedule_.message(number);
  const std::size_t receivers = schedule_.receivers(number).size();
  const NodeId to = receivers == 1 ? placement_.node(message.to) : group_of_.at(number);
  PacketRequest request = packet(to, schedule_.items(number), load(number), number, receivers);
  if (lanes_.lanes() > 1) request.port = index(schedule_.path(number)[0]);
  if (schedule_.path(number).size() > 0)
    request.ties = header_bits(topology_, schedule_.path(number));
  return request;
}

std::uint64_t SchedulePlayer::load(std::size_t message) {
  if (!agendas_.empty()) return payload_of(loads_[message]);
  Values values = values_of(schedule_.message(message).from, schedule_.items(message));
  const std::uint64_t payload = payload_of(values);
  if (values.size() > 1) loads_[message] = std::move(values);
  return payload;
}

Cycle SchedulePlayer::unload(std::size_t message, const Delivery& delivery) {
  const Items items = schedule_.items(message);
  receive(placement_.rank(delivery.node), items,
          items.size() == 1 ? Values{delivery.packet.payload} : loads_[message], delivery);
  return delivery.arrival;
}

bool SchedulePlayer::is_receiver(std::size_t message, NodeId node) const {
  if (message >= schedule_.size()) return false;
  const auto group = group_of_.find(message);
  if (group == group_of_.end()) return placement_.node(schedule_.message(message).to) == node;
  const std::vector<NodeId>& members = groups_->members(group->second);
  return std::binary_search(members.begin(), members.end(), node);
}

void SchedulePlayer::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const std::size_t number = delivery.packet.tag;
  if (!is_receiver(number, delivery.node)) {
    throw InvariantError("a packet that the schedule does not send arrived at a node");
  }
  if (!completes(number, delivery.node)) return;
  if (!agendas_.empty()) {
    early_.emplace(number, delivery);
    advance(placement_.rank(delivery.node));
    if (first(delivery.node) != kNever) wake_ups.push_back({delivery.node, delivery.arrival + 1});
    return;
  }
  processed_ = std::max(processed_, unload(number, delivery));
  if (timing_ == Timing::kSelfTimed) {
    if (first(delivery.node) != kNever) wake_ups.push_back({delivery.node, delivery.arrival + 1});
  } else if (lanes_.receive()) {
    end_round(lanes_.round());
    lanes_.next_round([&](NodeId rank) {
      wake_ups.push_back({placement_.node(rank), processed_ + 1});
    });
  }
}

}  // namespace flitcast
