// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network/fabric.h"

namespace flitcast {

/// The wiring of a fabric seen from its ports, and what is on the wires: for code that looks at a
/// network at rest, between two cycles, and never on the way of a flit.
class Inspection {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit Inspection(const Fabric& fabric);

  const Fabric& fabric() const { return fabric_; }

  /// The channel of the topology that leaves by this output or enters by this input; kNone for the
  /// ports of nodes and unconnected ones.
  std::uint32_t channel_from(RouterId router, unsigned output) const {
    return from_[index(router)][output];
  }
  std::uint32_t channel_to(RouterId router, unsigned input) const {
    return to_[index(router)][input];
  }

  /// Flits under way to an input VC (by its index in the router), and credits to an output VC.
  unsigned flits_under_way(RouterId router, unsigned input_vc) const;
  unsigned credits_under_way(RouterId router, unsigned output_vc) const;
  /// Flits under way on a node's ejection channel, and the credits of its injection channel.
  unsigned flits_under_way(NodeId node, std::size_t port, unsigned vc) const;
  unsigned credits_under_way(NodeId node, std::size_t port, unsigned vc) const;

  /// Heads among the flits under way, where packets are kept whole.
  unsigned heads_under_way(RouterId router, unsigned input_vc) const;
  unsigned heads_under_way(NodeId node, std::size_t port, unsigned vc) const;

  /// The record of a packet that has not arrived yet.
  const Packet& packet(PacketSlot slot) const;

 private:
  unsigned announced(const RouterNode& node, const std::uint64_t* rows, unsigned vc_index) const;

  const Fabric& fabric_;
  std::vector<std::vector<std::uint32_t>> from_;
  std::vector<std::vector<std::uint32_t>> to_;
};

/// Counts a network at rest through from end to end and throws InvariantError at the first account
/// that does not balance:
///  - packets: created = delivered + in queues and in flight, once for each receiver; when no flit
///  is
///    left, none is in flight: a multicast packet with too few copies shows then;
///  - flits: created = injected + waiting at their sources, injected + copied = ejected + buffered
///  +
///    on links;
///  - every virtual channel of every channel: credits upstream + flits on the link + occupancy
///    downstream + credits on the way back = buffer depth.
/// Packets leave and enter a router with pins through registers that cannot be seen from here: the
/// channels next to such a router, and the flits inside, are left out.
/// Runs at the end of every experiment, in release builds too. Time: one visit to every VC.
void audit(const Inspection& network);

}  // namespace flitcast
