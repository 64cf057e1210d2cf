// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/packet.h"

namespace flitcast {

/// A packet of 5 flits to node 7 that waits 2 cycles in its source queue and crosses 3 routers.
inline Delivery delivery(std::uint64_t id, std::uint64_t created, std::uint64_t arrival) {
  Delivery result;
  result.packet = {PacketId{id}, NodeId{1},      NodeId{7},          5,
                   false,        Cycle{created}, Cycle{created + 2}, 0};
  result.node = result.packet.destination;
  result.arrival = Cycle{arrival};
  result.hops = 3;
  return result;
}

}  // namespace flitcast
