// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/packet.h"

namespace flitcast {

/// A packet that a node wants to send.
struct PacketRequest {
  NodeId destination{};
  std::uint32_t length = 1;            ///< Flits, 1 to kMaxPacketLength.
  std::uint64_t tag = 0;               ///< Copied to Packet::tag.
  std::uint64_t payload = 0;           ///< Copied to Packet::payload.
  std::uint32_t receivers = 1;         ///< More than one: routers multicast it to so many nodes.
  std::uint16_t port = kAnyPort;       ///< Port of the node; kAnyPort: its ports take turns.
  std::optional<std::uint8_t> ties{};  ///< Flit::ties; absent: fair coins.
  /// Flit::route_field of the head; absent: one of Routing::choices(), each as likely as another.
  std::optional<std::uint16_t> route_field{};
  std::uint8_t message_class = 0;  ///< Below Routing::message_classes() of the network.

  static constexpr std::uint16_t kAnyPort = 0xffff;
};

/// A node and a cycle in which its source wants to be asked again.
struct WakeUp {
  NodeId node{};
  Cycle cycle{};
};

/// Feeds a network with packets: random traffic, a trace, a schedule.
///
/// The network asks a node's source only in the cycles for which the source has asked, so silent
/// nodes cost nothing. first() and create() for different nodes may be called from different
/// threads at once; what belongs to a node must be kept apart from other nodes', best on cache
/// lines of its own. delivered() is never called while create() runs.
class PacketSource {
 public:
  virtual ~PacketSource() = default;

  /// The first cycle in which to call create(); kNever for a node that never sends unwoken.
  virtual Cycle first(NodeId node) = 0;

  /// Appends the packets that `node` creates in cycle `now` and returns the next cycle to be called
  /// in, later than `now`; kNever to sleep until a WakeUp.
  virtual Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) = 0;

  /// Whether delivered() has to be called at all.
  virtual bool wants_deliveries() const { return false; }

  /// Every delivery, ordered by cycle and then by node, whatever the number of threads. Appends
  /// the nodes to ask again; their cycles must be later than the delivery's arrival. A node that is
  /// waiting already is asked at the earlier of the two cycles.
  virtual void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
    static_cast<void>(delivery);
    static_cast<void>(wake_ups);
  }

  /// A packet that the network has given up before any copy of it arrived; only networks that lose
  /// packets, which say so, ever call it. Wake-ups as for delivered().
  virtual void dropped(const Packet& packet, Cycle now, std::vector<WakeUp>& wake_ups) {
    static_cast<void>(packet);
    static_cast<void>(now);
    static_cast<void>(wake_ups);
  }
};

/// Creates nothing by itself.
class SilentSource : public PacketSource {
 public:
  Cycle first(NodeId) override { return kNever; }
  Cycle create(NodeId, Cycle, std::vector<PacketRequest>&) override { return kNever; }
};

}  // namespace flitcast
