// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/flit.h"
#include "base/ids.h"
#include "router/output_channel.h"
#include "router/router_params.h"
#include "routing/queue_priority.h"

namespace flitcast::pins {

/// What a router with pins may have to know of its place in a network. A fabric fills it in for the
/// routers that it hosts; alone on a bench the first four say all.
struct Place {
  RouterId router{};  ///< By which the routing decides.
  unsigned inputs = 0;
  unsigned outputs = 0;
  RouterParams core{};
  BufferUnit unit = BufferUnit::kFlit;  ///< What credits stand for there.

  /// Per output; empty: all lead to routers, with one cycle per flit and one of latency.
  std::vector<OutputChannel> channels{};
  std::vector<bool> connected{};  ///< Outputs that lead somewhere; empty: all.
  std::vector<bool> from_node{};  ///< Inputs that a node injects by; empty: none.
  /// Ports of every node, and per output what spread_over_node() asks for; empty: one port.
  std::size_t node_ports = 1;
  std::vector<std::uint16_t> further_ports{};

  /// Where packets are kept whole: as NetworkParams::priority.
  std::shared_ptr<const QueuePriority> priority{};
  /// Where packets are kept whole: the number of the packet that a head belongs to, which decides
  /// between packets of equal rank that join a queue in one cycle, and which the priority may read.
  /// The wires do not carry it; empty: the number that they carry, Flit::packet, which is unique
  /// among the packets under way but in no particular order.
  std::function<PacketId(const Flit&)> packet_id{};
};

}  // namespace flitcast::pins
