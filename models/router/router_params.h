// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "routing/routing.h"

namespace flitcast {

/// Cycles that a head flit spends in the stages of a router. The default is the textbook router: a
/// head that is written into its buffer in cycle t computes its route in t, allocates a virtual
/// channel in t + 1 and the switch in t + 2, crosses the switch in t + 3 and the link in t + 4.
struct Pipeline {
  unsigned route = 1;              ///< 0: look-ahead, the route is known on arrival.
  unsigned vc_allocation = 1;      ///< 0: in the same cycle as switch allocation, ahead of it.
  unsigned switch_allocation = 1;  ///< At least 1; further stages delay the departure only.
  unsigned traversal = 1;

  /// From the cycle in which switch allocation grants to the one in which the flit is on the link.
  unsigned departure() const { return switch_allocation + traversal; }

  /// Longest delay of a single stage; longer ones are refused by the configuration.
  static constexpr unsigned kLongest = 8;
};

/// How requests are matched with what they are for; see Allocator.
enum class AllocatorKind { kInputFirst, kOutputFirst, kWavefront };

/// When another packet may have an output VC.
enum class VcReuse {
  kTail,        ///< As soon as the tail has won the switch.
  kTailCredit,  ///< When the credit of the tail has come back.
};

/// What a virtual-channel router may have besides, see OptionCore. The default is the router of
/// WormholeCore.
struct RouterOptions {
  AllocatorKind allocator = AllocatorKind::kInputFirst;  ///< Of VCs and of the switch.
  unsigned iterations = 1;  ///< Of an allocator that is not a wavefront, from 1 up.
  bool speculation = false;
  unsigned input_speedup = 1;  ///< Inputs of the switch per port, 1 to virtual_channels.
  VcReuse vc_reuse = VcReuse::kTail;

  /// Whether some option is not its default.
  bool any() const {
    return allocator != AllocatorKind::kInputFirst || iterations > 1 || speculation ||
           input_speedup > 1 || vc_reuse != VcReuse::kTail;
  }
};

/// What a place in a buffer holds, and so what a credit stands for.
enum class BufferUnit { kFlit, kPacket };

/// What all routers of a network share.
struct RouterParams {
  unsigned virtual_channels = 4;  ///< Per port, 1 to 32.
  unsigned buffer_depth = 8;      ///< Flits, or packets, per virtual channel and input, 1 to 65535.
  Pipeline pipeline{};
  /// Virtual cut-through: a head leaves only when the VC that it holds has credits for the whole
  /// packet, so a blocked packet never stretches over several routers. Needs buffer_depth >= packet
  /// length.
  bool whole_packet_credit = false;
  /// Multicast: a flit leaves only by all of its outputs at once. Otherwise by each as soon as it
  /// can, and stays at the front of its buffer until the last copy has left.
  bool synchronous_copies = false;
  /// Cycles that a channel between routers takes for a flit (tm). Where packets are kept whole, one
  /// may move on when the last of them is over.
  std::uint32_t flit_time = 1;
  /// Packets may leave a router by several outputs. Where packets are kept whole, every place has
  /// space for a copy for each.
  bool multicast = true;
  /// Reduction: cycles that the head of a packet made of several takes longer, from when all of its
  /// parts are there; the flits behind it follow it as closely as others, as through a pipeline.
  /// From 0 to kLongestCombine.
  unsigned combine = 0;
  static constexpr unsigned kLongestCombine = 64;
  /// Adaptive routing: which of several open ways a packet takes.
  OutputSelection selection = OutputSelection::kFreeCredits;
  /// Packets have several ways to choose among.
  bool adaptive = false;
  /// Of OptionCore only.
  RouterOptions options{};
  /// Flits of the shortest packet that will come: the longer, the less a buffer has to keep.
  unsigned shortest_packet = 1;
};

/// The channel behind an output of a router.
struct OutputChannel {
  std::uint32_t cycles_per_flit = 1;
  std::uint32_t latency = 1;  ///< Cycles of flight.
  bool to_node = false;
};

}  // namespace flitcast
