// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

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

}  // namespace flitcast
