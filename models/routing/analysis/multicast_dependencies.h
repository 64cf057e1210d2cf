// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "routing/analysis/deadlock.h"
#include "routing/multicast/multicast_routing.h"
#include "topology/topology.h"

namespace flitcast {

/// How a router keeps the copies of a packet together.
enum class Copying {
  /// Wormhole: a flit stays until all of its copies have left, so a packet that waits for one
  /// output holds all others, here and in the routers behind them.
  kLockStep,
  /// Cut-through: a packet starts when it has all its outputs, with space for all of it behind
  /// each.
  kWholePackets,
  /// Store-and-forward: copies leave on their own.
  kStored,
};

/// The channel-dependency graph of multicasts from every source to every set of nodes. Its vertices
/// are the VCs of channels between routers and the consumption channels: the VCs of those to nodes,
/// which a copy holds until its tail has left, too. A packet that is copied asks for its outputs at
/// a router one after the other, in rising order, and starts when it has them all. So it may hold
///  - a channel while it asks for any output of the router behind it;
///  - an output while it asks for a higher one of the same router (not with kStored);
///  - with kLockStep, what it holds by one branch while it asks for what lies behind another.
/// Acyclic means freedom from deadlock.
///
/// Follows the packets for all pairs of destinations: whatever two channels one packet for more of
/// them uses, it uses for two of them. Time: O(nodes^3 * diameter).
/// Source of the vertices: Lin and Ni, "Deadlock-Free Multicast Wormhole Routing in Multicomputer
/// Networks", ISCA 1991; consumption channels: Boppana, Chalasani and Raghavendra, "On Multicast
/// Wormhole Routing in Multicomputer Networks", SPDP 1994.
DependencyCheck check_multicasts(const Topology& topology, const MulticastRouting& routing,
                                 std::size_t virtual_channels, Copying copying);

}  // namespace flitcast
