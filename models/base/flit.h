// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "base/ids.h"

namespace flitcast {

/// The slot in which the network keeps the record of a packet in flight.
enum class PacketSlot : std::uint32_t {};

/// The unit of flow control: a channel carries one flit per cycle, and a buffer slot holds one.
///
/// A packet of n flits is a head with remaining = n - 1 followed by flits that count down to the
/// tail with remaining = 0; a single-flit packet is head and tail at once. So every buffer can
/// check the order of flits, and virtual cut-through reads the packet's length from its head.
struct Flit {
  NodeId destination{};
  PacketSlot packet{};
  std::uint16_t remaining = 0;  ///< Flits of the same packet that follow this one.
  std::uint16_t hops = 0;       ///< Routers that have routed this head; unused in other flits.
  /// Bit d: the direction in dimension d if both directions are equally long (0: plus, 1: minus).
  std::uint8_t ties = 0;
  bool head = false;
  /// A field that only the routing reads and writes, in heads: the source draws it
  /// (Routing::choices()), and an Alternative or the Branch of a copy may rewrite it at a router. 0
  /// if the routing does not use it.
  std::uint16_t route_field = 0;

  constexpr bool tail() const { return remaining == 0; }
};

static_assert(sizeof(Flit) == 16, "a flit is copied as one 16-byte register");

/// Turns a flit of a packet into the flit behind it.
inline void step_behind(Flit& flit) {
  --flit.remaining;
  flit.hops = 0;
  flit.head = false;
}

/// Copies a flit as one block of 16 bytes. Compilers split an assignment into several copies if
/// they have read a part of the flit before.
inline void copy_flit(const Flit& from, Flit& to) {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(Flit));
}

/// The length in flits of the longest packet that Flit::remaining can count.
inline constexpr std::uint32_t kMaxPacketLength = 65536;

}  // namespace flitcast
