// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/analysis/deadlock.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/topology.h"

namespace flitcast {

/// How a router forwards the copies of a packet.
enum class Copying {
  /// Wormhole: a flit leaves its buffer when all of its copies have left, so a packet that waits
  /// for one output holds all others, in this router and in those behind them.
  kLockStep,
  /// Cut-through: a packet starts when it holds all of its outputs, and the buffer behind each has
  /// space for the whole packet.
  kWholePackets,
  /// Store-and-forward: each copy leaves independently.
  kStored,
};

/// The channel-dependency graph of multicasts from every source to every set of nodes. Its vertices
/// are the VCs of channels between routers and the consumption channels, which are the VCs of
/// channels to nodes; a copy holds these, too, until its tail has left. A packet that is copied
/// requests its outputs at a router in rising order, and starts when it holds all of them. So it
/// may hold
///  - a channel while it requests any output of the router behind it;
///  - an output while it requests a higher one of the same router (not with kStored);
///  - with kLockStep, channels of one branch while it requests channels of another.
/// An acyclic graph means freedom from deadlock.
///
/// The analysis follows the packets for all pairs of destinations: any two channels that a packet
/// for more destinations uses are used by the packet for two of them. Time: O(nodes^3 * diameter).
/// Source of the vertices: Lin and Ni, "Deadlock-Free Multicast Wormhole Routing in Multicomputer
/// Networks", ISCA 1991; consumption channels: Boppana, Chalasani and Raghavendra, "On Multicast
/// Wormhole Routing in Multicomputer Networks", SPDP 1994.
DependencyCheck check_multicasts(const Topology& topology, const MulticastRouting& routing,
                                 std::size_t virtual_channels, Copying copying);

}  // namespace flitcast
