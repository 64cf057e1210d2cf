// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"

namespace flitcast {

/// Which way round a trail chunks travel.
enum class Heading { kForward, kBackward };

/// What one channel carries in a gossip along trails, an entry of the trail a round.
///
/// First the entries that pass the sender in the direction of the heading, its own foremost: start,
/// start -+ 1, start -+ 2, .. (those travelling forward come from behind, so they descend). Then,
/// on channels that only feed a node beside the trail, entries that passed the sender the other way
/// before, from its memory: start +- 1, start +- 2, ..
struct Stream {
  NodeId from{};
  NodeId to{};
  PortId output{};
  Heading heading{};
  std::uint32_t start = 0;       ///< The first entry sent.
  std::uint32_t passing = 0;     ///< Rounds from the first on in which entries pass.
  std::uint32_t remembered = 0;  ///< Rounds after those in which entries come from memory.

  /// The entry sent in a round, counted from 0, on a trail of `entries` entries.
  std::optional<std::uint32_t> entry(std::uint32_t round, std::uint32_t entries) const {
    if (round < passing) return moved(heading == Heading::kBackward, round, entries);
    if (round >= passing + remembered) return std::nullopt;
    return moved(heading == Heading::kForward, round - passing + 1, entries);
  }

 private:
  std::uint32_t moved(bool up, std::uint32_t steps, std::uint32_t entries) const {
    if (up) return start + steps < entries ? start + steps : start + steps - entries;
    return start >= steps ? start - steps : start + entries - steps;
  }
};

}  // namespace flitcast
