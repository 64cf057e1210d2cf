// SPDX-License-Identifier: Apache-2.0
#include "traffic/router_player.h"

#include <algorithm>
#include <utility>

#include "base/sequences.h"
#include "router/invariant.h"

namespace flitcast {

RouterPlayer::RouterPlayer(std::vector<Injection> injections, const Demand& demand,
                           std::uint32_t length, std::uint64_t seed, Placement placement)
    : CollectivePlayer(demand, length, seed),
      placement_(std::move(placement)),
      injections_(std::move(injections)),
      begin_(demand.nodes + 1, 0) {
  const auto rank_of = [&](const Injection& one) { return index(placement_.rank(one.node)); };
  sort_by(injections_, rank_of);
  for (const Injection& injection : injections_) ++begin_[rank_of(injection) + 1];
  for (std::size_t n = 0; n < demand.nodes; ++n) begin_[n + 1] += begin_[n];
}

Cycle RouterPlayer::first(NodeId node) {
  const std::size_t rank = index(placement_.rank(node));
  if (rank + 1 >= begin_.size()) return kNever;  // The node has no rank in the operation.
  return begin_[rank] == begin_[rank + 1] ? kNever : Cycle{0};
}

Cycle RouterPlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  const std::size_t rank = index(placement_.rank(node));
  for (std::size_t i = begin_[rank]; i < begin_[rank + 1]; ++i) {
    packets.push_back(packet_of(injections_[i]));
    packets.back().port = injections_[i].port;
    packets.back().route_field = injections_[i].route_field;
    packets.back().message_class = injections_[i].message_class;
  }
  return kNever;
}

ForwardingPlayer::ForwardingPlayer(std::vector<Injection> injections, const Demand& demand,
                                   std::uint32_t length, std::uint64_t seed, Placement placement)
    : RouterPlayer(std::move(injections), demand, length, seed, std::move(placement)) {
  for (const Injection& injection : this->injections()) expect(injection.receivers);
}

PacketRequest ForwardingPlayer::packet_of(const Injection& injection) const {
  const Items chunk{&injection.chunk, &injection.chunk + 1};
  const NodeId origin = ledger().demand().origin(injection.chunk);
  return packet(placement().node(origin), chunk,
                payload_of(values_of(placement().rank(injection.node), chunk)),
                index(injection.chunk), injection.receivers);
}

void ForwardingPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>&) {
  const ChunkId chunk{static_cast<std::uint32_t>(delivery.packet.tag)};
  const NodeId rank = placement().rank(delivery.node);
  if (!ledger().demand().wants(rank, chunk)) {
    throw InvariantError("the routers brought a node a chunk that it does not want");
  }
  if (ledger().held(rank, chunk) != ChunkLedger::kNothing) {
    throw InvariantError("the routers brought a node a chunk that it holds already");
  }
  receive(rank, {&chunk, &chunk + 1}, {delivery.packet.payload}, delivery);
}

// All contributors of a reduction name the same number of receivers.
ReductionPlayer::ReductionPlayer(std::vector<Injection> injections, const Demand& demand,
                                 std::uint32_t length, std::uint64_t seed, Placement placement)
    : RouterPlayer(std::move(injections), demand, length, seed, std::move(placement)) {
  const ChunkLedger::Sum sum = ChunkLedger::sum_for(demand);
  for (const Injection& injection : this->injections()) {
    const std::size_t reduction = injection.route_field;
    if (reduction >= sums_.size()) {
      sums_.resize(reduction + 1, 0);
      holds_.resize(reduction + 1);
    }
    if (holds_[reduction].empty()) expect(injection.receivers);
    holds_[reduction].resize(demand.nodes, false);
    const std::uint64_t part = ledger().held(this->placement().rank(injection.node), kPartialSum);
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
  const Values part = values_of(placement().rank(injection.node), sum);
  return packet(placement().node(ledger().demand().source), sum,
                of_reduction(reduction, payload_of(part)), reduction, injection.receivers);
}

void ReductionPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>&) {
  const std::size_t reduction = delivery.packet.tag;
  const NodeId rank = placement().rank(delivery.node);
  if (holds_[reduction][index(rank)]) {
    throw InvariantError("the routers brought a node a sum that it has already");
  }
  holds_[reduction][index(rank)] = true;
  if (delivery.packet.payload != sums_[reduction]) {
    throw InvariantError("the routers brought a node a sum that is not that of its parts");
  }
  if (reduction == 0) {
    return receive(rank, {&kResult, &kResult + 1}, {delivery.packet.payload}, delivery);
  }
  receive_apart(delivery.arrival);
}

}  // namespace flitcast
