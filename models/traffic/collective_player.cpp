// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective_player.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "collective/cost.h"
#include "collective/paths.h"
#include "router/invariant.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

/// What packets of several values carry in the place of a value.
std::uint64_t digest(const std::vector<std::uint64_t>& values) {
  std::uint64_t sum = values.size();
  for (const std::uint64_t value : values) sum = Random(sum ^ value).next();
  return sum;
}

std::uint64_t payload_of(const std::vector<std::uint64_t>& values) {
  return values.size() == 1 ? values.front() : digest(values);
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

PacketRequest CollectivePlayer::packet(NodeId to, const Items& items, const Values& values,
                                       std::uint64_t tag, std::size_t receivers) const {
  return packet(to, items, payload_of(values), tag, receivers);
}

PacketRequest CollectivePlayer::packet(NodeId to, const Items& items, std::uint64_t payload,
                                       std::uint64_t tag, std::size_t receivers) const {
  PacketRequest request{to, message_length(ledger_.demand(), items, length_), tag, payload};
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
  if (news) cycles_ = index(delivery.arrival) + 1;
}

void CollectivePlayer::receive_apart(Cycle done) {
  ++arrived_;
  cycles_ = std::max(cycles_, index(done) + 1);
}

namespace {

// One lane for each channel of the router if the node has a port for each, else a single lane.
std::size_t lanes_of(const Topology& topology, const Schedule& schedule) {
  const bool has_paths = schedule.size() > 0 && schedule.path(0).size() > 0;
  const std::size_t ports = most_router_ports(topology);
  return has_paths && topology.node_ports() >= ports ? ports : 1;
}

}  // namespace

SchedulePlayer::SchedulePlayer(const Topology& topology, const Schedule& schedule,
                               const Demand& demand, Timing timing, std::uint32_t length,
                               std::uint64_t seed, DestinationGroups* groups, Placement placement)
    : CollectivePlayer(demand, length, seed),
      topology_(topology),
      schedule_(schedule),
      timing_(timing),
      groups_(groups),
      placement_(std::move(placement)),
      lanes_(lanes_of(topology, schedule)),
      woken_for_(demand.nodes, 0) {
  if (timing == Timing::kSelfTimed && demand.adds_up()) {
    throw std::invalid_argument("without rounds nodes cannot tell which sum to send");
  }
  find_groups();
  sort_into_lanes();
  enter_round();
}

// All at once, because nodes of different threads must not add to the groups.
void SchedulePlayer::find_groups() {
  for (std::size_t m = 0; m < schedule_.size(); ++m) {
    const Receivers to = schedule_.receivers(m);
    expect(to.size());
    if (schedule_.items(m).size() > 1) loads_.resize(schedule_.size());
    if (to.size() == 1) continue;
    if (groups_ == nullptr) {
      throw std::invalid_argument("the schedule has multicasts, and the network carries none");
    }
    std::vector<NodeId> nodes;
    for (const NodeId rank : to) nodes.push_back(placement_.node(rank));
    group_of_[m] = groups_->add(nodes);
  }
}

std::size_t SchedulePlayer::lane(std::size_t message) const {
  const std::size_t first_output = lanes_ == 1 ? 0 : index(schedule_.path(message)[0]);
  return index(schedule_.message(message).from) * lanes_ + first_output;
}

// Counting sort: within a lane the messages stay in the order of their rounds.
void SchedulePlayer::sort_into_lanes() {
  last_.assign(woken_for_.size() * lanes_, 0);
  for (std::size_t m = 0; m < schedule_.size(); ++m) {
    if (lanes_ > 1 && index(schedule_.path(m)[0]) >= lanes_) {
      throw std::invalid_argument("a message leaves by a port beyond those to other routers");
    }
    ++last_[lane(m)];
  }
  std::size_t begin = 0;
  for (std::size_t& last : last_) {
    next_.push_back(begin);
    begin += last;
    last = begin;
  }
  messages_.resize(schedule_.size());
  std::vector<std::size_t> place = next_;
  for (std::size_t m = 0; m < schedule_.size(); ++m) {
    messages_[place[lane(m)]++] = static_cast<std::uint32_t>(m);
  }
}

Cycle SchedulePlayer::first(NodeId node) {
  const NodeId rank = placement_.rank(node);
  if (index(rank) >= woken_for_.size()) return kNever;  // It takes no part.
  for (std::size_t l = index(rank) * lanes_; l < (index(rank) + 1) * lanes_; ++l) {
    if (next_[l] < last_[l] && ready(messages_[next_[l]])) return Cycle{0};
  }
  return kNever;
}

bool SchedulePlayer::ready(std::size_t message) const {
  if (timing_ == Timing::kRounds) return message < schedule_.end(round_);
  const NodeId from = schedule_.message(message).from;
  const Items items = schedule_.items(message);
  return std::all_of(items.begin(), items.end(), [&](ChunkId item) {
    return ledger().held(from, item) != ChunkLedger::kNothing;
  });
}

// In rounds all packets of a round are made in its first cycle, so what arrives changes none.
Cycle SchedulePlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  const NodeId rank = placement_.rank(node);
  for (std::size_t l = index(rank) * lanes_; l < (index(rank) + 1) * lanes_; ++l) {
    for (; next_[l] < last_[l] && ready(messages_[next_[l]]); ++next_[l]) {
      packets.push_back(packet_of(messages_[next_[l]]));
    }
  }
  return kNever;
}

