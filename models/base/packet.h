// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace flitcast {

/// What the network remembers of a packet from its creation to the arrival of its tail.
struct Packet {
  PacketId id{};
  NodeId source{};
  NodeId destination{};
  std::uint32_t length = 1;  ///< Flits, 1 to kMaxPacketLength.
  Cycle created{};           ///< Joined its source queue.
  Cycle injected{};          ///< Its head left the source queue.
  std::uint64_t tag = 0;     ///< The creator's own mark, returned untouched on delivery.
};

/// A packet whose tail has arrived.
struct Delivery {
  Packet packet;
  Cycle arrival{};
  std::uint32_t hops = 0;  ///< Routers crossed.
};

}  // namespace flitcast
