// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/broadcast/builders.h"
#include "topology/grid.h"

namespace flitcast {

/// The places first .. last of a line, of which only the owner's is informed.
struct Segment {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t owner = 0;
};

/// A segment of two or more places in two: what its owner keeps, and the rest, whose new owner is
/// sent a message.
struct Split {
  Segment kept{};
  Segment rest{};
};

/// A message from one place of a line to another.
struct LineMessage {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

/// Broadcasts in a line by splitting: in each round every segment of two or more places is split by
/// the rule. Returns the messages of each round.
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
      round.push_back({kept.owner, rest.owner});
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
  std::int64_t below = 0;  ///< Places before the owner
  std::int64_t above = 0;  ///< and after it.

  std::int64_t size() const { return below + 1 + above; }
};

/// A part of a strip that is handed over to an owner of its own.
struct HandedStrip {
  Strip strip;
  bool far = false;  ///< There is another part between this one and the old owner.
};

/// The strip of `size` places from `first` on; its owner sits in the middle, or just before it.
Strip centred_strip(std::int64_t first, std::int64_t size);

/// Cuts a strip into a middle part, which the owner keeps, and as many equally wide ones on either
/// side as asked for: 1 (three-way splitting) or 2 (five-way). Parts without a place are left out.
///
/// Cost: if the owner hands every part over in one round, a centred strip of n places is down to
/// single places after ceil(log3 n) or ceil(log5 n) rounds.
/// @return  The parts handed over; `strip` is left as the middle part.
std::vector<HandedStrip> split(Strip& strip, int parts_per_side);

/// Nodes of one ring that one of them has to inform.
struct RingTask {
  std::vector<NodeId> nodes;  ///< Going up the ring.
  std::size_t owner = 0;      ///< The index of the informed one.
};

/// What `owner` has to do to inform `targets` (itself among them or not), all in its ring of
/// `dimension`. Targets up to half way round come after it, the others before.
RingTask ring_task(const Grid& grid, std::size_t dimension, NodeId owner,
                   const std::vector<NodeId>& targets);

/// Three-way splitting: in each round every informed node keeps the middle of the nodes it is
/// responsible for and hands the others over, to a new owner on either side. Tasks run side by side
/// and must not share a ring.
///
/// Cost: with at most b nodes on either side of the owner ceil(log3(2b + 1)) rounds, added to the
/// broadcast. Paths are minimal and, within a ring, never share a channel.
void split_rings(BroadcastBuilder& broadcast, const std::vector<RingTask>& tasks);

}  // namespace flitcast
