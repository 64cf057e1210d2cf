// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/packet_source.h"
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
  TimedSources(std::vector<Part> parts, std::size_t nodes);

  Cycle first(NodeId node) override;
  Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) override;
  bool wants_deliveries() const override { return true; }
  void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) override;

  /// The packets of a part that have been created so far.
  std::uint64_t created(std::size_t part) const;
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

  const std::vector<Part> parts_;
  std::vector<Node> nodes_;
  std::vector<Arrivals> arrivals_;
};

}  // namespace flitcast
