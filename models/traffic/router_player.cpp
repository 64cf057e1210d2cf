// SPDX-License-Identifier: Apache-2.0
#include "traffic/router_player.h"

#include <algorithm>
#include <utility>

#include "base/sequences.h"
#include "router/invariant.h"

namespace flitcast {

RouterPlayer::RouterPlayer(std::vector<Injection> injections, const Demand& demand,
                           std::uint32_t length, std::uint64_t seed)
    : CollectivePlayer(demand, length, seed),
      injections_(std::move(injections)),
      begin_(demand.nodes + 1, 0) {
  sort_by(injections_, &Injection::node);
  for (const Injection& injection : injections_) ++begin_[index(injection.node) + 1];
  for (std::size_t n = 0; n < demand.nodes; ++n) begin_[n + 1] += begin_[n];
}

Cycle RouterPlayer::first(NodeId node) {
  return begin_[index(node)] == begin_[index(node) + 1] ? kNever : Cycle{0};
}

Cycle RouterPlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  for (std::size_t i = begin_[index(node)]; i < begin_[index(node) + 1]; ++i) {
    packets.push_back(packet_of(injections_[i]));
    packets.back().port = injections_[i].port;
    packets.back().route_field = injections_[i].route_field;
    packets.back().message_class = injections_[i].message_class;
  }
  return kNever;
}

ForwardingPlayer::ForwardingPlayer(std::vector<Injection> injections, const Demand& demand,
                                   std::uint32_t length, std::uint64_t seed)
    : RouterPlayer(std::move(injections), demand, length, seed) {
  for (const Injection& injection : this->injections()) expect(injection.receivers);
}

PacketRequest ForwardingPlayer::packet_of(const Injection& injection) const {
  const Items chunk{&injection.chunk, &injection.chunk + 1};
  return packet(ledger().demand().origin(injection.chunk), chunk,
                payload_of(values_of(injection.node, chunk)), index(injection.chunk),
                injection.receivers);
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

// All contributors of a reduction name the same number of receivers.
ReductionPlayer::ReductionPlayer(std::vector<Injection> injections, const Demand& demand,
                                 std::uint32_t length, std::uint64_t seed)
    : RouterPlayer(std::move(injections), demand, length, seed) {
  const ChunkLedger::Sum sum = ChunkLedger::sum_for(demand);
  for (const Injection& injection : this->injections()) {
    const std::size_t reduction = injection.route_field;
    if (reduction >= sums_.size()) {
      sums_.resize(reduction + 1, 0);
      holds_.resize(reduction + 1);
    }
    if (holds_[reduction].empty()) expect(injection.receivers);
    holds_[reduction].resize(demand.nodes, false);
    const std::uint64_t part = ledger().held(injection.node, kPartialSum);
    sums_[reduction] = sum(sums_[reduction], of_reduction(reduction, part));
  }
}

// A one-to-one function of the value, different for each reduction; for the first reduction the
// value itself.
std::uint64_t ReductionPlayer::of_reduction(std::size_t reduction, std::uint64_t value) const {
  const std::size_t turn = reduction % 64;
  if (turn == 0) return value;
  return ledger().demand().is_union() ? value << turn | value >> (64 - turn)
                                      : value * (2 * reduction + 1);
}

PacketRequest ReductionPlayer::packet_of(const Injection& injection) const {
  const std::size_t reduction = injection.route_field;
  const Items sum{&kPartialSum, &kPartialSum + 1};
  const std::uint64_t payload = of_reduction(reduction, payload_of(values_of(injection.node, sum)));
  return packet(ledger().demand().source, sum, payload, reduction, injection.receivers);
}

void ReductionPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>&) {
  const std::size_t reduction = delivery.packet.tag;
  if (holds_[reduction][index(delivery.node)]) {
    throw InvariantError("the routers brought a node a sum that it has already");
  }
  holds_[reduction][index(delivery.node)] = true;
  if (delivery.packet.payload != sums_[reduction]) {
    throw InvariantError("the routers brought a node a sum that is not that of its parts");
  }
  if (reduction == 0) {
    return receive(delivery.node, {&kResult, &kResult + 1}, {delivery.packet.payload}, delivery);
  }
  receive_apart(delivery.arrival);
}

}  // namespace flitcast
