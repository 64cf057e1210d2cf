// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "topology/grid.h"
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

/// Where a message goes whose receiver lies exactly half way round a ring: the tie bits of its
/// header, all alike.
enum class Ties { kUpwards, kDownwards };

/// A wormhole broadcast on a grid under construction: its schedule so far, and who is informed.
///
/// Such constructions give each node its part by its place alone, also to nodes that happened to be
/// informed earlier. A send to an informed node is left out here, so that every broadcast ends with
/// N - 1 sends and without a duplicate.
class BroadcastBuilder {
 public:
  /// The grid must outlive the builder and have the source.
  BroadcastBuilder(const Grid& grid, NodeId source);

  void begin_round() { schedule_.begin_round(); }
  /// A message on the shortest way, dimension 0 first (XY). O(hops).
  void send(NodeId from, NodeId to, Ties ties = Ties::kUpwards);

  /// Hands over the schedule; the builder is of no further use.
  Schedule finish() { return std::move(schedule_); }

 private:
  const Grid& grid_;
  Schedule schedule_;
  std::vector<bool> informed_;
};

}  // namespace flitcast
