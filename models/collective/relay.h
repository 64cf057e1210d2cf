// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "topology/topology.h"

namespace flitcast {

/// What one node of a store-and-forward broadcast does with the packet: a local decision, made once
/// and without knowledge of the rest of the network.
///
/// @param node  The node that has just been informed.
/// @param arrivals  The channels by which it received the packet in the round in which it first
///   did; none at the source.
/// Returns the outputs to forward by, in the order in which a one-port node serves them. A channel
/// must leave each of them.
using RelayRule =
    std::function<std::vector<PortId>(NodeId node, const std::vector<Channel>& arrivals)>;

/// The broadcast that results when every node obeys `rule`. A node that first receives in round t
/// sends from round t + 1 on: by all its outputs at once, or with one_port by the k-th of them in
/// round t + k. Later receipts are dropped. The last round has sends, even if nobody needs them.
///
/// On topologies where node n sits at router n. O(channels + sends * log sends) time.
Schedule relay(const Topology& topology, NodeId source, bool one_port, const RelayRule& rule);

}  // namespace flitcast
