// SPDX-License-Identifier: Apache-2.0
#include "traffic/forwarding_source.h"

#include <algorithm>
#include <utility>

#include "router/invariant.h"

namespace flitcast {

ForwardingSource::ForwardingSource(std::vector<Injection> injections, const Demand& demand,
                                   std::uint32_t length, std::uint64_t seed)
    : ChunkSource(ChunkLedger(demand, length, seed)),
      demand_(demand),
      length_(length),
      injections_(std::move(injections)),
      begin_(demand.nodes + 1, 0) {
  std::stable_sort(injections_.begin(), injections_.end(),
                   [](const Injection& a, const Injection& b) { return a.node < b.node; });
  for (const Injection& injection : injections_) {
    ++begin_[index(injection.node) + 1];
    expected_ += injection.receivers;
  }
  for (std::size_t n = 0; n < demand.nodes; ++n) begin_[n + 1] += begin_[n];
}

Cycle ForwardingSource::first(NodeId node) {
  return begin_[index(node)] == begin_[index(node) + 1] ? kNever : Cycle{0};
}

Cycle ForwardingSource::create(NodeId node, Cycle, std::vector<PacketRequest>& packets) {
  for (std::size_t i = begin_[index(node)]; i < begin_[index(node) + 1]; ++i) {
    packets.push_back(packet(injections_[i]));
  }
  return kNever;
}

PacketRequest ForwardingSource::packet(const Injection& injection) const {
  PacketRequest request{demand_.origin(injection.chunk), length_, index(injection.chunk)};
  request.payload = ledger().held(injection.node, injection.chunk);
  if (request.payload == ChunkLedger::kNothing) {
    throw InvariantError("a node is to inject a chunk that it does not hold");
  }
  request.receivers = injection.receivers;
  request.port = injection.port;
  request.reach = injection.reach;
  return request;
}

void ForwardingSource::delivered(const Delivery& delivery, std::vector<WakeUp>&) {
  const ChunkId chunk{static_cast<std::uint32_t>(delivery.packet.tag)};
  if (!demand_.wants(delivery.node, chunk)) {
    throw InvariantError("the routers brought a node a chunk that it does not want");
  }
  if (ledger().held(delivery.node, chunk) != ChunkLedger::kNothing) {
    throw InvariantError("the routers brought a node a chunk that it holds already");
  }
  receive(chunk, delivery);
  ++arrived_;
}

}  // namespace flitcast
