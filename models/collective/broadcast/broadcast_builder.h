// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "collective/schedule.h"
#include "topology/grid.h"

namespace flitcast {

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
