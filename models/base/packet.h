// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"

namespace flitcast {

/// The name of a packet for readers: its source and its number among that node's packets, "7.0".
inline std::string packet_name(PacketId id) {
  return std::to_string(index(id) >> 32) + "." + std::to_string(index(id) & 0xffffffff);
}

/// The record of a packet in the network, from its creation to the last arrival of its tail.
struct Packet {
  PacketId id{};
  NodeId source{};
  NodeId destination{};            ///< Multicast by routers: whatever the routing reads in it.
  std::uint32_t length = 1;        ///< Flits, 1 to kMaxPacketLength.
  Cycle created{};                 ///< Joined its source queue.
  Cycle injected{};                ///< Its head left the source queue.
  std::uint64_t tag = 0;           ///< The creator's own mark, returned untouched on delivery.
  std::uint64_t payload = 0;       ///< Stands for the bytes that it carries; delivered untouched.
  std::uint32_t receivers = 1;     ///< Nodes that it will arrive at, each once.
  std::uint16_t route_field = 0;   ///< Flit::route_field and
  std::uint8_t ties = 0;           ///< Flit::ties of the head when it leaves its source.
  std::uint8_t message_class = 0;  ///< Below Routing::message_classes().
};

/// A packet whose tail has arrived at a node.
struct Delivery {
  Packet packet;
  NodeId node{};           ///< Where; the packet's destination unless routers multicast it.
  std::uint16_t port = 0;  ///< Port of the node.
  Cycle arrival{};
  std::uint32_t hops = 0;  ///< Routers crossed.
};

}  // namespace flitcast
