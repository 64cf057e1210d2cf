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
  std::uint32_t length = 1;       ///< Flits, 1 to kMaxPacketLength.
  std::uint64_t tag = 0;          ///< Copied to Packet::tag.
  std::uint64_t payload = 0;      ///< Copied to Packet::payload.
  std::uint32_t receivers = 1;    ///< If above one, routers multicast it to this many nodes.
  std::uint16_t port = kAnyPort;  ///< Port of the node; kAnyPort selects the node's ports in turn.
  std::optional<std::uint8_t> ties{};  ///< Flit::ties of the head; absent: random bits.
  /// Flit::route_field of the head; absent: one of Routing::choices(), all equally likely.
  std::optional<std::uint16_t> route_field{};
  std::uint8_t message_class = 0;  ///< Below Routing::message_classes() of the network.
  bool continues = false;          ///< Copied to Packet::continues.

  static constexpr std::uint16_t kAnyPort = 0xffff;
};

/// A node whose source must be called again, and the cycle of that call.
struct WakeUp {
  NodeId node{};
  Cycle cycle{};
};

/// The source of a network's packets: random traffic, a trace, a schedule.
///
/// The network calls a node's source only in the cycles that the source has requested, so silent
/// nodes cost nothing. Different threads may call first() and create() for different nodes at once;
/// the state of a node must be separate from that of other nodes, preferably on other cache lines.
/// delivered() is never called while create() runs.
class PacketSource {
 public:
  virtual ~PacketSource() = default;

  /// The first cycle in which to call create(); kNever for a node that only sends after a WakeUp.
  virtual Cycle first(NodeId node) = 0;

  /// Appends the packets that `node` creates in cycle `now` and returns the next cycle in which to
  /// call it, later than `now`; kNever to wait for a WakeUp.
  virtual Cycle create(NodeId node, Cycle now, std::vector<PacketRequest>& packets) = 0;

  /// True if the network must call delivered().
  virtual bool wants_deliveries() const { return false; }

  /// Called for every delivery, ordered by cycle and then by node, for any number of threads.
  /// Appends the nodes whose create() must be called again, in cycles later than the delivery's
  /// arrival. If a node has another cycle for that call, the earlier of the two counts.
  virtual void delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
    static_cast<void>(delivery);
    static_cast<void>(wake_ups);
  }

  /// Called for a packet that the network drops before any copy of it arrives; only networks that
  /// declare that they lose packets call it. Wake-ups work as for delivered().
  virtual void dropped(const Packet& packet, Cycle now, std::vector<WakeUp>& wake_ups) {
    static_cast<void>(packet);
    static_cast<void>(now);
    static_cast<void>(wake_ups);
  }
};

/// A source that creates no packets.
class SilentSource : public PacketSource {
 public:
  Cycle first(NodeId) override { return kNever; }
  Cycle create(NodeId, Cycle, std::vector<PacketRequest>&) override { return kNever; }
};

}  // namespace flitcast
