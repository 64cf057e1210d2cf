// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/sequences.h"
#include "collective/schedule.h"
#include "topology/grid.h"
#include "topology/topology.h"

namespace flitcast {

/// The local decision of a node of a store-and-forward broadcast, made once and without knowledge
/// of the rest of the network: by which outputs it forwards the packet.
///
/// @param node  The node that has just been informed.
/// @param arrivals  The channels by which it received the packet in the round of its first receipt;
///   none at the source.
/// Returns the outputs in the order in which a one-port node serves them. A channel must leave each
/// of them.
using RelayRule =
    std::function<std::vector<PortId>(NodeId node, const std::vector<Channel>& arrivals)>;

/// The broadcast in which every node follows `rule`. A node that first receives in round t sends
/// from round t + 1 on: by all its outputs at once, or with one_port by the k-th of them in round
/// t + k. Later receipts are dropped. The last round has sends, which may all be duplicates.
///
/// On topologies where node n sits at router n. O(channels + sends * log sends) time.
Schedule relay(const Topology& topology, NodeId source, bool one_port, const RelayRule& rule);

/// The broadcast on a complete network in which every informed node sends to k others in a round,
/// so that the number of informed nodes grows (k + 1)-fold. Nodes are ranked from the source on,
/// rank = (node - source) mod `nodes`, and are informed in the order of their ranks.
Schedule growing_broadcast(std::size_t nodes, NodeId source, std::size_t k);

/// The direction of a message whose receiver lies exactly half way round a ring: all tie bits of
/// its header have this value.
enum class Ties { kUpwards, kDownwards };

/// A wormhole broadcast on a grid under construction: its schedule so far, and its informed nodes.
///
/// Such constructions derive sends from the position of nodes alone, also for nodes that were
/// informed earlier. The builder omits a send to an informed node, so that every broadcast ends
/// with N - 1 sends and without a duplicate.
class BroadcastBuilder {
 public:
  /// The grid must outlive the builder and contain the source.
  BroadcastBuilder(const Grid& grid, NodeId source) : grid_(grid), informed_(grid.node_count()) {
    informed_[index(source)] = true;
  }

  void begin_phase(std::string name) { schedule_.begin_phase(std::move(name)); }
  void begin_round() { schedule_.begin_round(); }
  /// Adds a message on the shortest path, dimension 0 first (XY). O(hops).
  void send(NodeId from, NodeId to, Ties ties = Ties::kUpwards);

  /// Returns the finished schedule; the builder must not be used afterwards.
  Schedule finish() { return std::move(schedule_); }

 private:
  const Grid& grid_;
  Schedule schedule_;
  std::vector<bool> informed_;
};

/// The places first .. last of a line, of which only the owner is informed.
struct Segment {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t owner = 0;
};

/// A segment of two or more places, split in two: the part that its owner keeps, and the rest, to
/// whose new owner a message is sent.
using Split = std::pair<Segment, Segment>;

/// A message from one place of a line to another.
using LineMessage = std::pair<std::int64_t, std::int64_t>;

/// A broadcast in a line: in each round the rule splits every segment of two or more places.
/// Returns the messages by round.
inline std::vector<std::vector<LineMessage>> split_rounds(const Segment& line,
                                                          Split (*rule)(const Segment&)) {
  std::vector<std::vector<LineMessage>> rounds;
  std::vector<Segment> segments{line};
  for (;;) {
    std::vector<LineMessage> round;
    std::vector<Segment> next;
    for (const Segment& segment : segments) {
      if (segment.first == segment.last) continue;
      const auto [kept, rest] = rule(segment);
      round.emplace_back(kept.owner, rest.owner);
      next.push_back(kept);
      next.push_back(rest);
    }
    if (round.empty()) return rounds;
    rounds.push_back(std::move(round));
    segments = std::move(next);
  }
}

/// Neighbouring places of a line that one of them, the owner, has to inform.
struct Strip {
  std::int64_t owner = 0;
  std::int64_t below = 0;  ///< Places before the owner.
  std::int64_t above = 0;  ///< Places after the owner.

  std::int64_t size() const { return below + 1 + above; }
};

/// A part of a strip that the owner hands over to a new owner.
struct HandedStrip {
  Strip strip;
  bool far = false;  ///< Another part lies between this one and the old owner.
};

/// The strip of `size` places from `first` on; its owner is in the middle, or just before it.
Strip centred_strip(std::int64_t first, std::int64_t size);

/// Cuts a strip into a middle part, which the owner keeps, and on either side 1 (three-way
/// splitting) or 2 (five-way splitting) parts of equal width. Parts without a place are omitted.
///
/// Cost: if the owner hands every part over in one round, a centred strip of n places is divided
/// into single places after ceil(log3 n) or ceil(log5 n) rounds.
/// @return  The parts handed over; `strip` becomes the middle part.
std::vector<HandedStrip> split(Strip& strip, int parts_per_side);

/// Splits the strips of shares, the first of which has a whole line, until each has one place: in
/// every round every owner hands over the parts of its strip.
/// @param hand_over  Sends to the owner of a part and returns its share.
template <class Share, class HandOver>
void split_strips(BroadcastBuilder& broadcast, std::vector<Share>& shares, int parts_per_side,
                  HandOver&& hand_over) {
  const auto busy = [](const Share& share) { return share.strip.size() > 1; };
  while (any_of(shares, busy)) {
    broadcast.begin_round();
    for (std::size_t i = 0, owners = shares.size(); i < owners; ++i) {
      for (const HandedStrip& part : split(shares[i].strip, parts_per_side)) {
        shares.push_back(hand_over(shares[i], part));
      }
    }
  }
}

/// Nodes of one ring that one of them has to inform.
struct RingTask {
  std::vector<NodeId> nodes;  ///< The nodes in ascending order along the ring.
  std::size_t owner = 0;      ///< The index of the informed node.
};

/// The task of `owner` to inform `targets` (which may include it), all in its ring of `dimension`.
/// Targets up to half way round the ring come after the owner, the others before.
RingTask ring_task(const Grid& grid, std::size_t dimension, NodeId owner,
                   const std::vector<NodeId>& targets);

/// Carries out the tasks by three-way splitting: in each round every informed node keeps the middle
/// of the nodes it is responsible for and hands the others over to a new owner on either side.
/// Tasks run in parallel and must not share a ring.
///
/// Cost: with at most b nodes on either side of the owner ceil(log3(2b + 1)) rounds, added to the
/// broadcast. Paths are minimal and, within a ring, never share a channel.
void split_rings(BroadcastBuilder& broadcast, const std::vector<RingTask>& tasks);

}  // namespace flitcast
