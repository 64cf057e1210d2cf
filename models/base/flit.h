// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "base/ids.h"

namespace flitcast {

/// The slot in which the network keeps the record of a packet in flight.
enum class PacketSlot : std::uint32_t {};

/// The unit of flow control: what one channel carries in one cycle and one buffer slot holds.
///
/// A packet of n flits is a head with remaining = n - 1 followed by flits that count down to the
/// tail with remaining = 0; a single-flit packet is head and tail at once. Order is therefore
/// checkable at every buffer, and virtual cut-through reads the packet's length in its head.
struct Flit {
  NodeId destination{};
  PacketSlot packet{};
  std::uint16_t remaining = 0;  ///< Flits of the same packet that follow this one.
  std::uint16_t hops = 0;       ///< Routers that have routed this head; unused in other flits.
  std::uint8_t ties = 0;  ///< Bit d: way round dimension d when both are equally long (1: minus).
  bool head = false;
  /// What the routing alone reads and writes, in heads: drawn at the source (Routing::choices()),
  /// rewritten on the way by an Alternative or by the Branch that a copy takes. 0 where it has no
  /// use for it.
  std::uint16_t route_field = 0;

  constexpr bool tail() const { return remaining == 0; }
};

static_assert(sizeof(Flit) == 16, "a flit is copied as one 16-byte register");

/// From a flit of a packet to the one behind it.
inline void step_behind(Flit& flit) {
  --flit.remaining;
  flit.hops = 0;
  flit.head = false;
}

/// As an assignment, which compilers split where they have seen a part of the flit before.
inline void copy_flit(const Flit& from, Flit& to) {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(Flit));
}

/// Longest packet that Flit::remaining can count.
inline constexpr std::uint32_t kMaxPacketLength = 65536;

}  // namespace flitcast
