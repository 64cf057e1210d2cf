// SPDX-License-Identifier: Apache-2.0
#include "collective/gossip/trail_circulation.h"

#include <algorithm>

#include "collective/paths.h"

namespace flitcast {

namespace {

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

// Shares the entries between two positions of a node that follow each other on the trail.
void share(std::uint32_t between, std::uint32_t rounds, Intake& earlier, Intake& later) {
  earlier.from_ahead = std::min(between / 2, rounds);
  later.from_behind = std::min(between - between / 2, rounds);
}

}  // namespace

std::vector<Intake> intakes(const LoadedTrail& trail, std::size_t nodes, std::uint32_t rounds) {
  std::vector<Intake> intakes(trail.positions());
  std::vector<std::uint32_t> seen_at(nodes, kNowhere);
  // Twice round, so that every position has met the one of its node before it.
  for (int lap = 0; lap < 2; ++lap) {
    for (std::uint32_t here = 0; here < trail.positions(); ++here) {
      std::uint32_t& earlier = seen_at[index(trail.node(here))];
      if (earlier != kNowhere) {
        const std::uint32_t wrap = earlier < here ? 0 : trail.entries();
        const std::uint32_t between =
            trail.first_entry(here) + wrap - trail.last_entry(earlier) - 1;
        share(between, rounds, intakes[earlier], intakes[here]);
      }
      earlier = here;
    }
  }
  return intakes;
}

std::vector<Stream> circulation(const LoadedTrail& trail, const std::vector<Intake>& intakes) {
  std::vector<Stream> streams;
  streams.reserve(2 * std::size_t{trail.positions()});
  for (std::uint32_t here = 0; here < trail.positions(); ++here) {
    const std::uint32_t next = trail.next(here);
    const PortId output = trail.output(here);
    streams.push_back({trail.node(here), trail.node(next), output, Heading::kForward,
                       trail.last_entry(here), intakes[next].from_behind});
    streams.push_back({trail.node(next), trail.node(here), opposite(output), Heading::kBackward,
                       trail.first_entry(next), intakes[here].from_ahead});
  }
  return streams;
}

}  // namespace flitcast
