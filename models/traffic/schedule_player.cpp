// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule_player.h"

#include <stdexcept>

#include "collective/routability.h"
#include "router/invariant.h"
#include "topology/metrics.h"

namespace flitcast {

namespace {

// One lane for each channel of the router if the node has a port for each, else a single lane.
std::size_t lanes_of(const Topology& topology) {
  const std::size_t ports = most_router_ports(topology);
  return topology.node_ports() >= ports ? ports : 1;
}

}  // namespace

SchedulePlayer::SchedulePlayer(const Topology& topology, const Schedule& schedule,
                               const Demand& demand, Timing timing, std::uint32_t length,
                               std::uint64_t seed)
    : ChunkSource(ChunkLedger(demand, length, seed)),
      topology_(topology),
      schedule_(schedule),
      timing_(timing),
      length_(length),
      lanes_(lanes_of(topology)),
      woken_for_(topology.node_count(), 0) {
  sort_into_lanes();
  skip_empty_rounds();
}

// Counting sort: within a lane the sends stay in the order of their rounds.
void SchedulePlayer::sort_into_lanes() {
  last_.assign(woken_for_.size() * lanes_, 0);
  for (std::size_t s = 0; s < schedule_.size(); ++s) {
    if (lanes_ > 1 && index(schedule_.path(s)[0]) >= lanes_) {
      throw std::invalid_argument("a send leaves by a port beyond those to other routers");
    }
    ++last_[lane(schedule_.send(s).from, schedule_.path(s)[0])];
  }
  std::size_t begin = 0;
  for (std::size_t& last : last_) {
    next_.push_back(begin);
    begin += last;
    last = begin;
  }
  sends_.resize(schedule_.size());
  std::vector<std::size_t> place = next_;
  for (std::size_t s = 0; s < schedule_.size(); ++s) {
    sends_[place[lane(schedule_.send(s).from, schedule_.path(s)[0])]++] =
        static_cast<std::uint32_t>(s);
  }
}

Cycle SchedulePlayer::first(NodeId node) {
  for (std::size_t l = index(node) * lanes_; l < (index(node) + 1) * lanes_; ++l) {
    if (next_[l] < last_[l] && ready(sends_[next_[l]])) return Cycle{0};
  }
  return kNever;
}

bool SchedulePlayer::ready(std::size_t send) const {
  if (timing_ == Timing::kRounds) return send < schedule_.end(round_);
  return ledger().held(schedule_.send(send).from, schedule_.send(send).chunk) !=
         ChunkLedger::kNothing;
}

Cycle SchedulePlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  for (std::size_t l = index(node) * lanes_; l < (index(node) + 1) * lanes_; ++l) {
    for (; next_[l] < last_[l] && ready(sends_[next_[l]]); ++next_[l]) {
      packets.push_back(packet(sends_[next_[l]]));
    }
  }
  return kNever;
}

PacketRequest SchedulePlayer::packet(std::size_t send) const {
  const Send& message = schedule_.send(send);
  PacketRequest request{message.to, length_, send};
  request.payload = ledger().held(message.from, message.chunk);
  if (request.payload == ChunkLedger::kNothing) {
    throw InvariantError("a schedule lets a node send a chunk that it does not hold");
  }
  if (lanes_ > 1) request.port = index(schedule_.path(send)[0]);
  request.ties = header_bits(topology_, schedule_.path(send));
  return request;
}

void SchedulePlayer::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const std::size_t number = delivery.packet.tag;
  if (number >= schedule_.size() || schedule_.send(number).to != delivery.node) {
    throw InvariantError("a packet that the schedule does not send arrived at a node");
  }
  const Send& send = schedule_.send(number);
  receive(send.chunk, delivery);
  ++arrived_;
  if (timing_ == Timing::kSelfTimed) {
    if (first(send.to) != kNever) wake_ups.push_back({send.to, delivery.arrival + 1});
  } else if (++round_arrived_ == schedule_.end(round_) - schedule_.begin(round_)) {
    start_round(delivery.arrival + 1, wake_ups);
  }
}

void SchedulePlayer::skip_empty_rounds() {
  while (round_ < schedule_.rounds() && schedule_.begin(round_) == schedule_.end(round_)) ++round_;
}

void SchedulePlayer::start_round(Cycle when, std::vector<WakeUp>& wake_ups) {
  ++round_;
  skip_empty_rounds();
  round_arrived_ = 0;
  if (round_ == schedule_.rounds()) return;
  for (std::size_t s = schedule_.begin(round_); s < schedule_.end(round_); ++s) {
    const NodeId from = schedule_.send(s).from;
    if (woken_for_[index(from)] == round_ + 1) continue;
    woken_for_[index(from)] = round_ + 1;
    wake_ups.push_back({from, when});
  }
}

}  // namespace flitcast
