// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"

namespace flitcast {

/// The name of a packet in output, such as "7.0": its source node and its serial number at that
/// node.
inline std::string packet_name(PacketId id) {
  return std::to_string(index(id) >> 32) + "." + std::to_string(index(id) & 0xffffffff);
}

/// The record of a packet in the network, from its creation to the last arrival of its tail.
struct Packet {
  PacketId id{};
  NodeId source{};
  NodeId destination{};         ///< For multicasts by routers: a value that the routing interprets.
  std::uint32_t length = 1;     ///< Flits, 1 to kMaxPacketLength.
  bool continues = false;       ///< Continues the previous packet's message: no start-up.
  Cycle created{};              ///< The cycle in which the packet joined its source queue.
  Cycle injected = kNever;      ///< The cycle in which the head left the source queue, or kNever.
  std::uint64_t tag = 0;        ///< A number set by the packet source, delivered unchanged.
  std::uint64_t payload = 0;    ///< Stands for the packet's bytes; delivered unchanged.
  std::uint32_t receivers = 1;  ///< The number of nodes at which the packet arrives, once each.
  std::uint16_t route_field = 0;   ///< Flit::route_field of the head when it leaves its source.
  std::uint8_t ties = 0;           ///< Flit::ties of the head when it leaves its source.
  std::uint8_t message_class = 0;  ///< Below Routing::message_classes().
};

/// A packet whose tail has arrived at a node.
struct Delivery {
  Packet packet;
  NodeId node{};  ///< The node of arrival; the packet's destination unless routers multicast it.
  std::uint16_t port = 0;  ///< Port of the node.
  Cycle arrival{};
  std::uint32_t hops = 0;  ///< Number of routers crossed.
};

}  // namespace flitcast
