// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace_source.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace flitcast {

TraceSource::TraceSource(Trace trace, std::size_t node_count, bool honour_dependencies)
    : packets_(std::move(trace.packets)),
      successors_(honour_dependencies ? Successors(packets_.size(), trace.dependencies)
                                      : Successors(packets_.size(), {})),
      awaited_(honour_dependencies ? predecessor_counts(packets_.size(), trace.dependencies)
                                   : std::vector<std::uint32_t>(packets_.size())),
      nodes_(node_count),
      wants_deliveries_(honour_dependencies && !trace.dependencies.empty()) {
  for (std::uint32_t packet = 0; packet < packets_.size(); ++packet) {
    const TracePacket& facts = packets_[packet];
    if (index(facts.source) >= node_count || index(facts.destination) >= node_count) {
      throw std::invalid_argument("a trace packet's node is outside the network");
    }
    if (awaited_[packet] == 0) make_ready(packet);
  }
}

Cycle TraceSource::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  Node& node = nodes_[index(id)];
  while (next(node) <= now) {
    const std::uint32_t packet = node.ready.front().second;
    packets.push_back({packets_[packet].destination, packets_[packet].length, packet});
    std::pop_heap(node.ready.begin(), node.ready.end(), std::greater<>());
    node.ready.pop_back();
    ++node.created;
  }
  return next(node);
}

void TraceSource::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  for (const std::uint32_t after :
       successors_.of(static_cast<std::uint32_t>(delivery.packet.tag))) {
    TracePacket& waiting = packets_[after];
    waiting.earliest = std::max(waiting.earliest, delivery.arrival + 1);
    if (--awaited_[after] != 0) continue;
    make_ready(after);
    wake_ups.push_back({waiting.source, waiting.earliest});
  }
}

std::uint32_t TraceSource::longest_packet() const {
  std::uint32_t longest = 0;
  for (const TracePacket& packet : packets_) longest = std::max(longest, packet.length);
  return longest;
}

std::size_t TraceSource::created_count() const {
  std::size_t count = 0;
  for (const Node& node : nodes_) count += node.created;
  return count;
}

void TraceSource::make_ready(std::uint32_t packet) {
  std::vector<Ready>& ready = nodes_[index(packets_[packet].source)].ready;
  ready.emplace_back(packets_[packet].earliest, packet);
  std::push_heap(ready.begin(), ready.end(), std::greater<>());
}

}  // namespace flitcast
