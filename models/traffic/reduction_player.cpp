// SPDX-License-Identifier: Apache-2.0
#include "traffic/reduction_player.h"

#include <algorithm>
#include <utility>

#include "router/invariant.h"

namespace flitcast {

// All that take part in a reduction ask for the same receivers.
ReductionPlayer::ReductionPlayer(std::vector<Injection> injections, const Demand& demand,
                                 std::uint32_t length, std::uint64_t seed)
    : CollectivePlayer(demand, length, seed),
      injections_(std::move(injections)),
      begin_(demand.nodes + 1, 0) {
  const ChunkLedger::Sum sum = ChunkLedger::sum_for(demand);
  for (const Injection& injection : injections_) {
    ++begin_[index(injection.node) + 1];
    const std::size_t reduction = injection.route_field;
    if (reduction >= sums_.size()) {
      sums_.resize(reduction + 1, 0);
      told_.resize(reduction + 1);
    }
    if (told_[reduction].empty()) expect(injection.receivers);
    told_[reduction].resize(demand.nodes, false);
    const std::uint64_t part = ledger().held(injection.node, kPartialSum);
    sums_[reduction] = sum(sums_[reduction], of_reduction(reduction, part));
  }
  for (std::size_t n = 0; n < demand.nodes; ++n) begin_[n + 1] += begin_[n];
}

// One to one; for one of several reductions alone the value itself.
std::uint64_t ReductionPlayer::of_reduction(std::size_t reduction, std::uint64_t value) const {
  const std::size_t turn = reduction % 64;
  if (turn == 0) return value;
  return ledger().demand().is_union() ? value << turn | value >> (64 - turn)
                                      : value * (2 * reduction + 1);
}

Cycle ReductionPlayer::first(NodeId node) {
  return begin_[index(node)] == begin_[index(node) + 1] ? kNever : Cycle{0};
}

Cycle ReductionPlayer::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  for (std::size_t i = begin_[index(node)]; i < begin_[index(node) + 1]; ++i) {
    const Injection& injection = injections_[i];
    const std::size_t reduction = injection.route_field;
    const Items sum{&kPartialSum, &kPartialSum + 1};
    packets.push_back(packet(ledger().demand().source, sum, values_of(node, sum), reduction,
                             injection.receivers));
    packets.back().payload = of_reduction(reduction, packets.back().payload);
    packets.back().port = injection.port;
    packets.back().route_field = injection.route_field;
    packets.back().message_class = injection.message_class;
  }
  return kNever;
}

void ReductionPlayer::delivered(const Delivery& delivery, std::vector<WakeUp>&) {
  const std::size_t reduction = delivery.packet.tag;
  if (told_[reduction][index(delivery.node)]) {
    throw InvariantError("the routers brought a node a sum that it has already");
  }
  told_[reduction][index(delivery.node)] = true;
  if (delivery.packet.payload != sums_[reduction]) {
    throw InvariantError("the routers brought a node a sum that is not that of its parts");
  }
  if (reduction == 0) {
    return receive(delivery.node, {&kResult, &kResult + 1}, {delivery.packet.payload}, delivery);
  }
  receive_apart(delivery.arrival);
}

}  // namespace flitcast