PacketRequest SchedulePlayer::packet_of(std::size_t number) {
  const Message& message = schedule_.message(number);
  const std::size_t receivers = schedule_.receivers(number).size();
  const NodeId to = receivers == 1 ? placement_.node(message.to) : group_of_.at(number);
  PacketRequest request = packet(to, schedule_.items(number), load(number), number, receivers);
  if (lanes_ > 1) request.port = index(schedule_.path(number)[0]);
  if (schedule_.path(number).size() > 0)
    request.ties = header_bits(topology_, schedule_.path(number));
  return request;
}

std::uint64_t SchedulePlayer::load(std::size_t message) {
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
  dealt_with_ = std::max(dealt_with_, unload(number, delivery));
  if (timing_ == Timing::kSelfTimed) {
    if (first(delivery.node) != kNever) wake_ups.push_back({delivery.node, delivery.arrival + 1});
  } else if (--round_left_ == 0) {
    end_round(round_);
    start_round(dealt_with_ + 1, wake_ups);
  }
}

/// Skips rounds without messages.
void SchedulePlayer::enter_round() {
  while (round_ < schedule_.rounds() && schedule_.begin(round_) == schedule_.end(round_)) ++round_;
  if (round_ == schedule_.rounds()) return;
  for (std::size_t m = schedule_.begin(round_); m < schedule_.end(round_); ++m) {
    round_left_ += schedule_.receivers(m).size();
  }
}

void SchedulePlayer::start_round(Cycle when, std::vector<WakeUp>& wake_ups) {
  ++round_;
  enter_round();
  if (round_ == schedule_.rounds()) return;
  for (std::size_t m = schedule_.begin(round_); m < schedule_.end(round_); ++m) {
    const NodeId from = schedule_.message(m).from;
    if (woken_for_[index(from)] == round_ + 1) continue;
    woken_for_[index(from)] = round_ + 1;
    wake_ups.push_back({placement_.node(from), when});
  }
}

ForwardingPlayer::ForwardingPlayer(std::vector<Injection> injections, const Demand& demand,
                                   std::uint32_t length, std::uint64_t seed)
    : CollectivePlayer(demand, length, seed),
      injections_(std::move(injections)),
      begin_(demand.nodes + 1, 0) {
  std::stable_sort(injections_.begin(), injections_.end(),
                   [](const Injection& a, const Injection& b) { return a.node < b.node; });
  for (const Injection& injection : injections_) {
    ++begin_[index(injection.node) + 1];
    expect(injection.receivers);
  }
  for (std::size_t n = 0; n < demand.nodes; ++n) begin_[n + 1] += begin_[n];
}

Cycle ForwardingPlayer::first(NodeId node) {
  return begin_[index(node)] == begin_[index(node) + 1] ? kNever : Cycle{0};
}

Cycle ForwardingPlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  for (std::size_t i = begin_[index(node)]; i < begin_[index(node) + 1]; ++i) {
    const Injection& injection = injections_[i];
    const NodeId origin = ledger().demand().origin(injection.chunk);
    const Items chunk{&injection.chunk, &injection.chunk + 1};
    packets.push_back(packet(origin, chunk, values_of(injection.node, chunk),
                             index(injection.chunk), injection.receivers));
    packets.back().port = injection.port;
    packets.back().route_field = injection.route_field;
  }
  return kNever;
}

void ForwardingPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>&) {
  const ChunkId chunk{static_cast<std::uint32_t>(delivery.packet.tag)};
  if (!ledger().demand().wants(delivery.node, chunk)) {
    throw InvariantError("the routers brought a node a chunk that it does not want");
  }
  if (ledger().held(delivery.node, chunk) != ChunkLedger::kNothing) {
    throw InvariantError("the routers brought a node a chunk that it holds already");
  }
  receive(delivery.node, {&chunk, &chunk + 1}, {delivery.packet.payload}, delivery);
}

}  // namespace flitcast
