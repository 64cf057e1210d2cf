// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/packet_source.h"
#include "base/sequences.h"
#include "routing/routing.h"

namespace flitcast {

/// Several sources on one network, each from a start of its own. A source sees cycles that are
/// counted from its start, and its own packets alone. The packets of source s have message class s;
/// tags remain as the source makes them.
class TimedSources : public PacketSource {
 public:
  struct Part {
    PacketSource* source = nullptr;  ///< Makes packets of one class; outlives this object.
    Cycle start{};
  };

  /// Throws std::invalid_argument for more than kMaxMessageClasses parts.
  TimedSources(std::vector<Part> parts, std::size_t nodes)
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

  Cycle first(NodeId node) override {
    const Node& own = nodes_[index(node)];
    return *std::min_element(own.due.begin(), own.due.begin() + parts_.size());
  }

  // A part is called only in its own cycles; in cycles of another part it would send too early.
  Cycle create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) override {
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

  bool wants_deliveries() const override { return true; }

  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override {
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

  /// The packets of a part that have been created so far.
  std::uint64_t created(std::size_t part) const {
    return sum_of<std::uint64_t>(nodes_, [&](const Node& node) { return node.created[part]; });
  }

  /// The number of deliveries of the part's packets so far.
  std::uint64_t delivered(std::size_t part) const { return arrivals_[part].count; }
  /// The cycle of the part's last delivery, counted from the part's start; 0 before the first.
  Cycle last_arrival(std::size_t part) const { return arrivals_[part].last; }

 private:
  // Different threads may call for neighbouring nodes, so each node has its own cache lines.
  struct alignas(64) Node {
    std::array<Cycle, kMaxMessageClasses> due;  // By part: the cycle in which to call it.
    std::array<std::uint64_t, kMaxMessageClasses> created{};
  };
  struct Arrivals {
    std::uint64_t count = 0;
    Cycle last{};
  };

  /// A cycle of a part as a cycle of the network.
  static Cycle after(Cycle start, Cycle own) { return own == kNever ? kNever : own + index(start); }
  /// A cycle of the network as a cycle of a part that has begun.
  static Cycle since(Cycle start, Cycle now) { return Cycle{now - start}; }

  const std::vector<Part> parts_;
  std::vector<Node> nodes_;
  std::vector<Arrivals> arrivals_;
};

}  // namespace flitcast
