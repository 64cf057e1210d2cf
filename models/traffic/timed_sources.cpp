// SPDX-License-Identifier: Apache-2.0
#include "traffic/timed_sources.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"

namespace flitcast {
namespace {

/// A cycle of a part as a cycle of the network.
Cycle after(Cycle start, Cycle own) { return own == kNever ? kNever : own + index(start); }

/// A cycle of the network as a cycle of a part that has begun.
Cycle since(Cycle start, Cycle now) { return Cycle{now - start}; }

}  // namespace

TimedSources::TimedSources(std::vector<Part> parts, std::size_t nodes)
    : parts_(std::move(parts)), nodes_(nodes), arrivals_(parts_.size()) {
  if (parts_.size() > kMaxMessageClasses) {
    throw std::invalid_argument("more sources than message classes");
  }
  for (std::uint32_t n = 0; n < nodes; ++n) {
    nodes_[n].due.fill(kNever);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      nodes_[n].due[p] = after(parts_[p].start, parts_[p].source->first(NodeId{n}));
    }
  }
}

Cycle TimedSources::first(NodeId node) {
  const Node& own = nodes_[index(node)];
  return *std::min_element(own.due.begin(), own.due.begin() + parts_.size());
}

// A part is called only in its own cycles; in cycles of another part it would send too early.
Cycle TimedSources::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  Node& node = nodes_[index(id)];
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (node.due[p] > now) continue;
    const auto& [source, start] = parts_[p];
    const std::size_t known = packets.size();
    node.due[p] = after(start, source->create(id, since(start, now), packets));
    for (std::size_t i = known; i < packets.size(); ++i) {
      packets[i].message_class = static_cast<std::uint8_t>(p);
    }
    node.created[p] += packets.size() - known;
  }
  return first(id);
}

void TimedSources::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const std::size_t part = delivery.packet.message_class;
  const auto& [source, start] = parts_[part];
  Delivery own = delivery;
  own.packet.message_class = 0;
  own.packet.created = since(start, delivery.packet.created);
  own.packet.injected = since(start, delivery.packet.injected);
  own.arrival = since(start, delivery.arrival);
  ++arrivals_[part].count;
  arrivals_[part].last = own.arrival;
  if (!source->wants_deliveries()) return;
  const std::size_t known = wake_ups.size();
  source->delivered(own, wake_ups);
  for (std::size_t w = known; w < wake_ups.size(); ++w) {
    wake_ups[w].cycle = after(start, wake_ups[w].cycle);
    Cycle& due = nodes_[index(wake_ups[w].node)].due[part];
    due = std::min(due, wake_ups[w].cycle);
  }
}

std::uint64_t TimedSources::created(std::size_t part) const {
  return sum_of<std::uint64_t>(nodes_, [&](const Node& node) { return node.created[part]; });
}

}  // namespace flitcast
