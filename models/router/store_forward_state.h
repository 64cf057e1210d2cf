// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "router/router_state.h"
#include "router/store_forward_queue.h"

namespace flitcast {

/// An output of a store-and-forward router: its queue, its channel, and the packet that leaves.
struct StoreForwardOutput {
  CopyList queue;
  PacketCopy* leaving = nullptr;
  std::uint64_t free_at = 0;          ///< The first cycle in which the channel takes another flit.
  std::uint32_t flits_left = 0;       ///< Of `leaving`, yet to leave.
  std::uint32_t cycles_per_flit = 1;  ///< Of the channel.
  std::uint32_t pause = 0;            ///< Cycles that the channel rests after each packet.
  std::uint32_t latency = 1;          ///< Of the channel.
  std::uint32_t length = 0;           ///< Packets in the queue; the leaving one is none of them.
  std::uint8_t vc = kMaxVirtualChannels - 1;  ///< Granted last: the round-robin pointer.
  bool to_node = false;
};

static_assert(sizeof(StoreForwardOutput) <= 64, "an output fits in a cache line");

/// What a router that keeps packets whole adds to the state that all routers share.
struct StoreForwardState : RouterState {
  StoreForwardOutput* channels = nullptr;  ///< One per output port.
  /// Q: the longest queue of an output to another router, in packets, when all that join in a cycle
  /// have joined and none has left.
  std::uint32_t max_queue = 0;
  /// H: the most packets at such a moment that the queues of outputs to other routers hold besides
  /// the first of each: the strict buffer need where every output has a register of its own.
  std::uint32_t max_held = 0;
  std::uint32_t held = 0;  ///< Now.

  /// Calls visit(input VC index, output port, VCs it may take, head) for every copy in a queue, in
  /// the order in which each queue would leave.
  template <class Visit>
  void for_each_queued(Visit&& visit) const {
    for (unsigned output = 0; output < output_ports; ++output) {
      channels[output].queue.for_each([&](const PacketCopy& copy) {
        visit(unsigned{copy.packet->input}, output, copy.vcs, copy.packet->head);
      });
    }
  }
};

}  // namespace flitcast
