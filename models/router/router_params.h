// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/sequences.h"
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

  /// The cycles from the grant of the switch until the flit is on the link.
  unsigned departure() const { return switch_allocation + traversal; }

  /// Longest delay of a single stage; longer ones are refused by the configuration.
  static constexpr unsigned kLongest = 8;
};

/// Matching algorithm of an Allocator.
enum class AllocatorKind { kInputFirst, kOutputFirst, kWavefront };

/// The time at which an output VC becomes free for another packet.
enum class VcReuse {
  kTail,        ///< It is free as soon as the tail has won the switch.
  kTailCredit,  ///< It is free when the credit of the tail has returned.
};

/// The order in which routers serve packets that compete, see Arbitration.
enum class ArbitrationKind {
  kRoundRobin,
  kPriority,    ///< The message class of highest priority first.
  kAge,         ///< The packet that was created first.
  kHops,        ///< The packet that has crossed most routers: age without a clock.
  kWeighted,    ///< Message classes by turns, in the ratio of their weights.
  kGuaranteed,  ///< Message classes that have not had their guaranteed rate.
};

/// The traits of an ArbitrationKind.
struct ArbitrationTraits {
  const char* name;
  bool by_class;                          ///< Only message classes make a difference.
  std::array<const char*, 3> class_keys;  ///< Keys of a class that not all kinds read.
  bool can_starve;                        ///< A packet may wait for as long as others arrive.

  bool reads(std::string_view key) const {
    return any_of(class_keys, [&](const char* its) { return its != nullptr && key == its; });
  }
};
/// In the order of ArbitrationKind. Guaranteed rates read all these keys of a class.
inline constexpr std::array<ArbitrationTraits, 6> kArbitrations{{
    {"round_robin", false, {}, false},
    {"priority", true, {}, true},
    {"age", false, {}, false},
    {"hops", false, {}, true},
    {"weighted", true, {"weight"}, false},
    {"guaranteed", true, {"weight", "rate", "burst"}, true},
}};
constexpr const ArbitrationTraits& traits_of(ArbitrationKind kind) {
  return kArbitrations[static_cast<std::size_t>(kind)];
}

/// The treatment of a message class by the nodes and routers of a network.
struct MessageClass {
  static constexpr std::size_t kPriorities = 4;
  static constexpr unsigned kMostWeight = 1024;
  static constexpr unsigned kMostBurst = 65535;

  /// 0 to kPriorities - 1. In each cycle a port of a node sends a flit of the highest-priority
  /// class that can send one; classes of equal priority take turns. Routers read it under
  /// ArbitrationKind::kPriority.
  std::uint8_t priority = 0;
  /// The class of the replies to packets of this class, one reply per packet; used with
  /// NetworkParams::reply_queue.
  std::optional<std::uint8_t> reply{};
  unsigned weight = 1;  ///< Weighted, guaranteed: flits in a turn of an output, 1 to kMostWeight.
  double rate = 0;      ///< Guaranteed: flits per cycle at each output, 0 to 1; 0: none.
  unsigned burst = 16;  ///< Guaranteed: tokens that a bucket holds, 1 to kMostBurst.
};

/// Options of virtual-channel routers, see CoreWithOptions. The default is the router of
/// WormholeCore.
struct RouterOptions {
  AllocatorKind allocator = AllocatorKind::kInputFirst;  ///< For VCs and for the switch.
  unsigned iterations = 1;  ///< Iterations of an allocator other than wavefront, from 1 up.
  bool speculation = false;
  unsigned input_speedup = 1;  ///< Inputs of the switch per port, 1 to virtual_channels.
  VcReuse vc_reuse = VcReuse::kTail;
  ArbitrationKind arbitration = ArbitrationKind::kRoundRobin;

  /// True if some option differs from its default.
  bool any() const {
    return allocator != AllocatorKind::kInputFirst || iterations > 1 || speculation ||
           input_speedup > 1 || vc_reuse != VcReuse::kTail ||
           arbitration != ArbitrationKind::kRoundRobin;
  }
};

/// The unit of buffer slots and credits.
enum class BufferUnit { kFlit, kPacket };

/// Parameters common to all routers of a network.
struct RouterParams {
  unsigned virtual_channels = 4;  ///< Per port, 1 to 32.
  unsigned buffer_depth = 8;      ///< Flits, or packets, per virtual channel and input, 1 to 65535.
  Pipeline pipeline{};
  /// Virtual cut-through: a head leaves only when the VC that it holds has credits for the whole
  /// packet, so a blocked packet never spans several routers. Needs buffer_depth >= packet length.
  bool whole_packet_credit = false;
  /// Multicast: a flit leaves by all of its outputs in one cycle. Otherwise it leaves by each as
  /// soon as it can, and stays at the front of its buffer until the last copy has left.
  bool synchronous_copies = false;
  /// Cycles that a channel between routers takes for a flit (tm). Store-and-forward routers forward
  /// a packet once the last of these cycles is over.
  std::uint32_t flit_time = 1;
  /// Packets may leave a router by several outputs. Store-and-forward routers reserve memory for a
  /// copy per output in every slot.
  bool multicast = true;
  /// Reduction: additional latency in cycles of a combined head, once all of its parts are there;
  /// the flits behind it follow without further delay, as through a pipeline. 0 to kLongestCombine.
  unsigned combine = 0;
  static constexpr unsigned kLongestCombine = 64;
  /// Adaptive routing: how a packet chooses among several open options.
  OutputSelection selection = OutputSelection::kFreeCredits;
  /// Packets choose among several routing options.
  bool adaptive = false;
  /// Options of CoreWithOptions; other cores ignore them.
  RouterOptions options{};
  /// The message classes that OrderingCore knows; empty: one.
  std::vector<MessageClass> classes{};
  /// Flits of the shortest packet that will arrive. The longer it is, the smaller the rings.
  unsigned shortest_packet = 1;
  /// The largest OutputChannel::buffer_depth of the network, for which every router has memory.
  unsigned deepest_buffer = 0;
};

/// The parameters and the numbers of ports from which a core is made.
struct CoreShape {
  const RouterParams& params;
  unsigned inputs;
  unsigned outputs;
};

/// The channel behind an output of a router.
struct OutputChannel {
  std::uint32_t cycles_per_flit = 1;
  std::uint32_t latency = 1;  ///< Cycles of flight.
  bool to_node = false;
  std::uint32_t buffer_depth = 0;  ///< Slots of each VC behind it; 0: those of the deepest buffer.
};

}  // namespace flitcast
